// Jest with ES modules, as its documentation says: `node --experimental-vm-modules`.
import { FleetClient, FleetError } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { mockHandlers } from 'fleet-telematics/mock/msw';

const credentials = { username: 'demo', password: 'demo' };

test('a client and the service in one process', async () => {
  const { fetch } = createMockService({ vehicles: 3 });
  const fleet = new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch });
  expect(await fleet.getVehicles()).toHaveLength(3);
  await expect(fleet.getVehicleById({ id: 'no-such-id' })).rejects.toThrow(FleetError);
  await fleet.close();
});

test('the same over HTTP, and as handlers of Mock Service Worker', async () => {
  const service = createMockService({ vehicles: 3 });
  const server = await service.listen();
  const fleet = new FleetClient({ baseUrl: server.url, credentials });
  expect(await fleet.getVehicles()).toHaveLength(3);
  expect(mockHandlers(service, server.url)).toHaveLength(1);
  await fleet.close();
  await server.close();
});
