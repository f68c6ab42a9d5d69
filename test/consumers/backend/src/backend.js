// A web backend of several tenants, each with its own login and client. A client is created on
// first use. A caller that disconnects ends its call. Errors become HTTP answers that never quote
// the service.
import { createServer } from 'node:http';
import { FleetClient, FleetError } from 'fleet-telematics';

const statusOf = {
  INVALID_INPUT: 400,
  ABORTED: 499,
  HTTP: 502,
  NETWORK: 503,
  RATE_LIMIT: 503,
  QUEUE_FULL: 503,
  CLOSED: 503,
  TIMEOUT: 504,
};
/** Further calls of a tenant are refused at once: their browsers would not wait that long. */
const maxWaiting = 200;

/** `tenants`: the credentials by name. `connect`: options of all clients, such as `baseUrl`. */
export function createBackend({ tenants, connect }) {
  const clients = new Map();
  const clientOf = (tenant) => {
    if (!clients.has(tenant)) {
      clients.set(tenant, new FleetClient({ maxWaiting, ...connect, credentials: tenants[tenant] }));
    }
    return clients.get(tenant);
  };

  const answer = async ({ tenant, id, licensePlate, signal }) => {
    if (!Object.hasOwn(tenants, tenant)) return [404, { problem: 'no such tenant' }];
    const options = { signal, timeoutMs: 10_000 };
    try {
      const fleet = clientOf(tenant);
      if (id === undefined) return [200, await fleet.getVehicles({}, options)];
      // The client knows the incoming request of each call: this read waits for this change only.
      const changed = licensePlate && fleet.updateVehicle({ vehicleId: id, vehicleInput: { licensePlate } }, options);
      const [vehicle] = await Promise.all([fleet.getVehicleById({ id }, options), changed]);
      return vehicle === null ? [404, { problem: 'no such vehicle' }] : [200, vehicle];
    } catch (error) {
      if (!FleetError.is(error)) throw error;
      return [statusOf[error.code] ?? 502, { problem: error.code, retry: error.retryable }];
    }
  };

  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { pathname, searchParams } = new URL(request.url, 'http://backend');
    const [, tenant, , id] = pathname.split('/').map(decodeURIComponent);
    const licensePlate = request.method === 'PUT' ? searchParams.get('plate') : null;
    const [status, body] = await answer({ tenant, id, licensePlate, signal: gone.signal });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  return {
    listen: () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
      }),
    /** Answers open requests, then ends. */
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...clients.values()].map((client) => client.close({ drainMs: 10_000 })));
    },
  };
}
