// A web backend of several tenants: each has a login of its own, and so a client of its own, made when it is first asked for. A caller who
// leaves ends his call. Errors of the service become answers that a browser can act on; none of them quotes the service.
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
/** More calls of a tenant than this are refused at once: their browsers would have gone before their turn came. */
const maxWaiting = 200;

/** `tenants`: the credentials by name. `connect`: the options that all clients share, such as `baseUrl`. */
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
      // Node tells the client which incoming request a call is made for: this read waits for this change and for nobody else's.
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
    /** Answers what has come in, and then ends. */
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...clients.values()].map((client) => client.close({ drainMs: 10_000 })));
    },
  };
}
