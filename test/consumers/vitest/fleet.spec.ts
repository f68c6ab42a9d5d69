// A project's own tests with the service in the process: no server, no network, time moved by hand.
import { FleetClient, HttpError } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { expect, test } from 'vitest';

test('the token expires, the service stumbles, and the work goes on', async () => {
  const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
  await using fleet = new FleetClient({
    baseUrl: 'http://fleet.example',
    credentials: { username: 'demo', password: 'demo' },
    fetch: service.fetch,
    clock: service.clock,
  });
  expect(await fleet.getVehicles()).toHaveLength(3);

  service.clock.advance(6 * 60_000);
  expect(await fleet.getVehicles()).toHaveLength(3);
  expect(service.requests.map(({ path }) => path)).toContain('/login/refresh');

  service.faults.add({ kind: 'status', status: 500, times: 3, operation: 'getVehicles' });
  await expect(fleet.getVehicles()).rejects.toThrow(HttpError);
});
