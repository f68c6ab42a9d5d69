// `select` through the SDK's public API against the reference service: requests, results, errors.
import { describe, expect, test } from 'vitest';
import { type Fetch, InvalidInputError } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { countRuns, makeClient, makeService, rejection, statusesOf } from '../../request/setup.js';

/** Returns a client and the documents that it sends. */
function clientWithDocuments(service: MockService = makeService()) {
  const documents: string[] = [];
  const fetch: Fetch = (url, init) => {
    if (url.endsWith('/graphql')) documents.push(JSON.parse(init.body ?? '{}').query);
    return service.fetch(url, init);
  };
  return { service, documents, fleet: makeClient(service, { fetch }) };
}

describe('what comes back', () => {
  test('a list of slim rows, with the values the default selection has', async () => {
    const { fleet, documents } = clientWithDocuments();
    const slim = await fleet.getVehicles({}, { select: { id: true, lastData: { gps: { speed: true } } } });
    const whole = await fleet.getVehicles();
    expect(slim).toEqual(
      whole.map(({ id, lastData }) => ({ id, lastData: lastData && { gps: { speed: lastData.gps?.speed } } })),
    );
    expect(documents[0]).toBe('query getVehicles { getVehicles { id lastData { gps { speed } } } }');
  });

  test('a single record, or null', async () => {
    const { fleet } = clientWithDocuments();
    const [first] = await fleet.getVehicles();
    const id = first?.id ?? '';
    expect(await fleet.getVehicleById({ id }, { select: { vin: true } })).toEqual({ vin: first?.vin });
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await fleet.getVehicleById({ id: nobody }, { select: { vin: true } })).toBeNull();
  });

  test('what a mutation returns', async () => {
    const { fleet, service } = clientWithDocuments();
    const group = await fleet.createGroup({ createGroupInput: { name: 'North' } }, { select: { name: true } });
    expect(group).toEqual({ name: 'North' });
    expect(countRuns(service, 'createGroup')).toBe(1);
  });

  test('nested lists, row by row', async () => {
    const { fleet } = clientWithDocuments();
    const groups = await fleet.getGroups({}, { select: { assignedVehicles: { name: true }, vehicleIds: true } });
    const names = new Map((await fleet.getVehicles()).map(({ id, name }) => [id, name]));
    expect(groups.some(({ vehicleIds }) => vehicleIds?.length)).toBe(true);
    for (const { assignedVehicles, vehicleIds } of groups) {
      expect(assignedVehicles).toEqual(vehicleIds?.map((id) => ({ name: names.get(id) })));
    }
  });

  test('null rows of a nested list stay where the service put them', async () => {
    const service = makeService();
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/graphql')
        ? Response.json({ data: { getVehicles: [null, { assignedGroups: [null, { id: '1' }] }] } })
        : service.fetch(url, init);
    const rows = await makeClient(service, { fetch }).getVehicles({}, { select: { assignedGroups: { id: true } } });
    expect(rows).toEqual([{ assignedGroups: [null, { id: '1' }] }]);
  });

  test('latestData, which is in no default selection', async () => {
    const { fleet } = clientWithDocuments();
    const rows = await fleet.getActiveVehicles(
      {},
      { select: { latestData: { odometer: true, gps: { speed: true } } } },
    );
    const found = rows.flatMap(({ latestData }) => latestData ?? []);
    expect(found.length).toBeGreaterThan(0);
    for (const latestData of found) {
      expect(Object.keys(latestData)).toEqual(['gps', 'odometer']);
      expect(Object.keys(latestData.odometer ?? {})).toEqual(['value', 'timestamp']);
    }
  });

  test("a snapshot's vehicle", async () => {
    const { fleet } = clientWithDocuments();
    const [first] = await fleet.getVehicles();
    const vehicleId = first?.id ?? '';
    const select = { vehicle: { name: true } } as const;
    expect(await fleet.getLatestSnapshots({ vehicleIds: [vehicleId] }, { select })).toEqual([
      { vehicle: { name: first?.name } },
    ]);
    const period = { vehicleId, from: '2026-03-01T00:00:00Z', to: '2026-03-01T12:00:00Z' };
    const rows = await fleet.getSnapshots(period, { select });
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ vehicle }) => vehicle?.name))).toEqual(new Set([first?.name]));
  });
});

describe('what is selected', () => {
  test('true stands for the plain fields, at the root and below', async () => {
    const { fleet } = clientWithDocuments();
    const [row] = await fleet.getVehicleTypes({}, { select: true });
    expect(Object.keys(row ?? {})).toEqual(['id', 'name']);
    const [vehicle] = await fleet.getVehicles({}, { select: { lastData: true } });
    expect(Object.keys(vehicle?.lastData ?? {})).toEqual([
      'vehicleId',
      'timestamp',
      'locationTimestamp',
      'locationTimeZone',
    ]);
  });

  test('false and undefined stand for nothing, and so does no select at all', async () => {
    const { fleet, documents } = clientWithDocuments();
    await fleet.getLabels({}, { select: { id: true, name: false, fleetId: undefined } });
    await fleet.getLabels({}, { select: undefined });
    await fleet.getLabels();
    expect(documents[0]).toBe('query getLabels { getLabels { id } }');
    expect(documents[1]).toBe(documents[2]);
    expect(documents[1]).toContain('...LabelFields');
  });

  test('the same fields in another order are the same document', async () => {
    const { fleet, documents } = clientWithDocuments();
    await fleet.getVehicles(
      {},
      { select: { name: true, lastData: { gps: { speed: true, altitude: true } }, id: true } },
    );
    await fleet.getVehicles(
      {},
      { select: { id: true, name: true, lastData: { gps: { altitude: true, speed: true } } } },
    );
    expect(documents[0]).toBe(documents[1]);
  });

  test('an object that is changed between two calls counts as it is then', async () => {
    const { fleet } = clientWithDocuments();
    const select: { id: boolean; name?: boolean } = { id: true };
    expect(Object.keys((await fleet.getLabels({}, { select }))[0] ?? {})).toEqual(['id']);
    select.name = true;
    expect(Object.keys((await fleet.getLabels({}, { select }))[0] ?? {})).toEqual(['id', 'name']);
  });

  test('variables, partial and timeouts work as ever', async () => {
    const { fleet, documents } = clientWithDocuments();
    const [first] = await fleet.getVehicles();
    const options = { select: { id: true }, timeoutMs: 5000, partial: true } as const;
    expect(await fleet.getVehiclesByVin({ vin: first?.vin ?? '' }, options)).toEqual([{ id: first?.id }]);
    expect(documents[1]).toBe('query getVehiclesByVin($vin: String!) { getVehiclesByVin(vin: $vin) { id } }');
    expect(await rejection(fleet.getVehiclesByVin({} as never, options))).toBeInstanceOf(InvalidInputError);
  });

  test('selections travel together, each caller with its own', async () => {
    const { fleet, service } = clientWithDocuments();
    const ids = (await fleet.getVehicles()).map(({ id }) => id ?? '');
    service.clearRequests();
    const [names, plates, whole, types] = await Promise.all([
      Promise.all(ids.map((id) => fleet.getVehicleById({ id }, { select: { name: true } }))),
      Promise.all(ids.map((id) => fleet.getVehicleById({ id }, { select: { licensePlate: true } }))),
      fleet.getVehicles(),
      fleet.getVehicleTypes({}, { select: { id: true } }),
    ]);
    expect(statusesOf(service, '/graphql')).toEqual([200]);
    expect(names).toEqual(whole.map(({ name }) => ({ name })));
    expect(plates).toEqual(whole.map(({ licensePlate }) => ({ licensePlate })));
    expect(Object.keys(types[0] ?? {})).toEqual(['id']);
  });
});

describe('what is refused before anything is sent', () => {
  const { fleet, documents } = clientWithDocuments();
  const circle: { vehicle?: unknown } = {};
  circle.vehicle = { lastData: circle };

  test.each<[string, unknown, RegExp]>([
    ['a slip', { lastData: { gps: { sped: true } } }, /cannot select lastData\.gps\.sped: Gps .*Did you mean speed\?/],
    ['another spelling', { licencePlate: true }, /Did you mean licensePlate\?/],
    ['a part of the name', { odometer: true }, /Did you mean lastOdometer\?/],
    ['a field of a record below', { latitude: true }, /Did you mean .*lastData\.gps\.latitude/],
    ['nothing like any field', { lastData: { gps: { qqqqqq: true } } }, /It has state, latitude, .* hdop\./],
    ['a slip that is switched off', { nam: false, id: true }, /Did you mean name\?/],
    ['what every object has', { constructor: true }, /no such field/],
    ['__typename', { __typename: true }, /no such field/],
    ['a key that is no name', { 'id } hunter2 {': true }, /\(a key that is not a name\)/],
    ['nothing', {}, /nothing of it is selected\. It has id, .* and \d+ more|nothing of it is selected/],
    ['nothing below', { id: true, lastData: { gps: {} } }, /lastData\.gps: nothing of it is selected/],
    ['only false', { id: false }, /nothing of it is selected/],
    ['an object at a plain value', { id: { x: true } }, /cannot select id: it is a plain value/],
    ['a number', { id: 1 }, /cannot select id/],
    ['null', { lastData: null }, /cannot select lastData: it must be true or an object/],
    ['a list', ['id'], /this selection: it must be true or an object/],
    ['text', 'id', /this selection: it must be true or an object/],
    ['false as a whole', false, /this selection: it must be true or an object/],
    ['true where there is no plain field', { latestData: { temperatures: true } }, /has none\. It has temperatures,/],
    ['a circle', { lastData: circle }, /lastData\.vehicle\.lastData: the object contains itself/],
  ])('%s', async (_name, select, message) => {
    // as JavaScript callers may do
    const error = await rejection(fleet.getVehicles({}, { select } as never));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ operation: 'getVehicles', attempts: 0 });
    expect(String(error)).toMatch(message);
    expect(String(error)).toMatch(/Nothing was sent\.$/);
    expect(String(error)).not.toContain('hunter2');
    expect(documents).toEqual([]);
  });

  test('any selection on plain values', async () => {
    const error = await rejection(fleet.deleteGroup({ groupId: 'x' }, { select: true } as never));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(documents).toEqual([]);
  });
});
