// @ts-check
// The cost of 10,000 tenants' idle clients in one process.
import { startProgram } from '../lib/program.mjs';
import { startServer } from '../lib/server-process.mjs';
import { shownBytes, shownCount } from '../lib/stats.mjs';

/** @typedef {import('../programs/many-clients.mjs').ClientCosts} ClientCosts */
/** @typedef {import('../programs/many-clients.mjs').ClientUse} ClientUse */

export const title = '10,000 clients in one process';

/** @type {{ what: ClientUse, name: string, count: number }[]} */
const kinds = [
  { what: 'unused', name: 'clients that were never used', count: 10_000 },
  { what: 'used', name: 'clients that made a call once', count: 10_000 },
  { what: 'forks', name: 'forks of one client, each with a call', count: 10_000 },
  { what: 'siblings', name: 'clients by `forUser()`, each with a call', count: 10_000 },
  { what: 'watching', name: 'clients with a `watchStatus()`', count: 1_000 },
];
/** Bytes per idle client. */
const largest = 24 * 1024;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  /** @type {(ClientCosts & (typeof kinds)[number])[]} */
  const found = [];
  for (const kind of kinds) found.push({ ...kind, ...(await measure(kind.what, kind.count)) });
  report.text(
    'Each kind in a process of its own, with a login for each client (forks and `forUser()` share one); 20 of them make their call at the',
  );
  report.text('same time. Memory is the heap after a collection. "Idle": 6 s after the last call.');
  report.table(
    ['', 'clients', 'heap for each', 'sockets: at once, idle', 'timers: at once, idle', 'heap when all are closed'],
    found.map(({ name, count, perClientBytes, before, after, later, closed }) => [
      name,
      shownCount(count),
      shownBytes(perClientBytes),
      [after, later]
        .map(({ files }) => shownCount(Math.max(0, (files ?? Number.NaN) - (before.files ?? 0))))
        .join(', '),
      [after, later].map(({ timers }) => shownCount(timers)).join(', '),
      `${shownBytes(before.heapBytes)}, then ${shownBytes(closed.heapBytes)}`,
    ]),
  );
  const used = found.find(({ what }) => what === 'used')?.perClientBytes ?? Number.NaN;
  const forked = found.find(({ what }) => what === 'forks')?.perClientBytes ?? Number.NaN;
  return [
    {
      what: 'an idle client of 10,000, used once',
      bar: `at most ${shownBytes(largest)}; no socket, no timer`,
      reached: `${shownBytes(used)}; a fork ${shownBytes(forked)}`,
      met: used <= largest && found.every(({ what, before, later }) => what === 'watching' || isIdle(before, later)),
    },
  ];
}

/** @param {ClientCosts['before']} before @param {ClientCosts['later']} later */
const isIdle = (before, later) => later.timers === 0 && (later.files ?? 0) <= (before.files ?? 0);

/** @param {ClientUse} what @param {number} count @returns {Promise<ClientCosts>} */
async function measure(what, count) {
  const frozenAt = Date.UTC(2026, 2, 4, 12);
  const server = await startServer({ kind: 'service', options: { vehicles: 5 }, tenants: count, frozenAt });
  /** @type {import('../programs/many-clients.mjs').Job} */
  const job = { what, url: server.url, count };
  try {
    /** @type {import('../lib/program.mjs').Program<ClientCosts>} */
    const program = startProgram('many-clients.mjs', job, { execArgv: ['--expose-gc'] });
    return await program.nextMessage();
  } finally {
    await server.stop();
  }
}
