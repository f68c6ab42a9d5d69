// Every method of the built SDK against the reference service over real HTTP.
import { type CustomField, FleetClient, type GetDriverAssignmentsInput, type OperationName } from 'fleet-telematics';
import { createMockService } from 'fleet-telematics/mock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../src/generated/operation-table.js';
import { clock } from '../moment.js';

const service = createMockService({ seed: 7, clock });
let server: Awaited<ReturnType<typeof service.listen>>;
let fleet: FleetClient;
const called = new Set<OperationName>();

beforeAll(async () => {
  server = await service.listen({ port: 0 });
});
beforeEach(() => {
  service.reset();
  const client = new FleetClient({
    baseUrl: server.url,
    credentials: { username: 'demo', password: 'demo' },
    hooks: {
      onRequest: ({ operations: names }) => {
        for (const name of names) called.add(name as OperationName);
      },
    },
  });
  fleet = client;
});
afterEach(() => fleet.close());
afterAll(() => server.close());

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('expected a value');
  return value;
}

async function someVehicle() {
  return present((await fleet.getActiveVehicles())[0]);
}
async function someDriver(position = 0) {
  return present((await fleet.getPeople()).filter((person) => person.isDriver)[position]);
}
const value = (fields: CustomField[], name: string) => fields.find((field) => field.name === name)?.value;
const hour = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

describe('vehicles', () => {
  test('getVehicles and getActiveVehicles differ by the deactivated ones', async () => {
    const all = await fleet.getVehicles();
    const active = await fleet.getActiveVehicles();
    expect(all).toHaveLength(25);
    expect(all.filter((vehicle) => !vehicle.deactivated).map((vehicle) => vehicle.id)).toEqual(
      active.map((vehicle) => vehicle.id),
    );
    expect(active.length).toBeLessThan(all.length);
    expect(all.every((vehicle) => vehicle.vin?.length === 17 && vehicle.name && vehicle.licensePlate)).toBe(true);
  });

  test('getVehicleById and getVehiclesByVin find the same vehicle as the list', async () => {
    const vehicle = await someVehicle();
    const id = present(vehicle.id);
    expect((await fleet.getVehicleById({ id }))?.name).toBe(vehicle.name);
    expect((await fleet.getVehiclesByVin({ vin: present(vehicle.vin) })).map((found) => found.id)).toEqual([id]);
    expect(await fleet.getVehicleById({ id: '00000000-0000-4000-8000-000000000000' })).toBeNull();
    expect(await fleet.getVehiclesByVin({ vin: 'NO-SUCH-VIN' })).toEqual([]);
  });

  test('getVehicleTypes lists the types vehicles have', async () => {
    const types = (await fleet.getVehicleTypes()).map((type) => type.id);
    for (const vehicle of await fleet.getVehicles()) expect(types).toContain(present(vehicle.vehicleType).id);
  });

  test('updateVehicle changes what is read, bumps version and updatedAt, and leaves the rest', async () => {
    const before = await someVehicle();
    const vehicleId = present(before.id);
    service.clock.advance(1000);
    const answer = await fleet.updateVehicle({ vehicleId, vehicleInput: { name: 'Renamed', licensePlate: 'XX 1' } });
    const after = present(await fleet.getVehicleById({ id: vehicleId }));
    expect(answer?.name).toBe('Renamed');
    expect(after).toMatchObject({ name: 'Renamed', licensePlate: 'XX 1', vin: before.vin, make: before.make });
    expect(after.version).not.toEqual(before.version);
    expect(after.updatedAt).not.toEqual(before.updatedAt);
    expect(after.createdAt).toEqual(before.createdAt);
  });

  test('getVehicleCustomFields and updateVehicleCustomField', async () => {
    const vehicleId = present((await someVehicle()).id);
    const field = await fleet.updateVehicleCustomField({ vehicleId, field: { name: 'Cost centre', value: '4711' } });
    expect(field).toEqual({ name: 'Cost centre', value: '4711' });
    expect(value(await fleet.getVehicleCustomFields({ vehicleId }), 'Cost centre')).toBe('4711');
    const vehicle = present(await fleet.getVehicleById({ id: vehicleId }));
    expect(
      value(
        present(vehicle.customFields).filter((row) => row !== null),
        'Cost centre',
      ),
    ).toBe('4711');
  });

  test('getVehicleMappedSensors and getMetaSensors', async () => {
    const sensors = await fleet.getVehicleMappedSensors({ vehicleId: present((await someVehicle()).id) });
    expect(sensors.length).toBeGreaterThan(0);
    expect(sensors.every((sensor) => sensor.name && sensor.source)).toBe(true);
    const meta = await fleet.getMetaSensors();
    expect(new Set(meta.map((sensor) => sensor.key)).size).toBe(meta.length);
    expect(meta.length).toBeGreaterThan(0);
  });
});

test('getDeviceById, getDevicesBySerial and the deprecated getDeviceBySerial agree', async () => {
  const vehicle = present((await fleet.getVehicles()).find((row) => present(row.assignedDevices).length > 0));
  const { id, serial } = present(present(vehicle.assignedDevices)[0]);
  const device = present(await fleet.getDeviceById({ id: present(id) }));
  expect(device.serial).toBe(serial);
  expect(await fleet.getDevicesBySerial({ serial: present(serial) })).toEqual([device]);
  expect(await fleet.getDeviceBySerial({ serial: present(serial) })).toEqual(device);
});

describe('groups', () => {
  test('createGroup, updateGroup, getGroups, deleteGroup', async () => {
    const parent = present((await fleet.getGroups())[0]);
    const created = present(
      await fleet.createGroup({ createGroupInput: { name: 'Night shift', parentId: parent.id, externalId: 'N-1' } }),
    );
    expect(created).toMatchObject({ name: 'Night shift', parentId: parent.id, externalId: 'N-1', vehicleIds: [] });
    const groupId = present(created.id);
    await fleet.updateGroup({ groupId, updateGroupInput: { description: 'after ten' } });
    expect((await fleet.getGroups()).find((group) => group.id === groupId)).toMatchObject({
      name: 'Night shift',
      description: 'after ten',
    });
    expect(await fleet.deleteGroup({ groupId })).toBe(true);
    expect((await fleet.getGroups()).some((group) => group.id === groupId)).toBe(false);
  });

  test('changeVehicleGroups and changeVehiclesGroup move vehicles between groups', async () => {
    const vehicleId = present((await someVehicle()).id);
    const make = async (name: string) => present(present(await fleet.createGroup({ createGroupInput: { name } })).id);
    const [first, second] = [await make('First'), await make('Second')];
    const members = async (id: string) => (await fleet.getGroups()).find((group) => group.id === id)?.vehicleIds;

    expect(await fleet.changeVehicleGroups({ vehicleId, changeVehicleGroupsInput: { addGroupIds: [first] } })).toEqual({
      vehicleId,
      addedGroupIds: [first],
      removedGroupIds: [],
    });
    expect(await members(first)).toEqual([vehicleId]);

    expect(
      await fleet.changeVehiclesGroup({ vehicleIds: [vehicleId], sourceGroupId: first, destinationGroupId: second }),
    ).toEqual([vehicleId]);
    expect(await members(first)).toEqual([]);
    expect(await members(second)).toEqual([vehicleId]);
    const vehicle = present(await fleet.getVehicleById({ id: vehicleId }));
    expect(present(vehicle.assignedGroups).map((group) => group?.id)).toContain(second);
  });

  test('changeGeofenceGroups reports what it did', async () => {
    const geofenceId = present((await fleet.getGeofences())[0]?.id);
    const groupId = present(present(await fleet.createGroup({ createGroupInput: { name: 'Depots' } })).id);
    const change = (input: object) =>
      fleet.changeGeofenceGroups({ geofenceId, changeGeofenceGroupsInput: { ...input } });
    expect(await change({ addGroupIds: [groupId] })).toEqual({
      geofenceId,
      addedGroupIds: [groupId],
      removedGroupIds: [],
    });
    expect(await change({ removeGroupIds: [groupId] })).toEqual({
      geofenceId,
      addedGroupIds: [],
      removedGroupIds: [groupId],
    });
  });
});

test('createGeofence, getGeofenceById, updateGeofence, getGeofences, deleteGeofence', async () => {
  const ring = [
    [25.28, 54.68],
    [25.3, 54.68],
    [25.3, 54.7],
    [25.28, 54.68],
  ];
  const geojson = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
  const created = present(
    await fleet.createGeofence({
      geofenceInput: { name: 'Yard', geojson, color: '#00ff00', address: { city: 'Vilnius' } },
    }),
  );
  const id = present(created.id);
  expect(created).toMatchObject({ name: 'Yard', geojson, color: '#00ff00', address: { city: 'Vilnius' } });
  await fleet.updateGeofence({ geofenceId: id, geofenceInput: { name: 'Old yard' } });
  expect(await fleet.getGeofenceById({ id })).toMatchObject({ name: 'Old yard', geojson, color: '#00ff00' });
  expect((await fleet.getGeofences()).some((geofence) => geofence.id === id)).toBe(true);
  expect(await fleet.deleteGeofence({ geofenceId: id })).toBe(true);
  expect(await fleet.getGeofenceById({ id })).toBeNull();
  expect((await fleet.getGeofences()).some((geofence) => geofence.id === id)).toBe(false);
});

describe('people', () => {
  test('createPerson, getPersonById, updatePerson, getPeople, deletePerson', async () => {
    const created = present(
      await fleet.createPerson({
        personInput: { firstName: 'Ada', lastName: 'Byron', isDriver: true, employeeId: 'E-1' },
      }),
    );
    const id = present(created.id);
    expect(created).toMatchObject({ firstName: 'Ada', lastName: 'Byron', isDriver: true, employeeId: 'E-1' });
    await fleet.updatePerson({ personId: id, personInput: { lastName: 'Lovelace' } });
    expect(await fleet.getPersonById({ id })).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
    expect((await fleet.getPeople()).some((person) => person.id === id)).toBe(true);
    expect(await fleet.deletePerson({ personId: id })).toBe(true);
    expect(await fleet.getPersonById({ id })).toBeNull();
    expect((await fleet.getPeople()).some((person) => person.id === id)).toBe(false);
  });

  test('getPersonCustomFields and updatePersonCustomField', async () => {
    const personId = present((await someDriver()).id);
    const field = { name: 'Shirt size', value: 'L' };
    expect(await fleet.updatePersonCustomField({ personId, field })).toEqual(field);
    expect(value(await fleet.getPersonCustomFields({ personId }), 'Shirt size')).toBe('L');
  });

  test('getRoles and setPersonCustomRoles', async () => {
    const roles = await fleet.getRoles();
    const role = present(roles.at(-1));
    const personId = present((await someDriver()).id);
    expect(await fleet.setPersonCustomRoles({ personId, roleIds: [present(role.id)] })).toBe(true);
    const person = present(await fleet.getPersonById({ id: personId }));
    expect(person.roles).toEqual([{ id: role.id, name: role.name }]);
  });

  test('createDriverToken, updateDriverToken, deleteDriverToken', async () => {
    const driverId = present((await someDriver()).id);
    const tokens = async () => present(present(await fleet.getPersonById({ id: driverId })).driverTokens);
    const created = present(await fleet.createDriverToken({ createDriverTokenInput: { driverId, value: 'CARD-1' } }));
    const tokenId = present(created.id);
    expect(created).toMatchObject({ driverId, value: 'CARD-1', isDeleted: false });
    expect(await tokens()).toContainEqual({ id: tokenId, value: 'CARD-1' });
    const updated = await fleet.updateDriverToken({ tokenId, updateDriverTokenInput: { value: 'CARD-2' } });
    expect(updated).toMatchObject({ id: tokenId, driverId, value: 'CARD-2' });
    expect(await tokens()).toContainEqual({ id: tokenId, value: 'CARD-2' });
    expect(await fleet.deleteDriverToken({ tokenId })).toBe(true);
    expect((await tokens()).map((token) => token?.id)).not.toContain(tokenId);
  });
});

test('assignDriver, getDriverAssignments, unassignDriver', async () => {
  const vehicleId = present((await someVehicle()).id);
  const [first, second] = [present((await someDriver(0)).id), present((await someDriver(1)).id)];
  const now = service.clock.now();
  const [begin, handover, end] = [at(now - 6 * hour), at(now - 2 * hour), at(now - hour)];
  const rows = async (input: GetDriverAssignmentsInput) =>
    (await fleet.getDriverAssignments({ input }))
      .map((row) => ({
        ...row,
        start: Date.parse(String(row.startedAt)),
        stop: row.endedAt && Date.parse(String(row.endedAt)),
      }))
      .filter((row) => row.start >= Date.parse(begin));

  expect(await fleet.assignDriver({ assignDriverInput: { vehicleId, driverId: first, startTimestamp: begin } })).toBe(
    true,
  );
  expect(await rows({ vehicleId })).toMatchObject([{ driverId: first, start: Date.parse(begin), stop: null }]);

  // The second driver takes over: the first assignment is shortened.
  await fleet.assignDriver({ assignDriverInput: { vehicleId, driverId: second, startTimestamp: handover } });
  const after = (await rows({ vehicleId })).sort((a, b) => a.start - b.start);
  expect(after).toMatchObject([
    { driverId: first, start: Date.parse(begin), stop: Date.parse(handover) },
    { driverId: second, start: Date.parse(handover), stop: null },
  ]);
  expect(await rows({ driverId: second, vehicleId })).toHaveLength(1);

  const wrong = fleet.unassignDriver({ unassignDriverInput: { vehicleId, driverId: first, timestamp: end } });
  await expect(wrong).rejects.toMatchObject({ code: 'GRAPHQL' });
  expect(await fleet.unassignDriver({ unassignDriverInput: { vehicleId, driverId: second, timestamp: end } })).toBe(
    true,
  );
  expect((await rows({ driverId: second })).map((row) => row.stop)).toContain(Date.parse(end));
  const none = fleet.unassignDriver({ unassignDriverInput: { vehicleId, timestamp: at(now - hour / 2) } });
  await expect(none).rejects.toMatchObject({ code: 'GRAPHQL' });
});

test('getSnapshots, getLatestSnapshots and lastData agree', async () => {
  const vehicle = present((await fleet.getActiveVehicles()).find((row) => row.lastData));
  const vehicleId = present(vehicle.id);
  const [latest] = await fleet.getLatestSnapshots({ vehicleIds: [vehicleId] });
  const newest = Date.parse(present(latest?.timestamp));
  const period = await fleet.getSnapshots({ vehicleId, from: at(newest - 24 * hour), to: new Date(newest) });
  expect(period.length).toBeGreaterThan(20);
  expect(period.every((row) => row.vehicleId === vehicleId)).toBe(true);
  const times = period.map((row) => Date.parse(present(row.timestamp)));
  expect(Math.max(...times)).toBe(newest);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(newest - 24 * hour);
  expect(period).toContainEqual(latest);
  expect(vehicle.lastData).toMatchObject({ timestamp: latest?.timestamp, gps: latest?.gps });
  expect(period.some((row) => row.canBus !== null && row.gps !== null)).toBe(true);
});

test('getLabels, getRules, getRuleById, getWorkSchedules, getWorkScheduleById, getUserInfo', async () => {
  const labels = (await fleet.getLabels()).map((label) => label.id);
  for (const vehicle of await fleet.getVehicles()) {
    for (const label of present(vehicle.assignedLabels)) expect(labels).toContain(label?.id);
  }

  const rule = present((await fleet.getRules())[0]);
  expect(await fleet.getRuleById({ id: present(rule.id) })).toEqual(rule);
  const geofences = (await fleet.getGeofences()).map((geofence) => geofence.id);
  for (const row of await fleet.getRules()) for (const id of present(row.geofenceIds)) expect(geofences).toContain(id);

  const schedules = await fleet.getWorkSchedules();
  expect(schedules.filter((schedule) => schedule.isDefault)).toHaveLength(1);
  const schedule = present(schedules[0]);
  expect(await fleet.getWorkScheduleById({ id: present(schedule.id) })).toEqual(schedule);
  expect(present(schedule.periods).length).toBeGreaterThan(0);

  const [user] = await fleet.listLoginUsers();
  expect(await fleet.getUserInfo()).toContainEqual(
    expect.objectContaining({ userId: user?.userId, userName: user?.userName, fleetName: user?.fleetName }),
  );
});

test('getWrappedReportInputs and getWrappedReport', async () => {
  const reports = await fleet.getWrappedReportInputs();
  expect(reports.map((report) => report.id)).toEqual(
    expect.arrayContaining(['vehicle-trips', 'vehicles', 'people-list']),
  );
  expect(await fleet.getWrappedReportInputs({ id: 'vehicles' })).toEqual(reports.filter(({ id }) => id === 'vehicles'));
  const report = present(await fleet.getWrappedReport({ input: { reportId: 'vehicles' } }));
  expect(report.reportId).toBe('vehicles');
  const names = (await fleet.getVehicles()).map((vehicle) => present(vehicle.name));
  for (const name of names) expect(JSON.stringify(report.report)).toContain(name);
});

test('every operation was called above', () => {
  expect(Object.keys(operations).filter((name) => !called.has(name as OperationName))).toEqual([]);
});
