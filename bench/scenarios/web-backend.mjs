// @ts-check
// A web backend under load: reads should not wait for the changes of other browsers.
import { Agent, request } from 'node:http';
import { countByPath, countByStatus, takeJournal } from '../lib/mock-control.mjs';
import { startProgram } from '../lib/program.mjs';
import { seededRandom } from '../lib/seeded.mjs';
import { startServer } from '../lib/server-process.mjs';
import { median, percentile, shownMs } from '../lib/stats.mjs';
import { ask, logIn } from '../lib/wire.mjs';

/** @typedef {import('../programs/web-backend.mjs').Job} Job */
/** @typedef {import('../programs/web-backend.mjs').ClientMode} ClientMode */
/**
 * @typedef {object} Visit a request of a browser
 * @property {string} tenant
 * @property {string} kind
 * @property {string} id of a vehicle
 * @property {string} value
 * @property {number} atMs start
 * @property {number | null} goneAfterMs time until the browser disconnects
 */
/**
 * Status 0: the browser disconnected.
 * @typedef {{ visit: Visit, status: number, body: unknown, begunAt: number, endedAt: number }} Seen
 */

export const title = 'A web backend of three tenants under load';

const tenants = ['north', 'south', 'west'];
const visitCount = 600;
/** Period in which all visits start. */
const rushMs = 3_000;
const latencyMs = 150;
const liveMs = 8_000;
const to = Date.UTC(2026, 2, 4, 12);
const day = { from: new Date(to - 86_400_000).toISOString(), to: new Date(to).toISOString() };

/** The kinds of a hundred visits: most read, ten change something. */
const kinds = [
  ...Array(70).fill('live'),
  ...Array(10).fill('vehicle'),
  ...Array(10).fill('trips'),
  ...Array(6).fill('plate'),
  ...Array(2).fill('assign'),
  ...Array(2).fill('unassign'),
];

/** @type {{ name: string, way: ClientMode }[]} */
const modes = [
  { name: 'one order for all calls of a client', way: 'together' },
  { name: 'a `forUser()` for each incoming request', way: 'forUser' },
  { name: 'a `fork()` for each incoming request', way: 'fork' },
  { name: 'one client, by default', way: 'shared' },
];

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const mode of modes) outcomes.push(await measure(mode));

  report.text(
    `${visitCount} requests of browsers within ${rushMs / 1000} s, in the same order for each way, to a backend (node:http) with a client for each`,
  );
  report.text(
    `of ${tenants.length} tenants; the service takes ${latencyMs} ms a request. 70 % read a live board (\`priority: 'high'\`, ${liveMs / 1000} s at most), 10 % a`,
  );
  report.text('vehicle, 10 % trips of a day, 10 % make a change; 8 % of the browsers hang up.');
  report.table(
    ['', 'live reads', 'timed out', 'p50', 'p99', 'changes p50', 'trips p50', 'requests', '429', 'own change not seen'],
    outcomes.map(({ name, live, changes, trips, requests, refused, unseen }) => [
      name,
      String(live.answered),
      String(live.timedOut),
      shownMs(live.p50),
      shownMs(live.p99),
      shownMs(changes.p50),
      shownMs(trips.p50),
      String(requests),
      String(refused),
      String(unseen),
    ]),
  );
  report.table(
    ['', 'answers by status'],
    outcomes.map(({ name, statuses }) => [
      name,
      Object.entries(statuses)
        .map(([status, count]) => `${status} ${count}x`)
        .join(', '),
    ]),
    'words',
  );
  const [together, ...apart] = outcomes;
  const sum = (/** @type {(outcome: Outcome) => number} */ count) => apart.reduce((all, one) => all + count(one), 0);
  const timedOut = sum(({ live }) => live.timedOut);
  const refused = sum((one) => one.refused);
  const unseen = sum((one) => one.unseen);
  const p50 = median(apart.map(({ live }) => live.p50));
  return [
    {
      what: 'live reads of a web backend whose other browsers make changes',
      bar: 'none times out, no 429, each browser sees its own change',
      reached: `${timedOut} timed out, ${refused} of 429, ${unseen} unseen; p50 ${shownMs(p50)}`,
      met: timedOut === 0 && refused === 0 && unseen === 0,
      others: `in one order: ${together?.live.timedOut} timed out, p50 ${shownMs(together?.live.p50 ?? Number.NaN)}`,
    },
  ];
}

/** @typedef {{ answered: number, timedOut: number, p50: number, p99: number }} Times */
/**
 * @typedef {{
 *   name: string, live: Times, changes: Times, trips: Times, requests: number, refused: number,
 *   unseen: number, statuses: Record<string, number>
 * }} Outcome
 */

/** @param {(typeof modes)[number]} mode @returns {Promise<Outcome>} */
async function measure({ name, way: clientMode }) {
  const users = tenants.map((tenant) => ({
    username: tenant,
    password: tenant,
    entries: [{ fleet: `${tenant} fleet` }],
  }));
  const server = await startServer({ kind: 'service', options: { users, latencyMs }, frozenAt: to });
  /** @type {import('../lib/program.mjs').Program<{ port: number }> | null} */
  let backend = null;
  try {
    const visits = await plan(server.url);
    /** @type {Job} */
    const job = { url: server.url, tenants, way: clientMode, day, liveMs };
    backend = startProgram('web-backend.mjs', job);
    const { port } = await backend.nextMessage();
    await takeJournal(server.url);
    const seen = await visitAll(`http://127.0.0.1:${port}`, visits);
    const journal = await takeJournal(server.url);
    return {
      name,
      live: timesOf(seen, ['live']),
      changes: timesOf(seen, ['plate', 'assign', 'unassign']),
      trips: timesOf(seen, ['trips']),
      requests: countByPath(journal, '/graphql'),
      refused: countByStatus(journal, 429),
      unseen: seen.filter((one) => !hasSeenItsChange(one, seen)).length,
      statuses: statusesOf(seen),
    };
  } finally {
    await backend?.stop();
    await server.stop();
  }
}

/**
 * Returns the same visits for each mode.
 * @param {string} url
 * @returns {Promise<Visit[]>}
 */
async function plan(url) {
  const random = seededRandom(29);
  /** @type {Map<string, { vehicles: string[], drivers: string[] }>} */
  const worlds = new Map();
  for (const tenant of tenants) {
    /** @type {{ data: Record<'getVehicles' | 'getPeople', { id: string }[]> }} */
    const { data } = await ask(await logIn(url, tenant), '{ getVehicles { id } getPeople { id } }');
    worlds.set(tenant, { vehicles: data.getVehicles.map(({ id }) => id), drivers: data.getPeople.map(({ id }) => id) });
  }
  /** @template Item @param {readonly Item[]} items @returns {Item} */
  const oneOf = (items) => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
  return Array.from({ length: visitCount }, (_, place) => {
    const tenant = oneOf(tenants);
    const world = worlds.get(tenant);
    if (!world) throw new Error(`no tenant ${tenant}`);
    const kind = oneOf(kinds);
    return {
      tenant,
      kind,
      id: oneOf(world.vehicles),
      value: kind === 'plate' ? `P-${place}` : oneOf(world.drivers),
      atMs: (place / visitCount) * rushMs,
      goneAfterMs: random() < 0.08 ? 50 + random() * 500 : null,
    };
  });
}

/** @param {string} url @param {readonly Visit[]} visits @returns {Promise<Seen[]>} */
async function visitAll(url, visits) {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const seen = await Promise.all(
    visits.map(async (visit) => {
      await new Promise((resolve) => setTimeout(resolve, visit.atMs - (performance.now() - begun)));
      return visitOnce(url, visit, agent);
    }),
  );
  agent.destroy();
  return seen;
}

/** @param {string} url @param {Visit} visit @param {Agent} agent @returns {Promise<Seen>} */
function visitOnce(url, visit, agent) {
  const { tenant, kind, id, value, goneAfterMs } = visit;
  const begunAt = performance.now();
  return new Promise((resolve, reject) => {
    const end = (/** @type {number} */ status, /** @type {unknown} */ body) =>
      resolve({ visit, status, body, begunAt, endedAt: performance.now() });
    const outgoing = request(`${url}/${tenant}/${kind}/${id}/${value}`, { agent }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part) => {
        text += part;
      });
      incoming.on('end', () => end(incoming.statusCode ?? 0, JSON.parse(text)));
      incoming.on('error', reject);
    });
    outgoing.on('error', (error) => (outgoing.destroyed && goneAfterMs !== null ? end(0, null) : reject(error)));
    if (goneAfterMs !== null) setTimeout(() => outgoing.destroy(), goneAfterMs);
    outgoing.end();
  });
}

/**
 * Returns the times of answered visits.
 * @param {readonly Seen[]} seen
 * @param {readonly string[]} of kinds
 * @returns {Times}
 */
function timesOf(seen, of) {
  const answered = seen.filter(({ visit, status }) => of.includes(visit.kind) && status !== 0);
  const times = answered.map(({ begunAt, endedAt }) => endedAt - begunAt);
  return {
    answered: answered.length,
    timedOut: answered.filter(({ status }) => status === 504).length,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
  };
}

/**
 * True when a read shows the change made with it, or a newer one of another browser.
 * @param {Seen} one
 * @param {readonly Seen[]} all
 */
function hasSeenItsChange({ visit, status, body, begunAt }, all) {
  if (visit.kind !== 'plate' || status !== 200 || body === visit.value) return true;
  const other = all.find(({ visit: { kind, id, value } }) => kind === 'plate' && id === visit.id && value === body);
  return other !== undefined && other.endedAt > begunAt;
}

/** @param {readonly Seen[]} seen */
function statusesOf(seen) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { status } of seen) {
    const name = status === 0 ? 'hung up' : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
