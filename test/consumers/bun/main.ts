// Bun: the client over HTTP and in one process, a stream, an error, and the service itself.
import assert from 'node:assert/strict';
import { FleetClient, FleetError } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const credentials = { username: 'demo', password: 'demo' };
const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
const server = await service.listen();

for (const options of [{ baseUrl: server.url }, { baseUrl: 'http://fleet.example', fetch: service.fetch }]) {
  const fleet = new FleetClient({ ...options, credentials, clock: service.clock });
  const [first, ...others] = await fleet.getVehicles();
  assert.equal(others.length, 2);
  const period = { from: new Date(Date.UTC(2026, 2, 2, 7)), to: new Date(Date.UTC(2026, 2, 2, 9)) };
  let rows = 0;
  for await (const _ of fleet.streamSnapshots({ vehicleId: String(first?.id), ...period })) rows++;
  assert.ok(rows > 0);
  await fleet.close();
}

const wrong = new FleetClient({ baseUrl: server.url, credentials: { username: 'demo', password: 'wrong' } });
await assert.rejects(wrong.getVehicles(), (error) => error instanceof FleetError && error.code === 'AUTHENTICATION');
await wrong.close();
await server.close();
