// Creating, changing and deleting records: versions, required members, refusals, cascades.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService } from '../../src/mock/service.js';
import { type Answer, type Caller, caller, frozenService, iso, nobody, noon } from './caller.js';

let service: MockService;
let demo: Caller;
beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
});

const state = () => JSON.stringify(service.snapshot());
const classOf = (answer: Answer) => answer.errors[0]?.extensions.classification;
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [25, 59],
      [25.1, 59],
      [25.1, 59.1],
      [25, 59],
    ],
  ],
};

async function refused(
  classification: string,
  mutation: string,
  variables: object = {},
  declared = '',
): Promise<Answer> {
  await demo.data('{ getVehicles { id } getPeople { id } getGroups { id } getRules { id } }');
  const before = state();
  const answer = await demo(`mutation ${declared === '' ? '' : `(${declared})`} { ${mutation} }`, variables);
  expect(classOf(answer), mutation).toBe(classification);
  expect(state()).toBe(before);
  return answer;
}

test('a change bumps version and updatedAt, clears what is null and leaves what is absent', async () => {
  const { getVehicles } = await demo.data('{ getVehicles { id version updatedAt createdAt name make model } }');
  const [before] = getVehicles;
  service.clock.advance(5000);
  await demo.data(
    'mutation ($v: UUID!) { updateVehicle(vehicleId: $v, vehicleInput: { make: null, name: "New" }) { id } }',
    { v: before.id },
  );
  const { getVehicleById: after } = await demo.data(
    'query ($v: UUID!) { getVehicleById(id: $v) { id version updatedAt createdAt name make model } }',
    { v: before.id },
  );
  expect(after).toEqual({
    ...before,
    name: 'New',
    make: null,
    version: before.version + 1,
    updatedAt: iso(noon + 5000),
  });
});

describe('updateVehicle', () => {
  test('sets type, schedule, labels and activity; refuses what does not exist', async () => {
    const data = await demo.data(
      '{ getActiveVehicles { id } getVehicleTypes { id } getWorkSchedules { id } getLabels { id } }',
    );
    const v = data.getActiveVehicles[0].id;
    const declared = '$v: UUID!, $i: VehicleInput!';
    const mutation =
      'updateVehicle(vehicleId: $v, vehicleInput: $i) { deactivated vehicleType { id } workSchedule { id } assignedLabels { id } }';
    const i = {
      vehicleTypeId: data.getVehicleTypes[2].id,
      workScheduleId: data.getWorkSchedules[1].id,
      labelIds: [data.getLabels[1].id],
      deactivated: true,
    };
    expect((await demo.data(`mutation (${declared}) { ${mutation} }`, { v, i })).updateVehicle).toEqual({
      deactivated: true,
      vehicleType: { id: i.vehicleTypeId },
      workSchedule: { id: i.workScheduleId },
      assignedLabels: [{ id: i.labelIds[0] }],
    });
    expect(
      (await demo.data('{ getActiveVehicles { id } }')).getActiveVehicles.map(({ id }: { id: string }) => id),
    ).not.toContain(v);
    for (const wrong of [{ vehicleTypeId: nobody }, { workScheduleId: nobody }, { labelIds: [nobody] }]) {
      await refused('NOT_FOUND', mutation, { v, i: wrong }, declared);
    }
    for (const wrong of [{ name: null }, { name: ' ' }, { year: 1492 }])
      await refused('BAD_REQUEST', mutation, { v, i: wrong }, declared);
  });
});

describe('groups', () => {
  test('cycles and deleting a group with groups below it are refused', async () => {
    const { getGroups } = await demo.data('{ getGroups { id name parentId } }');
    const parent = getGroups.find(({ name }: { name: string }) => name === 'Deliveries').id;
    const child = getGroups.find(({ name }: { name: string }) => name === 'City deliveries').id;
    const move = 'updateGroup(groupId: $g, updateGroupInput: { parentId: $p }) { id }';
    await refused('BAD_REQUEST', move, { g: parent, p: child }, '$g: UUID!, $p: UUID');
    await refused('BAD_REQUEST', move, { g: parent, p: parent }, '$g: UUID!, $p: UUID');
    await refused('NOT_FOUND', move, { g: parent, p: nobody }, '$g: UUID!, $p: UUID');
    await refused('BAD_REQUEST', 'deleteGroup(groupId: $g)', { g: parent }, '$g: UUID!');
    await refused('BAD_REQUEST', 'createGroup(createGroupInput: {}) { id }');
  });

  test('a deleted group leaves its vehicles, rules and lists', async () => {
    const { getGroups } = await demo.data('{ getGroups { id name vehicleIds } }');
    const group = getGroups.find(({ name }: { name: string }) => name === 'Field service');
    expect(group.vehicleIds.length).toBeGreaterThan(0);
    expect(await demo.data('mutation ($g: UUID!) { deleteGroup(groupId: $g) }', { g: group.id })).toEqual({
      deleteGroup: true,
    });
    const after = await demo.data(
      '{ getGroups { id } getVehicles { assignedGroups { id } } getRules { vehicles { assignedGroupIds } } }',
    );
    expect(JSON.stringify(after)).not.toContain(group.id);
  });

  test('joining and leaving bumps the vehicle and the groups; moving is all or none', async () => {
    const data = await demo.data('{ getGroups { id name version vehicleIds } }');
    const of = (name: string) => data.getGroups.find((row: { name: string }) => row.name === name);
    const [from, to] = [of('City deliveries'), of('Regional deliveries')];
    const move = 'changeVehiclesGroup(vehicleIds: $v, sourceGroupId: $s, destinationGroupId: $d)';
    const declared = '$v: [UUID!]!, $s: UUID!, $d: UUID!';
    await refused('BAD_REQUEST', move, { v: [from.vehicleIds[0], to.vehicleIds[0]], s: from.id, d: to.id }, declared);
    await refused('BAD_REQUEST', move, { v: from.vehicleIds, s: from.id, d: from.id }, declared);
    const moved = await demo.data(`mutation (${declared}) { ${move} }`, { v: from.vehicleIds, s: from.id, d: to.id });
    expect(moved.changeVehiclesGroup).toEqual(from.vehicleIds);
    const after = (await demo.data('{ getGroups { id version vehicleIds } }')).getGroups;
    expect(after.find(({ id }: { id: string }) => id === from.id).vehicleIds).toEqual([]);
    expect(after.find(({ id }: { id: string }) => id === to.id).vehicleIds.sort()).toEqual(
      [...from.vehicleIds, ...to.vehicleIds].sort(),
    );
    expect(after.find(({ id }: { id: string }) => id === to.id).version).toBeGreaterThan(to.version);
    const nothing = await demo.data(
      'mutation ($v: UUID!) { changeVehicleGroups(vehicleId: $v) { vehicleId addedGroupIds removedGroupIds } }',
      { v: from.vehicleIds[0] },
    );
    expect(nothing.changeVehicleGroups).toEqual({
      vehicleId: from.vehicleIds[0],
      addedGroupIds: [],
      removedGroupIds: [],
    });
  });
});

describe('geofences', () => {
  const create = 'createGeofence(geofenceInput: $i) { id name geojson address { city country } }';

  test('wants a name and sound GeoJSON', async () => {
    const i = { name: 'Yard', geojson: square, address: { city: 'Tallinn' } };
    const { createGeofence } = await demo.data(`mutation ($i: CreateGeofenceInput!) { ${create} }`, { i });
    expect(createGeofence).toMatchObject({
      name: 'Yard',
      geojson: square,
      address: { city: 'Tallinn', country: null },
    });
    const open = { type: 'Polygon', coordinates: [square.coordinates[0]?.slice(0, 3).concat([[25.2, 59.2]])] };
    for (const wrong of [
      { geojson: square },
      { name: 'x' },
      { name: 'x', geojson: {} },
      { name: 'x', geojson: open },
      { name: 'x', geojson: { type: 'Point', coordinates: [59, 181] } },
      { name: 'x', geojson: { type: 'Polygon', coordinates: [] } },
    ]) {
      await refused('BAD_REQUEST', create, { i: wrong }, '$i: CreateGeofenceInput!');
    }
    for (const wrong of ['text', [1], 5])
      await refused('ValidationError', create, { i: { name: 'x', geojson: wrong } }, '$i: CreateGeofenceInput!');
  });

  test('every seeded geofence is sound: closed rings around real places', async () => {
    const { getGeofences } = await demo.data('{ getGeofences { geojson } }');
    expect(getGeofences.length).toBeGreaterThan(5);
    for (const { geojson } of getGeofences) {
      const copy = await demo.data(`mutation ($i: CreateGeofenceInput!) { ${create} }`, {
        i: { name: 'Copy', geojson },
      });
      expect(copy.createGeofence.geojson).toEqual(geojson);
    }
  });

  test('a deleted geofence is gone from lists, by id and from rules', async () => {
    const { getRules } = await demo.data('{ getRules { geofenceIds } }');
    const g = getRules.find((rule: { geofenceIds: string[] }) => rule.geofenceIds.length > 0).geofenceIds[0];
    expect(await demo.data('mutation ($g: UUID!) { deleteGeofence(geofenceId: $g) }', { g })).toEqual({
      deleteGeofence: true,
    });
    const after = await demo.data(
      'query ($g: UUID!) { getGeofenceById(id: $g) { id } getGeofences { id } getRules { geofenceIds } }',
      { g },
    );
    expect(after.getGeofenceById).toBeNull();
    expect(JSON.stringify(after)).not.toContain(g);
    await refused('NOT_FOUND', 'deleteGeofence(geofenceId: $g)', { g }, '$g: UUID!');
  });
});

describe('people', () => {
  test('want a name; an e-mail address has to be one; roles have to exist', async () => {
    const create = 'createPerson(personInput: $i) { id }';
    for (const i of [{}, { firstName: ' ' }, { firstName: 'A', email: 'nowhere' }]) {
      await refused('BAD_REQUEST', create, { i }, '$i: CreatePersonInput!');
    }
    const { getPeople, getRoles } = await demo.data('{ getPeople { id } getRoles { id } }');
    const roles = 'setPersonCustomRoles(personId: $p, roleIds: $r)';
    await refused('NOT_FOUND', roles, { p: getPeople[3].id, r: [getRoles[0].id, nobody] }, '$p: UUID!, $r: [UUID]!');
    await refused('BAD_REQUEST', roles, { p: getPeople[3].id, r: [null] }, '$p: UUID!, $r: [UUID]!');
    await refused('NOT_FOUND', roles, { p: nobody, r: [] }, '$p: UUID!, $r: [UUID]!');
  });

  test('some are drivers, some users, some both; a busy driver stays one; nobody deletes themselves', async () => {
    const { getPeople } = await demo.data('{ getPeople { id isDriver isUser globalUserId driverTokens { id } } }');
    const kinds = new Set(
      getPeople.map((row: { isDriver: boolean; isUser: boolean }) => `${row.isDriver}/${row.isUser}`),
    );
    expect(kinds).toEqual(new Set(['true/false', 'true/true', 'false/true']));
    const busy = getPeople.find((row: { driverTokens: unknown[] }) => row.driverTokens.length > 0).id;
    await refused(
      'BAD_REQUEST',
      'updatePerson(personId: $p, personInput: { isDriver: false }) { id }',
      { p: busy },
      '$p: UUID!',
    );
    const self = getPeople.find((row: { globalUserId: string }) => row.globalUserId === demo.user.userId).id;
    await refused('BAD_REQUEST', 'deletePerson(personId: $p)', { p: self }, '$p: UUID!');
  });

  test('custom fields: the ones the fleet defines; null clears a value; strict: false lets any name pass', async () => {
    const { getPeople } = await demo.data('{ getPeople { id } }');
    const p = getPeople[2].id;
    const set = 'updatePersonCustomField(personId: $p, field: $f) { name value }';
    const declared = '$p: UUID!, $f: CustomFieldInput!';
    const cleared = await demo.data(`mutation (${declared}) { ${set} }`, { p, f: { name: 'Shift', value: null } });
    expect(cleared.updatePersonCustomField).toEqual({ name: 'Shift', value: null });
    await refused('NOT_FOUND', set, { p, f: { name: 'Favourite colour', value: 'red' } }, declared);
    await refused('BAD_REQUEST', set, { p, f: { value: 'red' } }, declared);
    const loose = await caller(frozenService({ strict: false }).fetch);
    const added = await loose.data(`mutation (${declared}) { ${set} }`, {
      p,
      f: { name: 'Favourite colour', value: 'red' },
    });
    expect(added.updatePersonCustomField.value).toBe('red');
  });

  test('a token value is unique among the live tokens of the fleet, and only drivers have tokens', async () => {
    const { getPeople } = await demo.data('{ getPeople { id isDriver driverTokens { id value } } }');
    const owner = getPeople.find((row: { driverTokens: unknown[] }) => row.driverTokens.length > 0);
    const [other] = getPeople.filter((row: { id: string; isDriver: boolean }) => row.isDriver && row.id !== owner.id);
    const clerk = getPeople.find((row: { isDriver: boolean }) => !row.isDriver);
    const [{ id, value }] = owner.driverTokens;
    const create = 'createDriverToken(createDriverTokenInput: $i) { id version lastScanTimestamp }';
    const declared = '$i: CreateDriverTokenInput!';
    await refused('BAD_REQUEST', create, { i: { driverId: other.id, value } }, declared);
    await refused('BAD_REQUEST', create, { i: { driverId: clerk.id, value: 'NEW' } }, declared);
    await refused('BAD_REQUEST', create, { i: { driverId: other.id } }, declared);
    expect(await demo.data('mutation ($t: UUID!) { deleteDriverToken(tokenId: $t) }', { t: id })).toEqual({
      deleteDriverToken: true,
    });
    const reused = await demo.data(`mutation (${declared}) { ${create} }`, { i: { driverId: other.id, value } });
    expect(reused.createDriverToken).toMatchObject({ version: 1, lastScanTimestamp: null });
  });
});

test('mutations on ids that do not exist: NOT_FOUND; reads: null', async () => {
  for (const mutation of [
    `updateVehicle(vehicleId: "${nobody}", vehicleInput: {}) { id }`,
    `updateGeofence(geofenceId: "${nobody}", geofenceInput: {}) { id }`,
    `changeGeofenceGroups(geofenceId: "${nobody}") { geofenceId }`,
    `updateGroup(groupId: "${nobody}", updateGroupInput: {}) { id }`,
    `updatePerson(personId: "${nobody}", personInput: {}) { id }`,
    `deletePerson(personId: "${nobody}")`,
    `updateDriverToken(tokenId: "${nobody}", updateDriverTokenInput: {}) { id }`,
    `deleteDriverToken(tokenId: "${nobody}")`,
  ]) {
    await refused('NOT_FOUND', mutation);
  }
  const reads = await demo.data(
    `{ getVehicleById(id: "${nobody}") { id } getPersonById(id: "${nobody}") { id } getGeofenceById(id: "${nobody}") { id } getRuleById(id: "${nobody}") { id } getWorkScheduleById(id: "${nobody}") { id } getDeviceById(id: "${nobody}") { id } }`,
  );
  expect(new Set(Object.values(reads))).toEqual(new Set([null]));
});

test('unknown keys of inputs are refused, and dropped with strict: false', async () => {
  const literal = 'createGroup(createGroupInput: { name: "A", colour: "red" }) { name }';
  const mutation = 'mutation ($i: CreateGroupInput!) { createGroup(createGroupInput: $i) { name } }';
  const i = { name: 'B', colour: 'red' };
  await refused('ValidationError', literal);
  expect(classOf(await demo(mutation, { i }))).toBe('ValidationError');
  const loose = await caller(frozenService({ strict: false }).fetch);
  expect(await loose.data(`mutation { ${literal} }`)).toEqual({ createGroup: { name: 'A' } });
  expect(await loose.data(mutation, { i })).toEqual({ createGroup: { name: 'B' } });
});

test('timestamps as numbers, by option; DateTime fields stay text', async () => {
  const { fetch } = frozenService({ timestamps: 'number' });
  const { getVehicles } = await (await caller(fetch)).data('{ getVehicles { createdAt lastData { timestamp } } }');
  expect(getVehicles[0].createdAt).toEqual(expect.any(Number));
  expect(Number.isNaN(Date.parse(getVehicles[0].lastData.timestamp))).toBe(false);
});

test('the seeded fleet: sound VINs, one vehicle without a device, one in no group, names that share a part', async () => {
  const { getVehicles } = await demo.data(
    '{ getVehicles { id name vin assignedDevices { id } assignedGroups { id } lastData { timestamp } } }',
  );
  expect(getVehicles).toHaveLength(25);
  const values = Object.fromEntries(
    [...'ABCDEFGHJKLMNPRSTUVWXYZ'].map((letter, i) => [letter, Number('12345678123457923456789'[i])]),
  );
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  for (const { vin } of getVehicles) {
    const sum = [...vin].reduce(
      (total, letter, i) => total + (values[letter] ?? Number(letter)) * (weights[i] ?? 0),
      0,
    );
    expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/);
    expect(vin[8]).toBe(sum % 11 === 10 ? 'X' : String(sum % 11));
  }
  const bare = getVehicles.filter((row: { assignedDevices: unknown[] }) => row.assignedDevices.length === 0);
  expect(bare).toHaveLength(1);
  expect(bare[0].lastData).toBeNull();
  expect(getVehicles.some((row: { assignedGroups: unknown[] }) => row.assignedGroups.length === 0)).toBe(true);
  expect(getVehicles.filter(({ name }: { name: string }) => name.includes('Van')).length).toBeGreaterThan(1);
});
