// @ts-check
// 1,000 calls a second through one client for a minute.
import { startProgram } from '../lib/program.mjs';
import { startServer } from '../lib/server-process.mjs';
import { shownBytes, shownCount, shownMs } from '../lib/stats.mjs';

/** @typedef {import('../programs/steady-load.mjs').Job} Job */
/** @typedef {import('../programs/steady-load.mjs').LoadResult} LoadResult */

export const title = '1,000 calls a second through one client';

const perSecond = 1_000;
/** LOAD_SECONDS=10 gives a quick estimate. */
const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const vehicles = 1_000;
const latencyMs = 25;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const rows = [
    { name: 'a service in the same process', ...(await measure({ url: null, vehicles, perSecond, seconds })) },
    { name: `over HTTP, ${latencyMs} ms a request`, ...(await overHttp()) },
  ];
  report.text(
    `Look-ups of ${shownCount(vehicles)} vehicles in turn for ${seconds} s, made whether or not earlier ones were answered. The service answers one request of a`,
  );
  report.text(
    "user at a time; with it in the same process its work is part of the processor time and of the event loop's delay.",
  );
  report.table(
    [
      '',
      'calls',
      'failed',
      'requests',
      '429',
      'calls a request',
      'p50',
      'p99',
      'CPU of a second',
      'event loop late, p99',
      'heap: start, quarters',
    ],
    rows.map(({ name, calls, failed, requests, refusals, p50, p99, cpuMs, loopP99Ms, heapBytes }) => [
      name,
      shownCount(calls),
      String(failed),
      shownCount(requests),
      String(refusals),
      (calls / requests).toFixed(1),
      shownMs(p50),
      shownMs(p99),
      shownMs(cpuMs),
      shownMs(loopP99Ms),
      heapBytes.map(shownBytes).join(', '),
    ]),
  );
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const grown = Math.max(...rows.map(({ heapBytes }) => (heapBytes.at(-1) ?? 0) - (heapBytes[1] ?? 0)));
  const last = rows.at(-1);
  return [
    {
      what: `${shownCount(perSecond)} calls a second through one client`,
      bar: 'none fails, memory is flat',
      reached: `${failed} failed, heap ${grown > 0 ? '+' : '-'}${shownBytes(Math.abs(grown))}; p99 ${shownMs(last?.p99 ?? Number.NaN)}`,
      met: failed === 0 && grown < 5 * 1024 ** 2,
    },
  ];
}

async function overHttp() {
  const server = await startServer({ kind: 'service', options: { vehicles, latencyMs } });
  try {
    return await measure({ url: server.url, vehicles, perSecond, seconds });
  } finally {
    await server.stop();
  }
}

/** @param {Job} job @returns {Promise<LoadResult>} */
async function measure(job) {
  /** @type {import('../lib/program.mjs').Program<LoadResult>} */
  const program = startProgram('steady-load.mjs', job, { execArgv: ['--expose-gc'] });
  return program.nextMessage();
}
