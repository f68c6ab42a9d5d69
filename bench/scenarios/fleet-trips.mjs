// @ts-check
// Yesterday's trips of 1,000 vehicles with 300 ms of latency: one stream, by hand, 1,000 streams.
import { createHash } from 'node:crypto';
import { countByPath, takeJournal } from '../lib/mock-control.mjs';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { startServer } from '../lib/server-process.mjs';
import { shownBytes, shownCount, shownMs } from '../lib/stats.mjs';
import { ask, logIn, send } from '../lib/wire.mjs';

export const title = "Yesterday's trips of 1,000 vehicles";

const vehicles = 1_000;
const latencyMs = 300;
const mostRequests = 60;
const mostTime = 1.5;
/** Vehicles per document by hand, about as many as in the SDK's. */
const vehiclesByHand = 25;
/** Vehicles in the measurement of single requests by hand, which is then extrapolated. */
const sampled = 25;
const day = { from: '2026-03-03T00:00:00Z', to: '2026-03-04T00:00:00Z' };
const now = Date.UTC(2026, 2, 4, 12);

/** @typedef {Awaited<ReturnType<typeof loadProduct>>['FleetClient']['prototype']} Client */

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const far = await startServer({ kind: 'service', options: { vehicles, latencyMs }, frozenAt: now });
  const near = await startServer({ kind: 'service', options: { vehicles }, frozenAt: now });
  try {
    const user = await logIn(far.url);
    /** @type {{ data: { getVehicles: { id: string }[] } }} */
    const { data } = await ask(user, '{ getVehicles { id } }');
    const ids = data.getVehicles.map(({ id }) => id);
    // Warms up: both sides have compiled their code, and the service has created its vehicles.
    await byHand(user, ids, 50, day.from);
    await read(await open(far.url), ids.slice(0, vehiclesByHand));
    await takeJournal(far.url);

    const merged = await read(await open(far.url), ids);
    const requests = countByPath(await takeJournal(far.url), '/graphql');
    const together = await byHand(user, ids, vehiclesByHand);
    const one = await byHand(user, ids.slice(0, sampled), 1);
    const each = { requests: ids.length, bytes: together.bytes, ms: (one.ms / sampled) * ids.length };

    const single = await singles(await open(near.url), ids);
    /** @type {string[]} */
    const warnings = [];
    const refusing = await read(await open(near.url, refusingFetch(), (code) => warnings.push(code)), ids);

    report.text(
      `A service with ${shownCount(vehicles)} vehicles and ${latencyMs} ms of latency. By hand: the fields that trips need, the same day and the hour`,
    );
    report.text(
      `before, ${vehiclesByHand} vehicles in a document, one document after the other, and nobody reads the bytes. One request per vehicle was measured`,
    );
    report.text(
      `with ${sampled} vehicles and multiplied. The streams without latency are there for their trips: 1,000 of one vehicle, and one of a service`,
    );
    report.text('that refuses documents with more than one field.');
    report.table(
      ['', 'requests', 'bytes', 'time', 'trips'],
      [
        ['fleet-telematics, streamTrips({ vehicleIds })', requests, '', merged.ms, merged.trips],
        ['the bytes by hand, many vehicles in a document', together.requests, together.bytes, together.ms, null],
        ['the bytes by hand, one vehicle in a request', each.requests, each.bytes, each.ms, null],
        ['1,000 single streams, no latency', null, '', single.ms, single.trips],
        ['merged documents refused, no latency', null, '', refusing.ms, refusing.trips],
      ].map(([what, requestCount, bytes, ms, trips]) => [
        String(what),
        typeof requestCount === 'number' ? shownCount(requestCount) : '',
        typeof bytes === 'number' ? shownBytes(bytes) : '',
        shownMs(Number(ms)),
        typeof trips === 'number' ? shownCount(trips) : '',
      ]),
    );
    const ratio = merged.ms / together.ms;
    const isSame = merged.hash === single.hash;
    const isSameRefused = refusing.hash === single.hash;
    return [
      {
        what: `trips of a day, ${shownCount(vehicles)} vehicles, ${latencyMs} ms latency: requests`,
        bar: `${mostRequests} or fewer`,
        reached: String(requests),
        met: requests <= mostRequests,
        others: `one request per vehicle ${shownCount(each.requests)}`,
      },
      {
        what: 'the same: time',
        bar: `${mostTime}x what the bytes alone take, or less`,
        reached: `${ratio.toFixed(2)}x (${shownMs(merged.ms)})`,
        met: ratio <= mostTime,
        others: `one request per vehicle ${(each.ms / together.ms).toFixed(2)}x`,
      },
      {
        what: 'the same: trips',
        bar: 'those of 1,000 single streams',
        reached: isSame ? `identical, ${shownCount(merged.trips)} trips` : 'others',
        met: isSame && merged.trips > 0,
      },
      {
        what: 'the same with a service that refuses merged documents',
        bar: 'identical trips, one warning',
        reached: `${isSameRefused ? 'identical' : 'other'} trips, ${warnings.length} (${warnings.join(', ')})`,
        met: isSameRefused && warnings.length === 1,
      },
    ];
  } finally {
    await far.stop();
    await near.stop();
  }
}

/**
 * @param {string} url
 * @param {import('../../dist/esm/sdk/index.js').FleetClientOptions['fetch']} [fetch]
 * @param {(code: string) => void} [onWarning]
 * @returns {Promise<Client>}
 */
async function open(url, fetch, onWarning = () => undefined) {
  const { FleetClient } = await loadProduct();
  const hooks = { onWarning: (/** @type {{ code: string }} */ { code }) => onWarning(code) };
  // The clock is frozen, so that every stream sees the same day.
  const clock = { now: () => now };
  return new FleetClient({ baseUrl: url, credentials: demo, clock, hooks, ...(fetch ? { fetch } : {}) });
}

/** One stream of all vehicles. @param {Client} fleet @param {readonly string[]} vehicleIds */
async function read(fleet, vehicleIds) {
  const begun = performance.now();
  const trips = [];
  for await (const trip of fleet.streamTrips({ vehicleIds, ...day })) trips.push(trip);
  const ms = performance.now() - begun;
  await fleet.close();
  return { ms, trips: trips.length, hash: hashOf(trips) };
}

/** A stream for each vehicle. @param {Client} fleet @param {readonly string[]} vehicleIds */
async function singles(fleet, vehicleIds) {
  const begun = performance.now();
  const trips = [];
  for (const vehicleId of vehicleIds) {
    for await (const trip of fleet.streamTrips({ vehicleId, ...day })) trips.push(trip);
  }
  const ms = performance.now() - begun;
  await fleet.close();
  return { ms, trips: trips.length, hash: hashOf(trips) };
}

/**
 * Hashes trips in any order.
 * @param {readonly object[]} trips
 */
function hashOf(trips) {
  const texts = trips.map((trip) => JSON.stringify(trip)).sort();
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}

/** @returns {import('../../dist/esm/sdk/index.js').FleetClientOptions['fetch']} */
function refusingFetch() {
  return async (url, init) => {
    const isMerged = /q1:/.test(init.body ?? '');
    return isMerged ? Response.json({ errors: [{ message: 'One field only.' }] }) : fetch(url, init);
  };
}

/** The fields for trips without details. */
const fields = `vehicleId timestamp gps { state latitude longitude speed } ignition { engineStatus } driver { driverId }
  driverBehaviour { driverBehaviourType } canBus { canSpeed canWheelSpeed canDistance canTripFuelUsed canhrFuelUsed canFuelUsed }`;

/**
 * Reads and discards the rows of all vehicles, some vehicles per document.
 * @param {import('../lib/wire.mjs').User} user
 * @param {readonly string[]} ids
 * @param {number} together
 * @param {string} [to]
 */
async function byHand(user, ids, together, to = day.to) {
  const from = new Date(Date.parse(day.from) - 3_600_000).toISOString();
  let bytes = 0;
  let requests = 0;
  const begun = performance.now();
  for (let at = 0; at < ids.length; at += together) {
    const parts = ids
      .slice(at, at + together)
      .map((id, place) => `q${place}: getSnapshots(vehicleId: "${id}", from: "${from}", to: "${to}") { ${fields} }`);
    const body = JSON.stringify({ query: `{ ${parts.join(' ')} }` });
    const answer = await send(`${user.url}/graphql`, { headers: user.headers, body, onChunk: () => undefined });
    if (answer.status !== 200) throw new Error(`the documents by hand were answered with ${answer.status}`);
    bytes += answer.bytes;
    requests += 1;
  }
  return { requests, bytes, ms: performance.now() - begun };
}
