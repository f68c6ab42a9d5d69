// @ts-check
// Fifty lookups in one Promise.all.
import { lookUpAtOnce } from '../lib/burst.mjs';
import { burstTable, inShort } from '../lib/burst-table.mjs';
import { startFleet } from '../lib/fleet-with-latency.mjs';
import { byTurns, shownMs } from '../lib/stats.mjs';
import { closeAll, openAll, ours } from '../peers/all.mjs';

export const title = '50 lookups in one Promise.all';

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet();
  const ids = fleet.ids.slice(0, 50);
  report.text('The same service as above, 50 different vehicles.');
  const clients = await openAll(fleet.target);
  for (const [, client] of clients) await client.vehicleById(ids[0] ?? '');
  const things = Object.fromEntries(
    [...clients].map(([name, client]) => [name, () => lookUpAtOnce(fleet.target.url, client, ids)]),
  );
  const outcomes = await byTurns(3, things);
  burstTable(report, outcomes);
  await closeAll(clients);
  await fleet.stop();

  const rounds = outcomes[ours] ?? [];
  const requests = Math.max(...rounds.map((round) => round.requests));
  const failed = Math.max(...rounds.map((round) => round.failed));
  const ms = Math.max(...rounds.map((round) => round.ms));
  return [
    {
      what: '50 lookups in one Promise.all (worst of 3 rounds)',
      bar: '1 request',
      reached: `${requests} request${requests === 1 ? '' : 's'}, ${failed} fail, ${shownMs(ms)}`,
      met: requests === 1 && failed === 0,
      others: inShort(outcomes, ['graphql-request', 'p-queue + graphql-request', 'batch-execute']),
    },
  ];
}
