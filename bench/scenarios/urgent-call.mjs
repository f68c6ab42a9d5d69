// @ts-check
// An urgent look-up while 300 streams of the same user run.
import PQueue from 'p-queue';
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { median, shownMs } from '../lib/stats.mjs';
import { ask, send } from '../lib/wire.mjs';

export const title = 'An urgent look-up while 300 streams run';

const streams = 300;
const lookUps = 20;
const day = { from: '2026-03-03T00:00:00Z', to: '2026-03-04T00:00:00Z' };
/** Two fields, so that turns are measured and not rows. */
const select = /** @type {const} */ ({ timestamp: true, gps: { speed: true } });

/**
 * The duration of the look-up, and the number of requests that began before it.
 * @typedef {{ ms: number, begun: number }} Wait
 */

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const fleet = await startFleet(streams);
  try {
    const high = await waits(fleet, 'high');
    const normal = await waits(fleet, 'normal');
    const queued = await behindQueue(fleet);
    report.text(
      `${streams} streams of one user, each over a day, ${latencyMs} ms a request. Meanwhile ${lookUps} look-ups, one after the other; a request that is`,
    );
    report.text(
      'active when a look-up is called is waited for in any case. By hand: p-queue with one request at a time, first come first served.',
    );
    report.table(
      ['look-up', 'requests that began before it, most', 'time, median', 'time, most'],
      Object.entries({ "priority: 'high'": high, "priority: 'normal'": normal, 'p-queue by hand': queued }).map(
        ([name, all]) => [
          name,
          String(Math.max(...all.map(({ begun }) => begun))),
          shownMs(median(all.map(({ ms }) => ms))),
          shownMs(Math.max(...all.map(({ ms }) => ms))),
        ],
      ),
    );
    const most = Math.max(...high.map(({ begun }) => begun));
    const [first] = queued;
    return [
      {
        what: `a high look-up while ${streams} streams run`,
        bar: 'waits for the active request and no other',
        reached: `${most} others, ${shownMs(median(high.map(({ ms }) => ms)))}`,
        met: most === 0,
        others: `p-queue by hand ${first?.begun ?? '?'} others, ${shownMs(first?.ms ?? Number.NaN)}`,
      },
    ];
  } finally {
    await fleet.stop();
  }
}

/**
 * @param {import('../lib/fleet-with-latency.mjs').FleetWithLatency} service
 * @param {'high' | 'normal'} priority
 * @returns {Promise<Wait[]>}
 */
async function waits({ target, ids }, priority) {
  const { FleetClient } = await loadProduct();
  let begun = 0;
  let ownBegan = 0;
  const client = new FleetClient({
    baseUrl: target.url,
    credentials: demo,
    hooks: {
      onRequest({ operations }) {
        if (operations.includes('getVehicleById')) ownBegan = begun;
        else begun += 1;
      },
    },
  });
  const end = new AbortController();
  const running = ids.slice(0, streams).map(async (vehicleId) => {
    for await (const _ of client.streamSnapshots({ vehicleId, ...day }, { select, signal: end.signal }));
  });
  const all = Promise.allSettled(running);
  while (begun < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  /** @type {Wait[]} */
  const found = [];
  for (const id of ids.slice(0, lookUps)) {
    const before = begun;
    const called = performance.now();
    await client.getVehicleById({ id }, { priority, select: { id: true } });
    found.push({ ms: performance.now() - called, begun: ownBegan - before });
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  end.abort();
  await all;
  await client.close();
  return found;
}

/**
 * Waits, because the service still answers requests of cancelled streams.
 * @param {import('../lib/wire.mjs').User} user
 */
async function untilFree(user) {
  for (;;) {
    const body = JSON.stringify({ query: '{ getVehicleTypes { id } }' });
    const { status } = await send(`${user.url}/graphql`, { headers: user.headers, body });
    if (status !== 429) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Makes a look-up behind 300 streams' windows in a plain queue.
 * @param {import('../lib/fleet-with-latency.mjs').FleetWithLatency} service
 * @returns {Promise<Wait[]>}
 */
async function behindQueue({ user, ids }) {
  await untilFree(user);
  const queue = new PQueue({ concurrency: 1 });
  let begun = 0;
  /** @param {string} query */
  const inTurn = (query) =>
    queue.add(() => {
      begun += 1;
      return ask(user, query);
    });
  const windows = ids
    .slice(0, streams)
    .map((id) =>
      inTurn(`{ getSnapshots(vehicleId: "${id}", from: "${day.from}", to: "2026-03-03T01:00:00Z") { timestamp } }`),
    );
  const before = begun;
  const called = performance.now();
  await inTurn(`{ getVehicleById(id: "${ids[0]}") { id } }`);
  const ms = performance.now() - called;
  await Promise.all(windows);
  return [{ ms, begun: begun - before - 1 }];
}
