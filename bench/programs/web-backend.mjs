// @ts-check
// A web backend of several tenants, each with one login and one client. scenarios/web-backend.mjs
// starts it once for each mode of using that client.
import { AsyncResource } from 'node:async_hooks';
import { createServer } from 'node:http';
import { loadProduct } from '../lib/product.mjs';

/** @typedef {import('../../dist/esm/sdk/index.js').FleetClient} FleetClient */
/**
 * @typedef {object} Job
 * @property {string} url
 * @property {readonly string[]} tenants usernames, equal to the passwords
 * @property {ClientMode} way
 * @property {{ from: string, to: string }} day of the trips
 * @property {number} liveMs waiting time of a live board
 */
/** @typedef {'together' | 'forUser' | 'fork' | 'shared'} ClientMode */

/** @type {Job} */
const { url, tenants, way: clientMode, day, liveMs } = JSON.parse(process.argv[2] ?? '{}');
const { FleetClient, FleetError } = await loadProduct();

/** @type {Map<string, { fleet: FleetClient, userId: string, outside: AsyncResource }>} */
const clients = new Map();
for (const name of tenants) {
  const fleet = new FleetClient({ baseUrl: url, credentials: { username: name, password: name }, label: name });
  const { user } = await fleet.identity();
  clients.set(name, { fleet, userId: user, outside: new AsyncResource('Startup') });
}

/**
 * Makes the calls of an incoming request with the tenant's client.
 * @template Result
 * @param {string} tenant
 * @param {(fleet: FleetClient) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
function withClient(tenant, work) {
  const tenantClient = clients.get(tenant);
  if (!tenantClient) throw new Error(`no tenant ${tenant}`);
  const { fleet, userId, outside } = tenantClient;
  /** @type {Record<ClientMode, () => Promise<Result>>} */
  const runners = {
    // Outside the async context of the incoming request, so all calls seem to have one caller.
    together: () => outside.runInAsyncScope(() => work(fleet)),
    forUser: () => work(fleet.forUser({ userId })),
    fork: () => work(fleet.fork()),
    shared: () => work(fleet),
  };
  return runners[clientMode]();
}

const board = /** @type {const} */ ({ id: true, name: true, lastData: { timestamp: true, gps: { speed: true } } });
const record = /** @type {const} */ ({ id: true, licensePlate: true });

/**
 * @param {string} kind
 * @param {string} id of a vehicle
 * @param {string} value a licence plate or a driver
 * @param {AbortSignal} signal
 * @returns {(fleet: FleetClient) => Promise<unknown>}
 */
function workOf(kind, id, value, signal) {
  /** @type {Record<string, (fleet: FleetClient) => Promise<unknown>>} */
  const kinds = {
    live: (fleet) => fleet.getVehicles({}, { select: board, priority: 'high', timeoutMs: liveMs, signal }),
    vehicle: (fleet) => fleet.getVehicleById({ id }, { select: record, signal }),
    async trips(fleet) {
      let trips = 0;
      for await (const _ of fleet.streamTrips({ vehicleId: id, ...day }, { signal })) trips += 1;
      return trips;
    },
    // The read must show the change, although nobody awaits it.
    async plate(fleet) {
      const [, seen] = await Promise.all([
        fleet.updateVehicle({ vehicleId: id, vehicleInput: { licensePlate: value } }, { signal }),
        fleet.getVehicleById({ id }, { select: record, signal }),
      ]);
      return seen?.licensePlate;
    },
    assign: (fleet) => fleet.assignDriver({ assignDriverInput: { vehicleId: id, driverId: value } }, { signal }),
    unassign: (fleet) => fleet.unassignDriver({ unassignDriverInput: { vehicleId: id } }, { signal }),
  };
  const work = kinds[kind];
  if (!work) throw new Error(`no work ${kind}`);
  return work;
}

/** @type {Record<string, number>} */
const statusOf = {
  ...{ INVALID_INPUT: 400, ABORTED: 499, TIMEOUT: 504, QUEUE_FULL: 503, RATE_LIMIT: 503, CLOSED: 503, GATE: 503 },
  ...{ CREDENTIALS: 503, TOKEN_STORE: 503, SYNC_TARGET: 503 },
  ...{ AUTHENTICATION: 500, SESSION_EXPIRED: 500, USER_SELECTION: 500, TRANSPORT: 500 },
};

const server = createServer(async (incoming, outgoing) => {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const [, tenant = '', kind = '', id = '', value = ''] = (incoming.url ?? '').split('/').map(decodeURIComponent);
  /** @type {[number, unknown]} */
  const [status, body] = await withClient(tenant, workOf(kind, id, value, gone.signal)).then(
    (result) => [200, result],
    (error) => (FleetError.is(error) ? [statusOf[error.code] ?? 502, error.code] : [500, String(error)]),
  );
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
});
server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  process.send?.({ port: typeof bound === 'object' && bound !== null ? bound.port : 0 });
});
process.on('disconnect', () => process.exit());
