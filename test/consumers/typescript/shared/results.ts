// A library with inferred export types. TypeScript writes declarations with names that programs can
// import.
import { type ClientHooks, FleetClient, FleetError, fileGate, liveStatus, tripsFrom } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { traceFleet } from 'fleet-telematics/otel';
import { redisGate, redisTokenStore } from 'fleet-telematics/redis';
import { checkSchema, pullSchema } from 'fleet-telematics/schema';
import { toGeoJson } from 'fleet-telematics/tracks';
import { diffRecords, previewSync, sqliteTarget, syncFleet, syncTables, targetSchema } from 'fleet-telematics-sync';
import type { Table } from 'fleet-telematics-sync/target';

export const connect = () => {
  const service = createMockService({ vehicles: 3, clock: { now: () => Date.UTC(2026, 2, 2, 9, 30) } });
  const credentials = { username: 'demo', password: 'demo' };
  return { service, fleet: new FleetClient({ baseUrl: 'http://fleet.example', credentials, fetch: service.fetch }) };
};
const { service, fleet } = connect();
const [vehicleId, from, to] = ['', new Date(0), new Date(1)];

export const whole = (client: FleetClient) => client.getVehicles();
export const slim = (client: FleetClient) =>
  client.getVehicles({}, { select: { id: true, lastData: { gps: { speed: true } } } });
export const one = (id: string) => fleet.getVehicleById({ id }, { select: { name: true, lastData: { gps: true } } });
export const rows = () => fleet.stream('getVehicles', {}, { select: { id: true } });
export const allRows = () => fleet.stream('getGroups');
export const snapshots = () => fleet.streamSnapshots({ vehicleId, from, to });
export const positions = () =>
  fleet.streamSnapshots({ vehicleIds: [vehicleId], from, to }, { select: { timestamp: true, gps: { speed: true } } });
export const trips = () => fleet.streamTrips({ vehicleId, from, to }, { withTrack: true });
export const tripsOfMany = () => fleet.streamTrips({ vehicleIds: [vehicleId], from, to });
export const tripsOfRows = () => tripsFrom(snapshots());
export const map = () => toGeoJson(trips());
export const watched = () => fleet.watchStatus({ intervalMs: 1000 });
export const fences = () => fleet.watchGeofences();
export const events = () => fleet.watchEvents({ rules: [{ on: 'movement', between: '22:00-06:00' }] });
export const status = liveStatus;
export const states = {
  stats: fleet.stats,
  session: fleet.session,
  identity: fleet.identity,
  users: fleet.listLoginUsers,
};
export const sibling = fleet.forUser({ userId: '123e4567-e89b-12d3-a456-426614174000' });
export const schema = { check: () => checkSchema(fleet), pull: () => pullSchema(fleet) };
export const gate = () => fileGate();
export const hooks = {
  onCall: ({ operation, durationMs }) => void [operation, durationMs],
  onWarning: (event) => void event.code,
} satisfies ClientHooks;
export function problem(error: unknown) {
  return FleetError.is(error) && error.code === 'USER_SELECTION' ? { error, choices: error.choices } : null;
}
export const mock = {
  faults: service.faults.list,
  requests: service.requests,
  answers: service.answers,
  snapshot: service.snapshot,
  listen: service.listen,
  records: service.snapshot().fleets['Demo Fleet'],
  vehicles: service.snapshot().fleets['Demo Fleet']?.vehicles,
  scripts: service.telemetry.list,
  variant: service.variant,
};
export const copy = () => syncFleet(fleet, sqliteTarget('fleet.db'));
export const preview = () => previewSync(fleet, sqliteTarget('fleet.db'));
export const differences = diffRecords;
export const tables = { tables: syncTables, schema: targetSchema, columns: (table: Table) => table.columns };
export const traced = (client: FleetClient) => traceFleet(client, { attributes: { tenant: 'acme' } });
export const shared = { gate: redisGate, store: redisTokenStore };
