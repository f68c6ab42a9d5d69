// What the blocks of the documents take for granted: a client, and the ids of what it works with.
import { FleetClient } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';

const begin = Date.parse('2026-03-02T09:30:00Z');
export const service = createMockService({ clock: { now: () => begin } });
export const fleet = new FleetClient({
  baseUrl: 'http://fleet.test',
  credentials: { username: 'demo', password: 'demo' },
  fetch: service.fetch,
  clock: service.clock,
});
const vehicles = await fleet.getActiveVehicles();
const people = await fleet.getPeople();
export const ids: string[] = vehicles.map(({ id }) => id ?? '');
export const vehicleId: string = vehicles.find(({ lastData }) => lastData !== null)?.id ?? '';
export const driverId: string = people.find(({ isDriver }) => isDriver)?.id ?? '';
export const from = '2026-03-02T00:00:00Z';
export const to = '2026-03-02T09:00:00Z';
