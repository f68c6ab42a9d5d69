// No built-in request of the SDK or the CLI relies on an assumption. All run against a service with
// other names for everything that the contract does not name.
import { describe, expect, test } from 'vitest';
import { type OperationTypes, operations } from '../../src/generated/operation-table.js';
import { FleetClient, type OperationName, tripsFrom } from '../../src/index.js';
import { toGpx } from '../../src/telemetry/tracks/write-tracks.js';
import { shellOf } from '../cli/harness.js';
import { id, moment, renamedSchema, renamedService } from './renamed-service.js';

const baseUrl = 'https://fleet.test';
const period = { vehicleId: id, from: new Date(moment - 3_600_000), to: new Date(moment) };

/** The operations with required variables; the compiler demands variables for new ones. */
type WithVariables = {
  [Name in OperationName]: string extends keyof OperationTypes[Name]['variables'] ? never : Name;
}[OperationName];

const variables: Readonly<Record<WithVariables, object> & Partial<Record<OperationName, object>>> = {
  getVehicleById: { id },
  getVehiclesByVin: { vin: 'x' },
  getDeviceById: { id },
  getDeviceBySerial: { serial: 'x' },
  getDevicesBySerial: { serial: 'x' },
  getDriverAssignments: { input: { vehicleId: id } },
  getGeofenceById: { id },
  getLatestSnapshots: { vehicleIds: [id] },
  getSnapshots: period,
  getPersonById: { id },
  getPersonCustomFields: { personId: id },
  getRuleById: { id },
  getVehicleCustomFields: { vehicleId: id },
  getVehicleMappedSensors: { vehicleId: id },
  getWorkScheduleById: { id },
  getWrappedReport: { input: {} },
  getWrappedReportInputs: {},
  assignDriver: { assignDriverInput: { vehicleId: id, driverId: id } },
  unassignDriver: { unassignDriverInput: { vehicleId: id } },
  changeGeofenceGroups: { geofenceId: id, changeGeofenceGroupsInput: {} },
  changeVehicleGroups: { vehicleId: id, changeVehicleGroupsInput: {} },
  changeVehiclesGroup: { vehicleIds: [id], sourceGroupId: id, destinationGroupId: id },
  createDriverToken: { createDriverTokenInput: {} },
  updateDriverToken: { tokenId: id, updateDriverTokenInput: {} },
  deleteDriverToken: { tokenId: id },
  createGeofence: { geofenceInput: {} },
  updateGeofence: { geofenceId: id, geofenceInput: {} },
  deleteGeofence: { geofenceId: id },
  createGroup: { createGroupInput: {} },
  updateGroup: { groupId: id, updateGroupInput: {} },
  deleteGroup: { groupId: id },
  createPerson: { personInput: {} },
  updatePerson: { personId: id, personInput: {} },
  deletePerson: { personId: id },
  setPersonCustomRoles: { personId: id, roleIds: [id] },
  updatePersonCustomField: { personId: id, field: {} },
  updateVehicle: { vehicleId: id, vehicleInput: {} },
  updateVehicleCustomField: { vehicleId: id, field: {} },
};

function makeClient() {
  const service = renamedService();
  const credentials = { username: 'demo', password: 'demo' };
  const fleet = new FleetClient({ baseUrl, credentials, fetch: service.fetch, clock: { now: () => moment } });
  return { ...service, fleet };
}

test('the service has no name that the contract does not have', () => {
  const schema = renamedSchema();
  expect(schema.getType('Gps')).toBeUndefined();
  expect(schema.getType('OtherGps')).toBeDefined();
  expect(schema.getType('Timestamp')).toBeUndefined();
  expect(schema.getType('TirePressureMap')).toHaveProperty('_fields.other_key');
});

test.each(Object.keys(operations) as OperationName[])('%s', async (name) => {
  const { fleet, refusals, answered } = makeClient();
  // TypeScript cannot call a method of a union of names.
  const method = fleet[name].bind(fleet) as unknown as (methodVariables: unknown) => Promise<unknown>;
  await method(variables[name] ?? {});
  expect(refusals).toEqual([]);
  expect(answered).toEqual([name]);
});

test('streams, trips, tracks and watches', async () => {
  const { fleet, refusals } = makeClient();
  const read = async (all: AsyncIterable<unknown>) => {
    for await (const one of all) if (['snapshot', 'checkpoint'].includes(Object(one).type)) break;
  };
  await read(fleet.streamSnapshots(period));
  await read(fleet.streamTrips(period));
  await read(tripsFrom(fleet.streamSnapshots(period)));
  await read(toGpx(fleet.streamSnapshots(period)));
  await read(fleet.watchStatus({ snapshot: true }));
  await read(fleet.watchGeofences({ snapshot: true }));
  const rules = [
    { on: 'geofence-exit', between: '22:00-06:00' },
    { on: 'low-battery', batteryBelow: 9 },
  ] as const;
  await read(fleet.watchEvents({ rules, since: period.from }));
  expect(refusals).toEqual([]);
});

describe('the command line', () => {
  const from = ['--from', '2026-03-02T08:00:00Z', '--to', '2026-03-02T09:00:00Z'];
  test.each([
    ['vehicles', 'list'],
    ['vehicles', 'get', id],
    ['vehicles', 'get', '--vin', 'x'],
    ['vehicles', 'types'],
    ['vehicles', 'fields', 'x'],
    ['vehicles', 'sensors', 'x'],
    ['vehicles', 'status'],
    ['devices', 'get', id],
    ['devices', 'get', '--serial', 'x'],
    ['drivers', 'assignments', '--vehicle', 'x'],
    ['drivers', 'assign', 'x', 'x', '--yes'],
    ['drivers', 'unassign', 'x', '--yes'],
    ['geofences', 'list'],
    ['geofences', 'get', 'x'],
    ['geofences', 'delete', 'x', '--yes'],
    ['groups', 'list'],
    ['people', 'list'],
    ['people', 'get', 'x'],
    ['people', 'fields', 'x'],
    ['people', 'set-roles', 'x', 'x'],
    ['labels', 'list'],
    ['roles', 'list'],
    ['sensors', 'list'],
    ['rules', 'list'],
    ['rules', 'get', 'x'],
    ['schedules', 'list'],
    ['schedules', 'get', 'x'],
    ['snapshots', 'latest'],
    ['snapshots', 'latest', 'x', '-o', 'geojson'],
    ['snapshots', 'list', 'x', ...from],
    ['snapshots', 'list', 'x', ...from, '-o', 'gpx'],
    ['trips', 'list', 'x', ...from],
    ['reports', 'list'],
    ['users', 'info'],
  ])('fleet %s %s', async (...words) => {
    const service = renamedService();
    const fleet = shellOf('demo', service.fetch);
    for (const output of words.includes('-o') ? [[]] : [[], ['-o', 'json']]) {
      const { code, stderr } = await fleet([...words, ...output], { terminal: output.length > 0 ? null : 200 });
      expect(service.refusals, stderr).toEqual([]);
      // This service always returns the same data, so it never has the new assignment.
      expect(code, stderr).toBe(words.includes('assign') ? 6 : 0);
    }
  });
});
