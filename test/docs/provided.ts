// The names that blocks of the documents may use: a client, and the ids of its records.
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
export const personId = driverId;
export const deviceId: string = vehicles[0]?.assignedDevices?.[0]?.id ?? '';
export const tokenId: string = people.find(({ driverTokens }) => driverTokens?.length)?.driverTokens?.[0]?.id ?? '';
const groups = await fleet.getGroups();
const isAbove = (id: string | null) => groups.some(({ parentId }) => parentId === id);
const group = groups.find(({ id, vehicleIds }) => vehicleIds?.includes(vehicleId) && !isAbove(id));
export const groupId: string = group?.id ?? '';
export const otherGroupId: string = groups.find(({ id }) => id !== groupId)?.id ?? '';
export const geofenceId: string = (await fleet.getGeofences())[0]?.id ?? '';
export const roleId: string = (await fleet.getRoles())[0]?.id ?? '';
export const ruleId: string = (await fleet.getRules())[0]?.id ?? '';
export const scheduleId: string = (await fleet.getWorkSchedules())[0]?.id ?? '';
export const from = '2026-03-02T00:00:00Z';
export const to = '2026-03-02T09:00:00Z';
