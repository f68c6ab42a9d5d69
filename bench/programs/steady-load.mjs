// @ts-check
// Calls at a steady rate through one client, each for another vehicle: latency, CPU, memory, event
// loop. Needs `--expose-gc`. scenarios/steady-load.mjs starts it.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { loadMock, loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { percentile } from '../lib/stats.mjs';

/**
 * If `url` is null, the service runs in this process.
 * @typedef {{ url: string | null, vehicles: number, perSecond: number, seconds: number }} Job
 */
/**
 * @typedef {object} LoadResult
 * @property {number} calls
 * @property {number} failed
 * @property {number} requests
 * @property {number} refusals
 * @property {number} p50
 * @property {number} p99
 * @property {number} cpuMs per second
 * @property {number} loopP99Ms event loop delay
 * @property {number[]} heapBytes at the start, and after each quarter
 */

/** @type {Job} */
const { url, vehicles, perSecond, seconds } = JSON.parse(process.argv[2] ?? '{}');
/** Interval between batches of calls. */
const everyMs = 10;

const { FleetClient } = await loadProduct();
const service = url === null ? (await loadMock()).createMockService({ vehicles }) : null;
const fleet = new FleetClient({
  baseUrl: url ?? 'http://fleet.test',
  credentials: demo,
  ...(service ? { fetch: service.fetch } : {}),
});
const ids = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
const select = /** @type {const} */ ({ id: true, name: true });

function heap() {
  // The journal of an in-process service does not belong to the client.
  service?.clearRequests();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** @type {number[]} */
const times = [];
let failed = 0;
let made = 0;
async function call() {
  const begun = performance.now();
  const id = ids[made++ % ids.length] ?? '';
  await fleet.getVehicleById({ id }, { select }).catch(() => {
    failed += 1;
  });
  times.push(performance.now() - begun);
}

/**
 * Makes the due calls for some time, regardless of unanswered ones.
 * @param {number} ms
 */
async function load(ms) {
  const open = [];
  const begun = performance.now();
  let count = 0;
  for (;;) {
    const passed = performance.now() - begun;
    const due = Math.floor((Math.min(passed, ms) / 1000) * perSecond);
    for (; count < due; count += 1) open.push(call());
    if (passed >= ms) break;
    await pause(everyMs);
  }
  await Promise.all(open);
}

await load(2_000);
times.length = 0;
failed = 0;
const heapBytes = [heap()];
const before = fleet.stats().users[0];
const cpu = process.cpuUsage();
const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
for (let quarter = 0; quarter < 4; quarter += 1) {
  await load((seconds * 1000) / 4);
  heapBytes.push(heap());
}
loop.disable();
const { user, system } = process.cpuUsage(cpu);
const after = fleet.stats().users[0];
/** @type {LoadResult} */
const result = {
  calls: times.length,
  failed,
  requests: (after?.requests ?? 0) - (before?.requests ?? 0),
  refusals: after?.refusals ?? 0,
  p50: percentile(times, 50),
  p99: percentile(times, 99),
  cpuMs: (user + system) / 1000 / seconds,
  loopP99Ms: loop.percentile(99) / 1e6,
  heapBytes,
};
await fleet.close();
process.send?.(result, () => process.exit());
