// @ts-check
// Measures the cost of many idle clients in one process. Needs `--expose-gc`.
// scenarios/many-clients.mjs and a test start it.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadProduct } from '../lib/product.mjs';

/** @typedef {'unused' | 'used' | 'forks' | 'siblings' | 'watching'} ClientUse */
/**
 * The service has the logins `tenant-0`, `tenant-1` and so on.
 * @typedef {{ what: ClientUse, url: string, count: number }} Job
 */
/**
 * @typedef {object} Resources
 * @property {number} heapBytes
 * @property {number} residentBytes
 * @property {number} timers active timers, including unref'd ones
 * @property {number | null} files open descriptors, including sockets; null where the system does
 * not list them
 */
/**
 * @typedef {{
 *   perClientBytes: number, before: Resources, after: Resources, later: Resources,
 *   closed: Resources
 * }} ClientCosts
 */

/** @type {Job} */
const { what, url, count } = JSON.parse(process.argv[2] ?? '{}');
const timers = countTimers();
const { FleetClient } = await loadProduct();
/** Longer than the keep-alive of an unused connection. */
const idleMs = 6_000;
/** Number of tenants that use their client concurrently. */
const atOnce = 20;

/** @param {number} place */
function clientOf(place) {
  const name = `tenant-${place}`;
  return new FleetClient({ baseUrl: url, credentials: { username: name, password: name }, label: name });
}

/** @param {FleetClient} fleet @typedef {InstanceType<typeof FleetClient>} FleetClient */
const use = (fleet) => fleet.getRoles({}, { select: { name: true } });

/** @returns {Promise<Resources>} */
async function resources() {
  // Callbacks of later turns release dropped objects.
  for (let round = 0; round < 3; round += 1) {
    await pause(20);
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heapBytes: heapUsed + external,
    residentBytes: rss,
    timers: timers.size,
    files: openFiles(),
  };
}

/** Counts the active timers, including unref'd ones, which Node does not list. */
function countTimers() {
  /** @type {Set<unknown>} */
  const alive = new Set();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const counted = (
    /** @type {(...args: unknown[]) => void} */ run,
    /** @type {number} */ ms,
    /** @type {unknown[]} */ ...args
  ) => {
    const timer = start(() => {
      alive.delete(timer);
      run(...args);
    }, ms);
    alive.add(timer);
    return timer;
  };
  // Nothing here uses setTimeout.promisify.
  globalThis.setTimeout = /** @type {typeof setTimeout} */ (counted);
  globalThis.clearTimeout = (timer) => {
    alive.delete(timer);
    stop(timer);
  };
  return alive;
}

function openFiles() {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

/** @param {(place: number) => Promise<unknown>} task */
async function each(task) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await task(next++);
    }),
  );
}

const first = clientOf(0);
await use(first);
if (what !== 'forks' && what !== 'siblings') await first.close();
await pause(idleMs);
const before = await resources();

/** @type {FleetClient[]} */
const clients = [];
const end = new AbortController();
/** @type {Record<ClientUse, () => Promise<unknown>>} */
const works = {
  async unused() {
    for (let place = 0; place < count; place += 1) clients.push(clientOf(place));
  },
  used: () =>
    each(async (place) => {
      const client = clientOf(place);
      clients.push(client);
      await use(client);
    }),
  forks: () =>
    each(async () => {
      const client = first.fork();
      clients.push(client);
      await use(client);
    }),
  async siblings() {
    const { user } = await first.identity();
    await each(async () => {
      const client = first.forUser({ userId: user });
      clients.push(client);
      await use(client);
    });
  },
  watching: () =>
    each(async (place) => {
      const client = clientOf(place);
      clients.push(client);
      const events = client.watchStatus({ intervalMs: 3_600_000, previous: [], signal: end.signal });
      await new Promise((resolve, reject) => {
        const read = async () => {
          // The first answer causes events, because there is no earlier state.
          for await (const event of events) resolve(event);
        };
        read().catch((error) => (end.signal.aborted ? undefined : reject(error)));
      });
    }),
};
await works[what]();
const after = await resources();
await pause(idleMs);
const later = await resources();
end.abort();
const made = clients.length;
const closing = clients.map((client) => client.close());
clients.length = 0;
await Promise.all([...closing, first.close()]);
const closed = await resources();
/** @type {ClientCosts} */
const costs = { perClientBytes: (later.heapBytes - before.heapBytes) / made, before, after, later, closed };
process.send?.(costs, () => process.exit());
