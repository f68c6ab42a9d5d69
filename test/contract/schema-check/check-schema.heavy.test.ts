// The check of a live service: the reference service, unchanged and with a changed schema.
import { buildSchema, findBreakingChanges, findDangerousChanges, graphqlSync, introspectionFromSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { checkSchema, pullSchema, type SchemaReport } from '../../../src/check-schema.js';
import { contractText } from '../../../src/generated/contract-text.js';
import { operations } from '../../../src/generated/operation-table.js';
import { type Fetch, FleetClient } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { clock } from '../../moment.js';

/** Returns the reference service with another schema for introspection and validation. */
function withChangedSchema(change: (sdl: string) => string, { introspection = true } = {}): Fetch {
  const schema = buildSchema(change(contractText), { assumeValidSDL: true });
  const { fetch } = createMockService({ vehicles: 2, clock });
  return (url, init) => {
    if (!url.endsWith('/graphql')) return fetch(url, init);
    const { query, variables } = JSON.parse(String(init.body));
    if (query.includes('__schema')) {
      return Promise.resolve(
        introspection
          ? Response.json({ data: introspectionFromSchema(schema) })
          : Response.json({ errors: [{ message: 'Introspection is disabled' }], data: null }),
      );
    }
    return Promise.resolve(Response.json(graphqlSync({ schema, source: query, variableValues: variables })));
  };
}

/** Returns a service that answers only introspection, if it understands the query. */
function describedBy(sdl: string, understands: (query: string) => boolean = () => true) {
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  const { fetch } = createMockService({ vehicles: 2, clock });
  const queries: string[] = [];
  const described: Fetch = (url, init) => {
    if (!url.endsWith('/graphql')) return fetch(url, init);
    const { query } = JSON.parse(String(init.body));
    queries.push(query);
    if (!understands(query))
      return Promise.resolve(Response.json({ errors: [{ message: 'unknown' }] }, { status: 400 }));
    return Promise.resolve(Response.json(graphqlSync({ schema, source: query })));
  };
  return { fetch: described, sdl, asked: queries };
}

async function check(fetch: Fetch): Promise<SchemaReport> {
  await using fleet = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch,
  });
  return await checkSchema(fleet);
}

const broken = ({ operations }: SchemaReport) => operations.filter(({ status }) => status === 'breaks');
const refuted = ({ assumptions }: SchemaReport) => assumptions.filter(({ status }) => status === 'refuted');

/** Replaces once; fails when nothing matches. */
const edit = (from: string | RegExp, to: string) => (sdl: string) => {
  const edited = sdl.replace(from, to);
  expect(edited).not.toBe(sdl);
  return edited;
};

describe('a service that describes itself', () => {
  test('as it is: all operations work, every guess is confirmed, nothing is new', async () => {
    const report = await check(createMockService({ vehicles: 2, clock }).fetch);
    expect(report.source).toBe('introspection');
    expect(report.operations.map(({ operation }) => operation).sort()).toEqual(Object.keys(operations).sort());
    expect(report.operations.every(({ status, reasons }) => status === 'works' && reasons.length === 0)).toBe(true);
    expect(report.changes).toEqual([]);
    expect(report.assumptions.filter(({ status }) => status !== 'confirmed')).toEqual([]);
    expect(report.assumptions.length).toBeGreaterThan(100);
  });

  test('a field that is gone breaks what selects it, and nothing else', async () => {
    const report = await check(withChangedSchema(edit('\n  licensePlate: String\n', '\n')));
    expect(broken(report).map(({ operation }) => operation)).toEqual([
      'getActiveVehicles',
      'getVehicleById',
      'getVehicles',
      'getVehiclesByVin',
      'updateVehicle',
    ]);
    expect(broken(report)[0]?.reasons).toEqual(['Cannot query field "licensePlate" on type "Vehicle".']);
    expect(report.changes).toMatchObject([
      { kind: 'removed', where: 'Vehicle.licensePlate', what: 'the field is gone', operations: expect.any(Array) },
    ]);
    expect(report.changes[0]?.operations).toEqual(broken(report).map(({ operation }) => operation));
    expect(refuted(report)).toEqual([]);
  });

  test('an operation that is gone', async () => {
    const report = await check(withChangedSchema(edit(/\n {2}"[^"]*"\n {2}getLabels: \[Label\]/, '')));
    expect(broken(report).map(({ operation }) => operation)).toEqual(['getLabels']);
    expect(report.changes).toEqual([
      { kind: 'removed', where: 'getLabels', what: 'the operation is gone', operations: ['getLabels'] },
    ]);
  });

  test('what is new breaks nothing, unless it has to be given', async () => {
    const filter = edit('getVehicles: [Vehicle]', 'getVehicles(filter: String): [Vehicle]\n  getTrailers: [Vehicle]');
    const report = await check(withChangedSchema(filter));
    expect(broken(report)).toEqual([]);
    expect(report.changes).toEqual([
      {
        kind: 'added',
        where: 'getVehicles(filter)',
        what: 'a new argument of type String',
        operations: ['getVehicles'],
      },
      { kind: 'added', where: 'getTrailers', what: 'a new operation that returns [Vehicle]', operations: [] },
    ]);
    const demand = await check(
      withChangedSchema(edit('getVehicles: [Vehicle]', 'getVehicles(filter: String!): [Vehicle]')),
    );
    expect(broken(demand).map(({ operation }) => operation)).toEqual(['getVehicles']);
    expect(demand.changes[0]?.what).toBe('a new argument of type String!, which is required');
  });

  test('reports a changed type, which breaks an argument and not a value', async () => {
    const value = await check(withChangedSchema(edit('  year: Int\n', '  year: String\n')));
    expect(broken(value)).toEqual([]);
    expect(value.changes).toMatchObject([{ kind: 'changed', where: 'Vehicle.year', what: 'is String, and not Int' }]);
    const argument = await check(withChangedSchema(edit('getDeviceById(id: UUID!)', 'getDeviceById(id: Int!)')));
    expect(broken(argument).map(({ operation }) => operation)).toEqual(['getDeviceById']);
    expect(argument.changes).toMatchObject([
      { kind: 'changed', where: 'getDeviceById(id)', what: 'is Int, and not UUID', operations: ['getDeviceById'] },
    ]);
    const list = await check(withChangedSchema(edit('getRoles: [Role]', 'getRoles: Role')));
    expect(list.changes).toMatchObject([{ kind: 'changed', where: 'getRoles', what: 'is Role, and not [Role]' }]);
    const scalar = await check(
      withChangedSchema((text) => text.replace(/type VehicleType \{[^}]*\}/, 'scalar VehicleType')),
    );
    expect(scalar.changes).toContainEqual(
      expect.objectContaining({ what: 'is the scalar VehicleType, and not the object type' }),
    );
  });

  test.each([
    ['a leaf', edit(/satellites: Int @assumed/, 'satellites: Float @assumed'), 'Gps.satellites', 'is Float'],
    [
      'a shape',
      edit(/type LatestValue[\s\S]*?\n {2}value: Float/, 'type LatestValue {\n  amount: Float'),
      'type LatestValue',
      'LatestValue.value: the field is gone',
    ],
    [
      'an input',
      edit(/input VehicleInput[^{]*\{\n {2}name: String/, 'input VehicleInput {\n  title: String'),
      'input VehicleInput',
      'VehicleInput.name: the member is gone',
    ],
    [
      'an enum',
      edit(/(enum TirePressureStatus \{\n) {2}Normal\n/, '$1'),
      'type TirePressureStatusMap',
      'TirePressureStatusMap.value: no longer has the value Normal',
    ],
    [
      'a scalar',
      (sdl: string) => edit(/: Timestamp/, ': DateTime')(sdl).replaceAll(': Timestamp', ': DateTime'),
      'scalar Timestamp',
      'is DateTime',
    ],
  ])('%s that was guessed and is otherwise is refuted, and no change', async (_what, change, where, detail) => {
    const report = await check(withChangedSchema(change));
    const found = refuted(report).find((one) => one.where === where);
    expect(found?.detail).toContain(detail);
    expect(report.changes.filter(({ kind }) => kind !== 'added')).toEqual([]);
    expect(broken(report)).toEqual([]);
  });

  test('what is deprecated is there', async () => {
    const argument = edit('vin: String!)', 'vin: String @deprecated)');
    const member = edit(/(input AssignDriverInput \{[\s\S]*?startTimestamp: DateTime)/, '$1 @deprecated');
    const { fetch, sdl } = describedBy(member(argument(contractText)));
    const report = await check(fetch);
    expect(broken(report)).toEqual([]);
    expect(report.changes).toEqual([]);
    expect(sdl).toContain('@deprecated');
  });

  test('leaves out deprecated arguments for a service of an older GraphQL that does not list them', async () => {
    const { fetch, asked: queries } = describedBy(contractText, (query) => !/args\(includeDeprecated/.test(query));
    const report = await check(fetch);
    expect(report.source).toBe('introspection');
    expect(report.changes).toEqual([]);
    expect(queries).toHaveLength(2);
  });

  test('without any mutations, each of them breaks', async () => {
    const report = await check(describedBy(contractText.replace('\ntype Mutation {', '\ntype Changes {')).fetch);
    expect(broken(report)).toHaveLength(21);
    expect(broken(report)[0]?.reasons).toEqual(['The service has no mutation.']);
  });

  test.each(['LatestValue', 'TirePressureStatus', 'Gps'])('ignores another name of %s', async (name) => {
    const report = await check(withChangedSchema(edit(new RegExp(`\\b${name}\\b`, 'g'), `${name}OfService`)));
    expect(refuted(report)).toEqual([]);
    expect(report.changes).toEqual([]);
  });
});

describe('finds what the comparison of graphql finds, where the service has the names of the contract', () => {
  test.each([
    ['FIELD_REMOVED', edit('\n  licensePlate: String\n', '\n'), 'Vehicle.licensePlate'],
    ['FIELD_CHANGED_KIND', edit('  year: Int\n', '  year: String\n'), 'Vehicle.year'],
    ['TYPE_CHANGED_KIND', edit(/type VehicleType \{[^}]*\}/, 'scalar VehicleType'), 'Vehicle.vehicleType'],
    ['ARG_REMOVED', edit('getDeviceById(id: UUID!)', 'getDeviceById'), 'getDeviceById(id)'],
    ['ARG_CHANGED_KIND', edit('getDeviceById(id: UUID!)', 'getDeviceById(id: Int!)'), 'getDeviceById(id)'],
    ['REQUIRED_ARG_ADDED', edit('getRoles:', 'getRoles(region: String!):'), 'getRoles(region)'],
    ['REQUIRED_ARG_ADDED', edit('  lastData:', '  lastData(unit: String!):'), 'Vehicle.lastData(unit)'],
    ['OPTIONAL_ARG_ADDED', edit('  lastData:', '  lastData(unit: String):'), 'Vehicle.lastData(unit)'],
    [
      'REQUIRED_INPUT_FIELD_ADDED',
      edit('input AssignDriverInput {', 'input AssignDriverInput {\n  reason: String!'),
      'AssignDriverInput.reason',
    ],
    [
      'OPTIONAL_INPUT_FIELD_ADDED',
      edit('input AssignDriverInput {', 'input AssignDriverInput {\n  reason: String'),
      'AssignDriverInput.reason',
    ],
    ['VALUE_REMOVED_FROM_ENUM', edit('  Normal\n', ''), 'type TirePressureStatusMap'],
  ])('%s', async (kind, change, where) => {
    const schemas = [buildSchema(contractText), buildSchema(change(contractText))] as const;
    const kinds = [...findBreakingChanges(...schemas), ...findDangerousChanges(...schemas)];
    expect(kinds.map(({ type }) => type)).toContain(kind);
    const report = await check(withChangedSchema(change));
    expect([...report.changes, ...refuted(report)].map((found) => found.where)).toContain(where);
  });
});

describe('is exact', () => {
  test('a type that the contract shows is intact although an assumed field has another type', async () => {
    const other = 'type PlaceOfVehicle {\n  street: String\n}\n\ntype LatestData {';
    const change = (sdl: string) =>
      edit(
        /(type LatestData \{[\s\S]*?\n {2}address: )Address/,
        '$1PlaceOfVehicle',
      )(edit('type LatestData {', other)(sdl));
    const report = await check(withChangedSchema(change));
    expect(report.changes).toEqual([]);
    expect(broken(report)).toEqual([]);
    expect(refuted(report).map(({ where }) => where)).toEqual(['LatestData.address']);
    expect(refuted(report)[0]?.detail).toContain('the field is gone');
  });

  test('a member that has to be given names the operations it breaks', async () => {
    const report = await check(
      withChangedSchema(edit('input AssignDriverInput {', 'input AssignDriverInput {\n  reason: String!')),
    );
    expect(report.changes).toEqual([
      {
        kind: 'added',
        where: 'AssignDriverInput.reason',
        what: 'a new member of type String!, which is required',
        operations: ['assignDriver'],
      },
    ]);
    expect(broken(report)).toEqual([
      {
        operation: 'assignDriver',
        status: 'breaks',
        reasons: ['AssignDriverInput.reason: a new member of type String!, which is required'],
      },
    ]);
  });

  test('also of an input whose members are assumed, and of one inside of another', async () => {
    const member = edit(/(input CustomFieldInput[^{]*\{)/, '$1\n  kind: String!');
    const report = await check(withChangedSchema(member));
    expect(report.changes).toMatchObject([
      {
        where: 'CustomFieldInput.kind',
        operations: ['updatePersonCustomField', 'updateVehicleCustomField', 'createPerson', 'updatePerson'].sort(
          (a, b) => order.indexOf(a) - order.indexOf(b),
        ),
      },
    ]);
    expect(refuted(report).map(({ where }) => where)).toContain('input CustomFieldInput');
  });

  test('an argument that has to be given names its operation', async () => {
    const report = await check(withChangedSchema(edit('getRoles: [Role]', 'getRoles(region: String!): [Role]')));
    expect(report.changes).toMatchObject([{ where: 'getRoles(region)', operations: ['getRoles'] }]);
    expect(broken(report).map(({ operation }) => operation)).toEqual(['getRoles']);
  });

  test('an argument of a field, too: once, as graphql says it', async () => {
    const report = await check(withChangedSchema(edit('  lastData:', '  lastData(unit: String!):')));
    expect(report.changes).toMatchObject([
      { kind: 'added', what: 'a new argument of type String!, which is required', operations: expect.any(Array) },
    ]);
    expect(report.changes[0]?.operations).toEqual(broken(report).map(({ operation }) => operation));
    expect(broken(report).map(({ operation }) => operation)).toContain('getVehicles');
    expect(broken(report)[0]?.reasons).toEqual([expect.stringMatching(/"lastData" argument "unit" .* is required/)]);
  });

  test.each([
    ['JSON', 'Object', /: JSON\b/g],
    ['Int', 'BigInteger', /: Int\b/g],
    ['Long', 'Int', /: Long\b/g],
  ])('accepts %s that is %s, because the values still fit', async (ours, theirs, uses) => {
    const scalar = theirs === 'Int' ? '' : `scalar ${theirs}\n\n`;
    const report = await check(withChangedSchema((sdl) => `${scalar}${edit(uses, `: ${theirs}`)(sdl)}`));
    expect(report.changes, ours).toEqual([]);
    expect(refuted(report)).toEqual([]);
    expect(broken(report)).toEqual([]);
  });

  test('JSON that is text, and an integer that is a fraction, are changes', async () => {
    const report = await check(
      withChangedSchema((sdl) =>
        edit(
          '  geojson: JSON\n  "Colour',
          '  geojson: String\n  "Colour',
        )(edit('  year: Int\n', '  year: Float\n')(sdl)),
      ),
    );
    expect(report.changes.map(({ where, what }) => [where, what])).toEqual([
      ['Vehicle.year', 'is Float, and not Int'],
      ['Geofence.geojson', 'is String, and not JSON'],
    ]);
  });

  test('what comes beside assumed members is not listed; beside those of the contract it is', async () => {
    const shape = edit(/(type LatestValue @assumed\([^)]*\) \{)/, '$1\n  unit: String');
    const input = edit(/(input VehicleInput[^{]*\{)/, '$1\n  colour: String');
    const field = edit('type Role {', 'type Role {\n  level: Int');
    const report = await check(withChangedSchema((sdl) => shape(input(field(sdl)))));
    expect(report.changes).toEqual([
      { kind: 'added', where: 'Role.level', what: 'a new field of type Int', operations: [] },
    ]);
    expect(refuted(report)).toEqual([]);
  });
});

/** The operations in the order of the report. */
const order: readonly string[] = Object.keys(operations);

describe('a service that does not describe itself', () => {
  const renamed = edit(/(input CreateGroupInput[^{]*\{)[^}]*/, '$1\n  title: String\n');

  test('is sent no assumed members to find out what breaks', async () => {
    const report = await check(withChangedSchema(renamed, { introspection: false }));
    expect(broken(report)).toEqual([]);
    expect(refuted(report).map(({ where }) => where)).toEqual(['input CreateGroupInput']);
  });

  test('and demands members that the contract does not show: whether it works is up to the caller', async () => {
    const demanding = edit(/(input CreateGroupInput[^{]*\{)[^}]*/, '$1\n  title: String!\n');
    const report = await check(withChangedSchema(demanding, { introspection: false }));
    expect(broken(report)).toEqual([]);
    const found = report.operations.find(({ operation }) => operation === 'createGroup');
    expect(found?.status).toBe('unknown');
    expect(found?.reasons[0]).toBe('the service demands members of the input that the contract does not show');
  });

  test('checks one operation after the other, and runs none', async () => {
    const service = createMockService({ vehicles: 2, clock });
    await check(service.fetch);
    const before = service.snapshot();
    const fetch: Fetch = (url, init) =>
      String(init.body).includes('__schema')
        ? Promise.resolve(Response.json({ errors: [{ message: 'Introspection is disabled' }], data: null }))
        : service.fetch(url, init);
    const report = await check(fetch);
    expect(report.source).toBe('probing');
    expect(report.operations.filter(({ status }) => status !== 'works')).toEqual([]);
    expect(refuted(report)).toEqual([]);
    expect(report.assumptions.find(({ where }) => where === 'LatestData.odometer')?.status).toBe('confirmed');
    expect(report.assumptions.find(({ where }) => where === 'input VehicleInput')?.status).toBe('confirmed');
    expect(report.assumptions.find(({ where }) => where === 'Gps.satellites')?.status).toBe('unknown');
    expect(service.snapshot()).toEqual(before);
  });

  test.each([400, 403, 500])('also when it refuses introspection with HTTP %i alone', async (status) => {
    const { fetch } = createMockService({ vehicles: 2, clock });
    const report = await check((url, init) =>
      String(init.body).includes('__schema') ? Promise.resolve(new Response('no', { status })) : fetch(url, init),
    );
    expect(report.source).toBe('probing');
    expect(broken(report)).toEqual([]);
  });

  test('unless it refuses everything', async () => {
    const { fetch } = createMockService({ vehicles: 2, clock });
    const refusing: Fetch = (url, init) =>
      url.endsWith('/graphql') ? Promise.resolve(new Response('no', { status: 403 })) : fetch(url, init);
    await expect(check(refusing)).rejects.toMatchObject({ code: 'HTTP', status: 403 });
  });

  test('reports what breaks', async () => {
    const change = (sdl: string) =>
      edit(
        '\n  licensePlate: String\n',
        '\n',
      )(edit(/type LatestValue[\s\S]*?\n {2}value: Float/, 'type LatestValue {\n  amount: Float')(sdl));
    const report = await check(withChangedSchema(change, { introspection: false }));
    expect(broken(report).map(({ operation }) => operation)).toContain('getVehicleById');
    expect(broken(report).map(({ operation }) => operation)).not.toContain('getRoles');
    expect(refuted(report).map(({ where }) => where)).toContain('LatestData.odometer');
  });

  test('is sent no change when it does not respect @skip', async () => {
    const sent: string[] = [];
    const fetch: Fetch = async (url, init) => {
      const body = String(init.body ?? '');
      if (url.endsWith('/graphql')) sent.push(JSON.parse(body).query);
      if (body.includes('__schema')) return Response.json({ errors: [{ message: 'no' }] });
      if (body.includes('@skip')) return Response.json({ data: { getRoles: [] } });
      return createMockService({ vehicles: 0, clock }).fetch(url, init);
    };
    const report = await check(async (url, init) => (url.endsWith('/graphql') ? fetch(url, init) : login(url, init)));
    expect(sent.filter((query) => query.startsWith('mutation'))).toEqual([]);
    expect(report.operations.filter(({ status }) => status === 'unknown')).toHaveLength(21);
  });
});

const { fetch: login } = createMockService({ vehicles: 0, clock });

test('pullSchema gives the SDL of the live service, or null', async () => {
  const clientOf = (fetch: Fetch) =>
    new FleetClient({ baseUrl: 'https://fleet.test', credentials: { username: 'demo', password: 'demo' }, fetch });
  await using live = clientOf(withChangedSchema((sdl) => sdl));
  expect(
    buildSchema((await pullSchema(live)) ?? '')
      .getQueryType()
      ?.getFields().getVehicles,
  ).toBeDefined();
  await using silent = clientOf(withChangedSchema((sdl) => sdl, { introspection: false }));
  expect(await pullSchema(silent)).toBeNull();
});
