// Contract rule 8: operations return only visible records. `limited` sees the group Deliveries.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService } from '../../src/mock/service.js';
import { recordsOf } from '../records-of.js';
import { type Caller, caller, day, frozenService, hour, iso, nobody, noon } from './caller.js';

let service: MockService;
let demo: Caller;
let limited: Caller;
let seen: Set<string>;
let hidden: { id: string; name: string; vin: string; serial: string; deviceId: string };
let shown: { id: string };

interface Row {
  readonly id: string;
  readonly name: string;
}

beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
  limited = await caller(service.fetch, 'limited');
  seen = new Set((await limited.data('{ getVehicles { id } }')).getVehicles.map(({ id }: Row) => id));
  const { getActiveVehicles } = await demo.data('{ getActiveVehicles { id name vin assignedDevices { id serial } } }');
  const other = getActiveVehicles.find(
    (row: { id: string; assignedDevices: unknown[] }) => !seen.has(row.id) && row.assignedDevices.length > 0,
  );
  hidden = { ...other, serial: other.assignedDevices[0].serial, deviceId: other.assignedDevices[0].id };
  shown = getActiveVehicles.find(({ id }: Row) => seen.has(id));
});

const v = () => ({ v: hidden.id });

test('lists: the vehicles of the group and the groups below it, active ones without the deactivated', async () => {
  const all = (await demo.data('{ getVehicles { id } }')).getVehicles.length;
  expect(seen.size).toBeGreaterThan(0);
  expect(seen.size).toBeLessThan(all);
  const { getGroups, getVehicles } = await limited.data(
    '{ getGroups { name vehicleIds } getVehicles { id assignedGroups { name } } }',
  );
  expect(getGroups.map(({ name }: Row) => name)).toEqual(['Deliveries', 'City deliveries', 'Regional deliveries']);
  for (const group of getGroups) for (const id of group.vehicleIds) expect(seen).toContain(id);
  for (const vehicle of getVehicles) for (const { name } of vehicle.assignedGroups) expect(name).toMatch(/eliveries/);
});

test('deactivated vehicles are in getVehicles and not in getActiveVehicles', async () => {
  const data = await demo.data('{ getVehicles { id deactivated } getActiveVehicles { id deactivated } }');
  const inactive = data.getVehicles.filter((row: { deactivated: boolean }) => row.deactivated);
  expect(inactive.length).toBeGreaterThan(0);
  expect(data.getActiveVehicles).toEqual(data.getVehicles.filter((row: { deactivated: boolean }) => !row.deactivated));
});

test('reads of one vehicle by any key return nothing, and no error that shows that it exists', async () => {
  const data = await limited.data(
    `query ($v: UUID!, $vin: String!, $serial: String!, $d: UUID!, $f: DateTime!, $t: DateTime!) {
      getVehicleById(id: $v) { id } getVehiclesByVin(vin: $vin) { id }
      getDeviceById(id: $d) { id } getDeviceBySerial(serial: $serial) { id } getDevicesBySerial(serial: $serial) { id }
      getVehicleCustomFields(vehicleId: $v) { name } getVehicleMappedSensors(vehicleId: $v) { name }
      getDriverAssignments(input: { vehicleId: $v }) { id }
      getLatestSnapshots(vehicleIds: [$v]) { timestamp } getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp }
    }`,
    { ...v(), vin: hidden.vin, serial: hidden.serial, d: hidden.deviceId, f: iso(noon - day), t: iso(noon) },
  );
  expect(data).toEqual({
    getVehicleById: null,
    getVehiclesByVin: [],
    getDeviceById: null,
    getDeviceBySerial: null,
    getDevicesBySerial: [],
    getVehicleCustomFields: null,
    getVehicleMappedSensors: null,
    getDriverAssignments: [],
    getLatestSnapshots: [],
    getSnapshots: [],
  });
});

test('nested relations, rules, assignments by driver and reports lead to nothing else either', async () => {
  const drivers = recordsOf(service).assignments.map(({ driverId }) => driverId);
  const text = JSON.stringify([
    await limited.data(
      '{ getGroups { assignedVehicles { id assignedGroups { assignedVehicles { id } } } } getRules { id vehicles { assignedVehicleIds assignedGroupIds } geofenceIds } }',
    ),
    await Promise.all(
      drivers
        .slice(0, 1)
        .map((d) =>
          limited.data('query ($d: UUID!) { getDriverAssignments(input: { driverId: $d }) { vehicleId } }', { d }),
        ),
    ),
    await limited.data('{ getWrappedReport(input: { reportId: "vehicles" }) { report } }'),
  ]);
  const { getVehicles } = await demo.data('{ getVehicles { id } }');
  for (const { id } of getVehicles) if (!seen.has(id)) expect(text).not.toContain(id);
  for (const id of seen) expect(text).toContain(id);
  const geofences = (await limited.data('{ getGeofences { id } }')).getGeofences.map(({ id }: Row) => id);
  const { getRules } = await limited.data('{ getRules { geofenceIds } }');
  for (const rule of getRules) for (const id of rule.geofenceIds) expect(geofences).toContain(id);
});

test('rules: those of its vehicles and groups, and those that are for all', async () => {
  const { getRules } = await limited.data('{ getRules { name vehicles { assignedToAll } } }');
  expect(getRules.map(({ vehicles }: { vehicles: { assignedToAll: boolean } }) => vehicles.assignedToAll)).toContain(
    true,
  );
});

test('people: those of the group and oneself; geofences: those of the group and those of everybody', async () => {
  const all = await demo.data('{ getPeople { id email } getGeofences { id type } }');
  const own = await limited.data('{ getPeople { id email } getGeofences { id type } }');
  expect(own.getPeople.length).toBeLessThan(all.getPeople.length);
  expect(own.getPeople.map(({ email }: { email: string }) => email)).toContain('limited@example.com');
  expect(new Set(own.getGeofences.map(({ type }: { type: string }) => type))).toEqual(new Set(['DEPOT', 'CUSTOMER']));
  const strangers = all.getPeople.filter((row: Row) => !own.getPeople.some(({ id }: Row) => id === row.id));
  expect(
    await limited.data(
      'query ($p: UUID!) { getPersonById(id: $p) { id } getPersonCustomFields(personId: $p) { name } }',
      { p: strangers[0].id },
    ),
  ).toEqual({
    getPersonById: null,
    getPersonCustomFields: null,
  });
});

describe('mutations', () => {
  const state = () => JSON.stringify(service.snapshot());

  test('on a hidden vehicle: the same error as for an id that does not exist, and nothing changes', async () => {
    const { groups } = recordsOf(service);
    const group = groups.find(({ name }) => name === 'City deliveries')?.id;
    const outside = groups.find(({ name }) => name === 'Long haul East')?.id;
    const { getPeople } = await limited.data('{ getPeople { id isDriver } }');
    const driver = getPeople.find((row: { isDriver: boolean }) => row.isDriver).id;
    const variables = { ...v(), group, outside, driver, mine: shown.id };
    const before = state();
    for (const [mutation, declared] of [
      ['updateVehicle(vehicleId: $v, vehicleInput: { name: "x" }) { id }', '$v: UUID!'],
      ['updateVehicleCustomField(vehicleId: $v, field: { name: "Cost centre", value: "1" }) { name }', '$v: UUID!'],
      ['assignDriver(assignDriverInput: { vehicleId: $v, driverId: $driver })', '$v: UUID!, $driver: UUID!'],
      ['unassignDriver(unassignDriverInput: { vehicleId: $v })', '$v: UUID!'],
      [
        'changeVehicleGroups(vehicleId: $v, changeVehicleGroupsInput: { addGroupIds: [$group] }) { vehicleId }',
        '$v: UUID!, $group: UUID!',
      ],
      [
        'changeVehicleGroups(vehicleId: $mine, changeVehicleGroupsInput: { addGroupIds: [$outside] }) { vehicleId }',
        '$mine: UUID!, $outside: UUID!',
      ],
      [
        'changeVehiclesGroup(vehicleIds: [$v], sourceGroupId: $outside, destinationGroupId: $group)',
        '$v: UUID!, $outside: UUID!, $group: UUID!',
      ],
      ['updateGroup(groupId: $outside, updateGroupInput: { name: "x" }) { id }', '$outside: UUID!'],
      ['deleteGroup(groupId: $outside)', '$outside: UUID!'],
    ]) {
      const answer = await limited(`mutation (${declared}) { ${mutation} }`, variables);
      expect(answer.errors[0]?.extensions.classification, mutation).toBe('NOT_FOUND');
    }
    expect(state()).toBe(before);
  });

  test("assigning a driver does not reach a hidden vehicle's assignment, nor does deleting the driver", async () => {
    const { getPeople } = await limited.data('{ getPeople { id isDriver } }');
    const driver = getPeople.find((row: { isDriver: boolean }) => row.isDriver).id;
    const assign =
      'mutation ($v: UUID!, $d: UUID!, $t: DateTime) { assignDriver(assignDriverInput: { vehicleId: $v, driverId: $d, startTimestamp: $t }) }';
    await demo.data(assign, { ...v(), d: driver, t: iso(noon - hour) });
    const before = state();
    const assigned = await limited(assign, { v: shown.id, d: driver });
    const deleted = await limited('mutation ($d: UUID!) { deletePerson(personId: $d) }', { d: driver });
    expect([assigned, deleted].map((answer) => answer.errors[0]?.extensions.classification)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ]);
    expect(state()).toBe(before);
  });

  test('what a limited user creates is theirs to see, and below their group', async () => {
    const made = await limited.data(
      'mutation ($g: JSON!) { createGroup(createGroupInput: { name: "Bikes" }) { id parentId } createPerson(personInput: { firstName: "Eve" }) { id } createGeofence(geofenceInput: { name: "Yard", geojson: $g }) { id } }',
      { g: { type: 'Point', coordinates: [25, 59] } },
    );
    const after = await limited.data('{ getGroups { id name } getPeople { id } getGeofences { id } }');
    const home = after.getGroups.find(({ name }: Row) => name === 'Deliveries').id;
    expect(made.createGroup.parentId).toBe(home);
    expect(after.getPeople.map(({ id }: Row) => id)).toContain(made.createPerson.id);
    expect(after.getGeofences.map(({ id }: Row) => id)).toContain(made.createGeofence.id);
  });

  test('the tree: the own group is neither moved nor deleted, and nothing is moved out of it', async () => {
    const { getGroups } = await limited.data('{ getGroups { id name } }');
    const id = (name: string) => getGroups.find((row: Row) => row.name === name).id;
    const before = state();
    for (const mutation of [
      `deleteGroup(groupId: "${id('Deliveries')}")`,
      `updateGroup(groupId: "${id('City deliveries')}", updateGroupInput: { parentId: null }) { id }`,
      `updateGroup(groupId: "${id('Deliveries')}", updateGroupInput: { parentId: "${id('City deliveries')}" }) { id }`,
    ]) {
      expect((await limited(`mutation { ${mutation} }`)).errors[0]?.extensions.classification, mutation).toBe(
        'FORBIDDEN',
      );
    }
    expect(state()).toBe(before);
  });

  test('a geofence that is shared with a group out of sight can be read but not changed', async () => {
    const { getGeofences } = await limited.data('{ getGeofences { id type } }');
    const own = getGeofences.find(({ type }: { type: string }) => type === 'CUSTOMER').id;
    const { getGroups } = await demo.data('{ getGroups { id name } }');
    const outOfSight = getGroups.find(({ name }: Row) => !/eliveries/.test(name)).id;
    await demo.data(
      `mutation ($g: UUID!, $input: ChangeGeofenceGroupsInput) {
        changeGeofenceGroups(geofenceId: $g, changeGeofenceGroupsInput: $input) { addedGroupIds }
      }`,
      { g: own, input: { addGroupIds: [outOfSight] } },
    );
    expect((await limited.data('{ getGeofences { id } }')).getGeofences.map(({ id }: Row) => id)).toContain(own);
    const { errors } = await limited(
      'mutation ($g: UUID!) { updateGeofence(geofenceId: $g, geofenceInput: { name: "x" }) { name } }',
      { g: own },
    );
    expect(errors[0]?.extensions.classification).toBe('FORBIDDEN');
  });

  test('a geofence of everybody can be read but not changed', async () => {
    const { getGeofences } = await limited.data('{ getGeofences { id type } }');
    const shared = getGeofences.find(({ type }: { type: string }) => type === 'DEPOT').id;
    const own = getGeofences.find(({ type }: { type: string }) => type === 'CUSTOMER').id;
    const rename = (g: string) =>
      limited('mutation ($g: UUID!) { updateGeofence(geofenceId: $g, geofenceInput: { name: "x" }) { name } }', { g });
    expect((await rename(shared)).errors[0]?.extensions.classification).toBe('FORBIDDEN');
    expect((await rename(own)).data.updateGeofence.name).toBe('x');
    expect((await rename(nobody)).errors[0]?.extensions.classification).toBe('NOT_FOUND');
  });
});

test("another fleet's records are never visible, by id either", async () => {
  const north = await caller(service.fetch, 'multi', 0);
  const south = await caller(service.fetch, 'multi', 1);
  const all =
    '{ getVehicles { id } getPeople { id } getGeofences { id } getGroups { id } getRules { id } getWorkSchedules { id } }';
  const [a, b, c] = [await north.data(all), await south.data(all), await demo.data(all)];
  const ids = (data: Record<string, Row[]>) => Object.values(data).flatMap((rows) => rows.map(({ id }) => id));
  const every = [...ids(a), ...ids(b), ...ids(c)];
  expect(new Set(every).size).toBe(every.length);
  const query =
    'query ($v: UUID!, $p: UUID!, $g: UUID!, $r: UUID!, $w: UUID!) { getVehicleById(id: $v) { id } getPersonById(id: $p) { id } getGeofenceById(id: $g) { id } getRuleById(id: $r) { id } getWorkScheduleById(id: $w) { id } }';
  const variables = {
    v: b.getVehicles[0].id,
    p: b.getPeople[0].id,
    g: b.getGeofences[0].id,
    r: b.getRules[0].id,
    w: b.getWorkSchedules[0].id,
  };
  expect(Object.values(await north.data(query, variables))).toEqual([null, null, null, null, null]);
  expect(Object.values(await south.data(query, variables))).not.toContain(null);
});
