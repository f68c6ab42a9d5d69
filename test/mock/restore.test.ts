// Snapshots share nothing with the service, and invalid ones are refused.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MockService, ServiceSnapshot } from '../../src/mock/service.js';
import { recordsOf } from '../records-of.js';
import { answerOf, type Caller, caller, day, frozenService, nobody, noon } from './caller.js';

let service: MockService;
let demo: Caller;
let clean: ServiceSnapshot;
beforeAll(async () => {
  service = frozenService({ vehicles: 6 });
  demo = await caller(service.fetch);
  await demo.data('{ getRoles { id } }');
  clean = service.snapshot();
});
beforeEach(() => service.restore(clean));

type Row = Record<string, unknown>;
type Rows = Record<string, Row[]>;
interface Draft {
  readonly fleets: Record<string, Rows>;
}

const put = async (snapshot: unknown) => {
  const init = { method: 'PUT', body: JSON.stringify(snapshot) };
  const { status, text } = await answerOf(await service.fetch('http://mock.test/__mock/snapshot', init));
  return { status, error: text === '' ? '' : JSON.parse(text).error };
};
/** Returns an editable snapshot. */
const draft = (): { readonly draft: Draft; readonly fleet: Rows } => {
  const made: Draft = JSON.parse(JSON.stringify(service.snapshot()));
  const fleet = made.fleets['Demo Fleet'];
  if (fleet === undefined) throw new Error('the fleet is not there');
  return { draft: made, fleet };
};
const row = (fleet: Rows, table: string, place = 0): Row => {
  const found = fleet[table]?.[place];
  if (found === undefined) throw new Error(`no row ${place} of ${table}`);
  return found;
};
const names = async (): Promise<string[]> =>
  (await demo.data('{ getVehicles { name } }')).getVehicles.map(({ name }: { name: string }) => name);

describe('a snapshot shares nothing', () => {
  // Edits readonly members, as a careless test might.
  const editReadonly = (snapshot: object) => {
    const { fleets } = snapshot as Draft;
    const fleet = fleets['Demo Fleet'];
    if (fleet === undefined) throw new Error('the fleet is not there');
    row(fleet, 'vehicles').name = 'Defaced';
    fleet.vehicles?.splice(1);
    (row(fleet, 'geofences').geojson as Row).type = 'Defaced';
  };

  test('with the world it was taken of', async () => {
    const before = JSON.stringify(service.snapshot());
    editReadonly(service.snapshot());
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });

  test('with the world it was restored to, and not the lists that fleets have in common', async () => {
    const saved = service.snapshot();
    const before = JSON.stringify(saved);
    service.restore(saved);
    editReadonly(saved);
    expect(JSON.stringify(service.snapshot())).toBe(before);
    const { fleets } = service.snapshot();
    expect(fleets['North Fleet']?.vehicleFieldNames).not.toBe(fleets['Demo Fleet']?.vehicleFieldNames);
  });
});

test('a snapshot has every fleet by name, and restores those that it leaves out as they were built', () => {
  const fresh = frozenService({ vehicles: 6 });
  const { fleets, ...others } = fresh.snapshot();
  expect(Object.keys(fleets)).toEqual(['Demo Fleet', 'North Fleet', 'South Fleet', 'West Fleet']);
  const north = recordsOf(fresh, 'North Fleet');
  const vehicles = north.vehicles.map((vehicle) => ({ ...vehicle, name: `Edited ${vehicle.name}` }));
  fresh.restore({ ...others, fleets: { 'North Fleet': { ...north, vehicles } } });
  expect(fresh.snapshot().fleets).toEqual({ ...fleets, 'North Fleet': { ...north, vehicles } });
  fresh.restore({ ...others, fleets: {} });
  expect(fresh.snapshot()).toEqual({ ...others, fleets });
});

test('a snapshot of another service is refused, whatever its fleets are called', () => {
  const { fleets, ...others } = frozenService({ vehicles: 6, seed: 2 }).snapshot();
  expect(() => service.restore({ ...others, fleets })).toThrow('snapshot.seed must be 1, the seed of this service');
  const users = [{ username: 'odd', password: 'odd', entries: [{ fleet: '__proto__' }] }];
  const protoSnapshot = frozenService({ users }).snapshot();
  expect(Object.keys(protoSnapshot.fleets)).toEqual(['__proto__']);
  expect(() => service.restore(protoSnapshot)).toThrow('a fleet this service does not have: __proto__');
  expect(service.snapshot()).toEqual(clean);
});

describe('a snapshot that would break the service is refused, with its place, and nothing changes', () => {
  const cases: readonly (readonly [string, (fleet: Rows) => void, string])[] = [
    ['a row that is no object', (f) => f.vehicles?.splice(2, 1, 7 as never), 'vehicles[2] must be an object'],
    ['a missing member', (f) => delete row(f, 'vehicles').customFields, 'vehicles[0].customFields must be a list'],
    ['an unknown member', (f) => Object.assign(row(f, 'labels', 1), { colour: 'red' }), 'labels[1] cannot have "colour"'],
    ['a text that is none', (f) => Object.assign(row(f, 'people'), { email: 7 }), 'people[0].email must be a string'],
    ['null where it cannot be', (f) => Object.assign(row(f, 'groups'), { name: null }), 'groups[0].name must be a string'],
    ['a year that is no Int', (f) => Object.assign(row(f, 'vehicles'), { year: 2020.5 }), 'vehicles[0].year must be a whole number'],
    ['a version', (f) => Object.assign(row(f, 'roles'), { version: 0 }), 'roles[0].version must be a whole number from 1'],
    ['a time as text', (f) => Object.assign(row(f, 'tokens'), { createdAt: '2026-01-01T00:00:00Z' }), 'tokens[0].createdAt must be a time'],
    ['a time out of range', (f) => Object.assign(row(f, 'vehicles'), { updatedAt: 1e15 }), 'vehicles[0].updatedAt must be a time'],
    ['a kind', (f) => Object.assign(row(f, 'vehicles'), { kind: 'boat' }), 'vehicles[0].kind must be one of car, van, truck'],
    ['a region', (f) => Object.assign(row(f, 'vehicles'), { region: 'Atlantis' }), 'vehicles[0].region must be one of'],
    ['a part of a member', (f) => Object.assign(row(f, 'vehicles'), { customFields: [{ name: 'x' }] }), 'vehicles[0].customFields[0].value must be a string'],
    ['a list that is none', (f) => Object.assign(row(f, 'vehicles'), { groupIds: 'all' }), 'vehicles[0].groupIds must be a list'],
    ['a key as text', (f) => Object.assign(row(f, 'metaSensors'), { key: '1' }), 'metaSensors[0].key must be a whole number'],
    ['a geofence without a shape', (f) => Object.assign(row(f, 'geofences'), { geojson: { type: 'Polygon' } }), 'geofences[0].geojson is not GeoJSON'],
    ['a field name', (f) => f.personFieldNames?.push(7 as never), 'personFieldNames[3] must be a string'],
    ['a group nobody has', (f) => Object.assign(row(f, 'vehicles'), { groupIds: [nobody] }), "vehicles[0].groupIds[0] is not the id of one of the fleet's groups"],
    ['a driver nobody is', (f) => Object.assign(row(f, 'tokens'), { driverId: nobody }), "tokens[0].driverId is not the id of one of the fleet's people"],
    ['another fleet', (f) => Object.assign(row(f, 'people'), { fleetId: nobody }), 'people[0].fleetId must be the id of its fleet'],
    ['an id twice', (f) => f.labels?.push(row(f, 'labels')), 'labels[4].id is also the id of an earlier record'],
    ['a ring of groups', (f) => Object.assign(row(f, 'groups'), { parentId: row(f, 'groups', 1).id }), 'groups[0].parentId leads back'],
    ['an end before the start', (f) => Object.assign(row(f, 'assignments'), { endedAt: 0 }), 'assignments[0].endedAt must be after startedAt'],
    ['a missing list', (f) => delete f.rules, '.rules must be a list'],
  ]; // biome-ignore format: a table reads best in rows

  test.each(cases)('%s', async (_, spoil, place) => {
    const before = JSON.stringify(service.snapshot());
    const { draft: spoilt, fleet } = draft();
    spoil(fleet);
    const answer = await put(spoilt);
    expect(answer.status).toBe(400);
    expect(answer.error).toContain(place);
    expect(answer.error).toContain('Demo Fleet');
    // @ts-expect-error: no snapshot
    expect(() => service.restore(spoilt)).toThrow(TypeError);
    expect(JSON.stringify(service.snapshot())).toBe(before);
    await demo.data('{ getVehicles { id customFields { name } } getPeople { id } getGeofences { id geojson } }');
  });

  test('a message never repeats a value', async () => {
    const { draft: spoilt, fleet } = draft();
    Object.assign(row(fleet, 'tokens'), { value: ['sesame'] });
    const { status, error } = await put(spoilt);
    expect(status).toBe(400);
    expect(error).toContain('tokens[0].value must be a string');
    expect(error).not.toContain('sesame');
  });

  test('what only a program can hand over: holes, members that are undefined, shapes without JSON', () => {
    const spoilt = (change: (fleet: Rows) => void) => () => {
      const { draft: edited, fleet } = draft();
      change(fleet);
      // @ts-expect-error: no snapshot
      service.restore(edited);
    };
    expect(spoilt((fleet) => delete fleet.labels?.[1])).toThrow('labels[1] must be an object');
    expect(spoilt((fleet) => Object.assign(row(fleet, 'vehicles'), { vin: undefined }))).toThrow('vehicles[0].vin');
    const circle: Row = {};
    circle.self = circle;
    expect(spoilt((fleet) => Object.assign(row(fleet, 'geofences').geojson as Row, { bbox: circle }))).toThrow(
      'geofences[0].geojson cannot be written as JSON',
    );
  });
});

test('whatever mutations make of the world can be put back', async () => {
  const { getVehicles, getPeople, getGroups } = await demo.data(
    '{ getVehicles { id } getPeople { id isDriver isUser } getGroups { id parentId } }',
  );
  const driver = getPeople.find((person: { isDriver: boolean; isUser: boolean }) => person.isDriver && !person.isUser);
  const leaf = getGroups.find((group: { parentId: string | null }) => group.parentId !== null);
  await demo.data(
    `mutation ($v: UUID!, $d: UUID!, $g: UUID!, $from: DateTime!, $to: DateTime!, $json: JSON!) {
      assignDriver(assignDriverInput: { vehicleId: $v, driverId: $d, startTimestamp: $from, endTimestamp: $to })
      updateVehicle(vehicleId: $v, vehicleInput: { vin: null, year: null, labelIds: null, vehicleTypeId: null }) { id }
      createPerson(personInput: { firstName: "New" }) { id }
      createGroup(createGroupInput: { name: "New", parentId: $g }) { id }
      createGeofence(geofenceInput: { name: "New", geojson: $json, address: { city: "Tartu" } }) { id }
      deletePerson(personId: $d)
    }`,
    {
      v: getVehicles[0].id,
      d: driver.id,
      g: leaf.id,
      from: new Date(noon - 9 * day).toISOString(),
      to: '9999-12-31T23:59:59.999Z',
      json: { type: 'Point', coordinates: [26, 58] },
    },
  );
  const saved = service.snapshot();
  expect(await put(saved)).toEqual({ status: 204, error: '' });
  expect(service.snapshot()).toEqual(saved);
  expect(await names()).toHaveLength(6);
});
