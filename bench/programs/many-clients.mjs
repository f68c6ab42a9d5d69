// @ts-check
// Many clients in one process, as a program with many tenants has them: what each costs while it does nothing. Needs `--expose-gc`.
// scenarios/many-clients.mjs starts it, and so does a test.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { loadProduct } from '../lib/product.mjs';

/** @typedef {'unused' | 'used' | 'forks' | 'siblings' | 'watching'} What */
/** @typedef {{ what: What, url: string, count: number }} Job the logins of the service are `tenant-0`, `tenant-1` and so on */
/**
 * @typedef {object} Resources
 * @property {number} heapBytes
 * @property {number} residentBytes
 * @property {number} timers that will still fire, those that hold no process back too
 * @property {number | null} files open descriptors, sockets among them; null where the system does not list them
 */
/** @typedef {{ perClientBytes: number, before: Resources, after: Resources, later: Resources, closed: Resources }} Told */

/** @type {Job} */
const { what, url, count } = JSON.parse(process.argv[2] ?? '{}');
const timers = countTimers();
const { FleetClient } = await loadProduct();
/** Longer than a connection stays open that nothing uses. */
const idleMs = 6_000;
/** How many tenants use their client at the same time. */
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
  // What was dropped just now is released by callbacks of the turns that follow.
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

/** Follows the timers of this process. Node itself tells only of those that hold it back. */
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
/** @type {Record<What, () => Promise<unknown>>} */
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
          // With nothing known before, the first answer makes events.
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
/** @type {Told} */
const told = { perClientBytes: (later.heapBytes - before.heapBytes) / made, before, after, later, closed };
process.send?.(told, () => process.exit());
