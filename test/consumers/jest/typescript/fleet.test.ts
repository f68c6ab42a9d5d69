// Jest with ts-jest, which compiles to CommonJS and reports type errors as failed tests.
import { expect, test } from '@jest/globals';
import { FleetClient, FleetError, type Vehicle } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

test('a client and the service in one process', async () => {
  const { fetch } = createMockService({ vehicles: 3 });
  const credentials = { username: 'demo', password: 'demo' };
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch });
  const vehicles: Vehicle[] = await fleet.getVehicles();
  expect(vehicles).toHaveLength(3);
  // @ts-expect-error no such field, so the types are there
  expect(vehicles[0]?.latestData).toBeUndefined();
  await expect(fleet.getVehicleById({ id: 'no-such-id' })).rejects.toThrow(FleetError);
  await fleet.close();
});
