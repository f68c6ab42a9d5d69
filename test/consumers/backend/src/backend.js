// A web backend of several tenants: each has a login of its own, and so a client of its own, made when it is first asked for. A caller who
// leaves ends his call. Errors of the service become answers that a browser can act on; none of them quotes the service.
import { createServer } from 'node:http';
import { FleetClient, FleetError } from 'fleet-telematics';

const statusOf = { TIMEOUT: 504, NETWORK: 503, HTTP: 502, RATE_LIMITED: 503, INVALID_INPUT: 400 };

/** `tenants`: the credentials by name. `connect`: the options that all clients share, such as `baseUrl`. */
export function createBackend({ tenants, connect }) {
  const clients = new Map();
  const clientOf = (tenant) => {
    if (!clients.has(tenant)) clients.set(tenant, new FleetClient({ ...connect, credentials: tenants[tenant] }));
    return clients.get(tenant);
  };

  const answer = async (tenant, id, signal) => {
    if (!Object.hasOwn(tenants, tenant)) return [404, { problem: 'no such tenant' }];
    const options = { signal, timeoutMs: 10_000 };
    try {
      const fleet = clientOf(tenant);
      if (id === undefined) return [200, await fleet.getVehicles({}, options)];
      const vehicle = await fleet.getVehicleById({ id }, options);
      return vehicle === null ? [404, { problem: 'no such vehicle' }] : [200, vehicle];
    } catch (error) {
      if (!FleetError.is(error)) throw error;
      return [statusOf[error.code] ?? 502, { problem: error.code, retry: error.retryable }];
    }
  };

  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const [, tenant, , id] = new URL(request.url, 'http://backend').pathname.split('/').map(decodeURIComponent);
    const [status, body] = await answer(tenant, id, gone.signal);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

  return {
    listen: () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
      }),
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      for (const client of clients.values()) await client.close();
    },
  };
}
