// The setup of the backend's tests: the reference service with a login for each tenant.
import { createMockService } from 'fleet-telematics/mock';
import { createBackend } from './backend.js';

export async function openWorld() {
  const north = { username: 'north', password: 'north-secret' };
  const south = { username: 'south', password: 'south-secret' };
  const service = createMockService({
    vehicles: 4,
    clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) },
    users: [
      { ...north, entries: [{ fleet: 'North Fleet' }] },
      { ...south, entries: [{ fleet: 'South Fleet' }] },
    ],
  });
  const connect = { baseUrl: 'http://fleet.example', fetch: service.fetch, clock: service.clock };
  const backend = createBackend({ tenants: { north, south }, connect });
  const url = await backend.listen();
  const ask = (method) => async (path) => {
    const response = await fetch(`${url}${path}`, { method });
    return { status: response.status, body: await response.json() };
  };
  return { service, url, get: ask('GET'), put: ask('PUT'), close: () => backend.close() };
}
