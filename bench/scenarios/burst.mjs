// @ts-check
// Two hundred lookups at once, with one active request per user.
import { lookUpAtOnce } from '../lib/burst.mjs';
import { burstTable, inShort } from '../lib/burst-table.mjs';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { byTurns, shownMs } from '../lib/stats.mjs';
import { byHand, closeAll, openAll, ours } from '../peers/all.mjs';

export const title = '200 lookups at once';

const queued = 'p-queue + graphql-request';

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet();
  const ids = fleet.ids.slice(0, 200);
  report.text(
    `200 different vehicles by id in one Promise.allSettled; every request takes ${latencyMs} ms at the service, which answers a`,
  );
  report.text('second one of the same user meanwhile with 429.');
  const clients = await openAll(fleet.target);
  /** @param {string} name */
  const lookUp = async (name) => {
    const client = clients.get(name);
    if (client === undefined) throw new Error(`there is no ${name}`);
    return lookUpAtOnce(fleet.target.url, client, ids);
  };
  // Logs in, connects and compiles before the measurement.
  for (const [, client] of clients) await client.vehicleById(ids[0] ?? '');
  const names = [byHand, ours, 'global fetch', 'graphql-request', 'urql', 'Apollo Client', 'batch-execute'];
  const outcomes = await byTurns(5, Object.fromEntries(names.map((name) => [name, () => lookUp(name)])));
  // One round takes ten seconds and hardly varies.
  /** @type {Record<string, import('../lib/burst.mjs').Outcome[]>} */
  const all = { ...outcomes, [queued]: [await lookUp(queued)] };
  burstTable(report, all);
  report.text(
    'batch-execute puts everything that is asked for in one tick into one document, with no limit: one request here, and',
  );
  report.text('refused as soon as calls come in different ticks. The SDK sends at most 50 root fields at a time.');
  await closeAll(clients);
  await fleet.stop();

  const rounds = all[ours] ?? [];
  const worst = {
    requests: Math.max(...rounds.map(({ requests }) => requests)),
    refused: Math.max(...rounds.map(({ refused }) => refused)),
    failed: Math.max(...rounds.map(({ failed }) => failed)),
    ms: Math.max(...rounds.map(({ ms }) => ms)),
  };
  return [
    {
      what: '200 lookups at once, 50 ms latency (worst of 5 rounds)',
      bar: '5 requests or fewer, no 429, none fails',
      reached: `${worst.requests} requests, ${worst.refused} of 429, ${worst.failed} fail, ${shownMs(worst.ms)}`,
      met: worst.requests <= 5 && worst.refused === 0 && worst.failed === 0,
      others: inShort(all, ['graphql-request', queued, 'batch-execute']),
    },
  ];
}
