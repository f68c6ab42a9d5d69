// @ts-check
// Two hundred lookups that arrive over half a second, like requests to a server.
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf } from '../lib/burst.mjs';
import { burstTable, inShort, middleOf } from '../lib/burst-table.mjs';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { byTurns, median, shownMs } from '../lib/stats.mjs';
import { byHand, closeAll, openAll, ours } from '../peers/all.mjs';

export const title = '200 lookups that arrive over 500 ms';

const queued = 'p-queue + graphql-request';
const spanMs = 500;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet();
  const ids = fleet.ids.slice(0, 200);
  const clients = await openAll(fleet.target);
  for (const [, client] of clients) await client.vehicleById(ids[0] ?? '');
  /** How long it was in each round from the first arrival to the last: timers come late on a busy machine. @type {number[]} */
  const spans = [];

  /** @param {string} name @returns {Promise<import('../lib/burst.mjs').Outcome>} */
  const arrive = async (name) => {
    const client = clients.get(name);
    if (client === undefined) throw new Error(`there is no ${name}`);
    return outcomeOf(fleet.target.url, async () => {
      const lookups = [];
      const begun = performance.now();
      for (const [place, id] of ids.entries()) {
        const due = begun + (place * spanMs) / (ids.length - 1);
        while (performance.now() < due) await sleep(1);
        lookups.push(client.vehicleById(id));
        // Somebody has to look at a rejection before the last one has arrived.
        lookups.at(-1)?.catch(() => undefined);
      }
      if (name === ours) spans.push(performance.now() - begun);
      return Promise.allSettled(lookups);
    });
  };

  const roundTrips = [];
  for (let round = 0; round < 9; round += 1) {
    const begun = performance.now();
    await clients.get(byHand)?.vehicleById(ids[0] ?? '');
    roundTrips.push(performance.now() - begun);
  }
  const roundTrip = median(roundTrips);
  const names = [ours, 'graphql-request', 'batch-execute'];
  const outcomes = await byTurns(5, Object.fromEntries(names.map((name) => [name, () => arrive(name)])));
  /** @type {Record<string, import('../lib/burst.mjs').Outcome[]>} */
  const all = { ...outcomes, [queued]: [await arrive(queued)] };
  await closeAll(clients);
  await fleet.stop();

  const span = median(spans);
  const least = span + 2 * roundTrip;
  const { requests, refused, failed, ms } = middleOf(all[ours] ?? []);
  const ratio = median(
    (all[ours] ?? []).map((round, place) => round.ms / ((spans[place] ?? Number.NaN) + 2 * roundTrip)),
  );
  report.text(
    `The same service, ${latencyMs} ms a request. The last of the 200 arrived after ${shownMs(span)}, and one round trip by hand took`,
  );
  report.text(`${shownMs(roundTrip)}: arrival span and two round trips are ${shownMs(least)}.`);
  burstTable(report, all);
  // Round trips that fit into the time of arrival, and the two after it.
  const mostRequests = Math.ceil(span / roundTrip) + 2;
  return [
    {
      what: '200 lookups over 500 ms: requests',
      bar: `about one per round trip (${mostRequests} or fewer), no 429, none fails`,
      reached: `${requests} requests, ${refused} of 429, ${failed} fail`,
      met: requests <= mostRequests && refused === 0 && failed === 0,
      others: inShort(all, ['graphql-request', queued, 'batch-execute']),
    },
    {
      what: '200 lookups over 500 ms: total time',
      bar: '1.2x of arrival span and two round trips, or less',
      reached: `${ratio.toFixed(2)}x (${shownMs(ms)})`,
      met: ratio <= 1.2,
      others: `${queued} ${(middleOf(all[queued] ?? []).ms / least).toFixed(1)}x`,
    },
  ];
}
