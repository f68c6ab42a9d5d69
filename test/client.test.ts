// FleetClient's public behaviour: options, methods, own documents, users, partial data, values.
import { inspect } from 'node:util';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { operations } from '../src/generated/operation-table.js';
import {
  type AssignDriverInput,
  type Device,
  type Fetch,
  FleetClient,
  FleetError,
  InvalidInputError,
  type Snapshot,
  UserSelectionError,
  type Vehicle,
  type WarningEvent,
} from '../src/index.js';
import { countRuns, makeClient, makeService, rejection, statusesOf } from './request/setup.js';

describe('options', () => {
  test.each([
    ['no base URL', { baseUrl: undefined }],
    ['a relative one', { baseUrl: '/api' }],
    ['another protocol', { baseUrl: 'ftp://x' }],
    ['a login in the base URL', { baseUrl: 'https://ada:secret@x' }],
    ['a query in the base URL', { baseUrl: 'https://x/?a=1' }],
    ['half a login', { credentials: { username: 'ada' } }],
    ['an empty password', { credentials: { username: 'ada', password: '' } }],
    ['no wish in user', { user: {} }],
    ['two wishes in user', { user: { userId: 'a', fleetId: 'b' } }],
    ['an id that fits in no header', { user: { userId: 'a\r\nb' } }],
    ['an id that is none', { user: { userId: 'abc' } }],
    ['a timeout of nothing', { timeoutMs: 0 }],
    ['a timeout of text', { timeoutMs: '1s' }],
    ['an unknown share', { share: 'world' }],
    ['an empty session key', { sessionKey: '' }],
  ])('%s is an InvalidInputError that quotes nothing', (_name, options) => {
    // as in JavaScript
    const make = () => new FleetClient({ baseUrl: 'http://x', ...options } as never);
    expect(make).toThrow(InvalidInputError);
    expect(make).not.toThrow(/secret|ada/);
  });

  test.each(['http://service.test', 'http://service.test/', 'http://service.test/a/b//'])(
    'base URL %s is used as it is meant',
    async (baseUrl) => {
      const urls: string[] = [];
      const service = makeService();
      const fetch: Fetch = (url, init) => {
        urls.push(url);
        return service.fetch(url, init);
      };
      await makeClient(service, { baseUrl, fetch }).listLoginUsers();
      expect(urls).toEqual([
        `${baseUrl.replace(/\/+$/, '')}/login/token`,
        `${baseUrl.replace(/\/+$/, '')}/login/userinfo`,
      ]);
    },
  );

  test('nothing is sent before the first call', () => {
    const service = makeService();
    makeClient(service);
    expect(service.requests).toEqual([]);
  });
});

describe('what is sent', () => {
  test('is what the contract asks for, and no more', async () => {
    const service = makeService();
    const sent: { url: string; headers: Record<string, string>; body: unknown }[] = [];
    const fetch: Fetch = (url, init) => {
      sent.push({ url, headers: init.headers, body: init.body });
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch });
    const [user] = await fleet.listLoginUsers();
    await fleet.getVehiclesByVin({ vin: 'X' });
    const last = sent.at(-1);
    expect(last?.headers).toEqual({
      authorization: expect.stringMatching(/^Bearer \S+$/),
      userId: user?.userId,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^fleet-telematics\/\S+ node\/\S+$/),
    });
    expect(JSON.parse(String(last?.body))).toEqual({
      query: operations.getVehiclesByVin.document,
      variables: { vin: 'X' },
    });
    expect(sent[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });
});

const ID = '9b2d7c1e-0f3a-4c55-8a6b-d41e2f907c13';

describe('options of a query without variables', () => {
  const service = makeService();
  const fleet = makeClient(service, {
    hooks: { onWarning: ({ label }) => expectTypeOf(label).toEqualTypeOf<string>() },
  });

  test('come after an empty object', async () => {
    const first = await fleet.getVehicles({}, { select: { name: true } });
    expect(first[0]).toEqual({ name: expect.any(String) });
    const streamed: unknown[] = [];
    for await (const row of fleet.stream('getVehicles', {}, { select: { name: true } })) streamed.push(row);
    expect(streamed).toEqual(first);
    await expect(fleet.getVehicles({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
      message: expect.stringMatching(/^GetVehicles was aborted\.$/i),
    });
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'in the place of variables',
      () => fleet.getVehicles({ timeoutMs: 1 } as never),
      /getVehicles has no variable timeoutMs\. It takes none: options come second, as in getVehicles\({}, { … }\)/,
    ],
    [
      'that are none',
      () => fleet.getVehicles({}, { vehicleIds: [] } as never),
      /getVehicles has no option vehicleIds; it takes select/,
    ],
    [
      'in the place of variables of a stream',
      async () => fleet.stream('getVehicles', { timeoutMs: 1 } as never),
      /options come second/,
    ],
  ])('are refused: %s', async (_name, call, message) => {
    service.clearRequests();
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
    expect(service.requests).toEqual([]);
  });
});

describe('variables', () => {
  const fleet = makeClient(makeService());
  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['missing', () => fleet.getVehicleById({} as never), /id \(UUID!\)/],
    [
      'missing, of several',
      () => fleet.getSnapshots({ vehicleId: 'x' } as never),
      /from \(DateTime!\), to \(DateTime!\)/,
    ],
    ['null', () => fleet.getVehicleById({ id: null } as never), /id \(UUID!\)/],
    ['none at all', () => fleet.getVehicleById(undefined as never), /id \(UUID!\)/],
    [
      'misspelt',
      () => fleet.getWrappedReportInputs({ reportId: 'hunter2' } as never),
      /no variable reportId.*takes id/,
    ],
    ['no object', () => fleet.getVehicles('hunter2' as never), /one object/],
    [
      'an invalid Date',
      () => fleet.getSnapshots({ vehicleId: 'x', from: new Date(Number.NaN), to: new Date() }),
      /from of getSnapshots is an invalid Date/,
    ],
    [
      'not a number',
      () => fleet.updateVehicle({ vehicleId: ID, vehicleInput: { year: Number.NaN } }),
      /vehicleInput\.year/,
    ],
    ['a BigInt', () => fleet.updateVehicle({ vehicleId: ID, vehicleInput: { other: 1n } }), /vehicleInput\.other/],
    [
      'a function',
      () => fleet.updateVehicle({ vehicleId: ID, vehicleInput: { other: () => 1 } }),
      /vehicleInput\.other/,
    ],
    [
      'a Map',
      () => fleet.updateVehicle({ vehicleId: ID, vehicleInput: { other: new Map([[1, 2]]) } }),
      /other .*a Map/,
    ],
    [
      'an object with inherited members',
      () => fleet.updateVehicle({ vehicleId: ID, vehicleInput: Object.create({ name: 'hunter2' }) }),
      /vehicleInput .*members JSON leaves out/,
    ],
    [
      'an object of a class with getters',
      () =>
        fleet.updateVehicle({
          vehicleId: ID,
          vehicleInput: new (class {
            get name() {
              return 'hunter2';
            }
          })() as never,
        }),
      /vehicleInput .*members JSON leaves out/,
    ],
    [
      'a period that ends before it begins',
      () => fleet.getSnapshots({ vehicleId: ID, from: new Date(2), to: new Date(1) }),
      /from of getSnapshots is after to/,
    ],
    ['a circle', () => fleet.createGeofence({ geofenceInput: { geojson: circle() } }), /geojson\.self/],
    ['no UUID', () => fleet.getVehicleById({ id: 'hunter2' }), /id of getVehicleById must be a UUID/],
    ['an empty id', () => fleet.getVehicleById({ id: '' }), /id of getVehicleById must be a UUID/],
    ['a number for an id', () => fleet.deleteGroup({ groupId: 7 as never }), /groupId of deleteGroup must be a UUID/],
    ['no UUID in a list', () => fleet.getLatestSnapshots({ vehicleIds: [ID, 'hunter2'] }), /vehicleIds\[1\] .*a UUID/],
    [
      'null in a list',
      () => fleet.getLatestSnapshots({ vehicleIds: [null as never] }),
      /vehicleIds\[0\] .*set \(UUID!\)/,
    ],
    [
      'no UUID in an input of the contract',
      () => fleet.getDriverAssignments({ input: { driverId: 'hunter2' } }),
      /input\.driverId .*a UUID/,
    ],
    [
      'without a required member',
      () => fleet.assignDriver({ assignDriverInput: { vehicleId: ID } as never }),
      /assignDriverInput\.driverId .*set \(UUID!\)/,
    ],
    [
      'no time',
      () => fleet.getSnapshots({ vehicleId: ID, from: 'hunter2', to: new Date() }),
      /from of getSnapshots must be a Date or RFC 3339 text/,
    ],
    [
      'no day',
      () => fleet.getSnapshots({ vehicleId: ID, from: '2026-02-30T00:00:00Z', to: new Date() }),
      /from of getSnapshots must be a Date or RFC 3339 text/,
    ],
    ['a number for a text', () => fleet.getVehiclesByVin({ vin: 7 as never }), /vin .*a string/],
    [
      'a text for an input',
      () => fleet.createGroup({ createGroupInput: 'hunter2' as never }),
      /createGroupInput .*an object/,
    ],
    ['a bad timeout', () => fleet.getVehicles({}, { timeoutMs: -1 }), /timeoutMs/],
  ])('%s: an InvalidInputError before anything is sent', async (_name, call, message) => {
    const error = await rejection(call());
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
    expect(error).toMatchObject({ attempts: 0, retryable: false });
  });

  test('a UUID may be of any version and in upper case, and a guessed input may hold anything', async () => {
    const service = makeService();
    const client = makeClient(service);
    for (const id of [
      ID.toUpperCase(),
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '00000000-0000-0000-0000-000000000000',
    ]) {
      expect(await client.getVehicleById({ id })).toBeNull();
    }
    const other = { parentId: 'top', name: 7 as never };
    expect(await rejection(client.createGroup({ createGroupInput: other }))).toMatchObject({
      code: 'GRAPHQL',
      attempts: 1,
    });
  });

  test('Dates travel as RFC 3339 text, wherever they are', async () => {
    const service = makeService();
    let body = '';
    const fetch: Fetch = (url, init) => {
      body = init.body ?? '';
      return service.fetch(url, init);
    };
    const at = new Date('2026-03-01T10:00:00Z');
    const client = makeClient(service, { fetch });
    await client
      .assignDriver({ assignDriverInput: { vehicleId: ID, driverId: ID, startTimestamp: at } })
      .catch(() => null);
    expect(JSON.parse(body).variables.assignDriverInput.startTimestamp).toBe('2026-03-01T10:00:00.000Z');
  });
});

describe('results', () => {
  test('lists come as arrays, single records as objects or null', async () => {
    const fleet = makeClient(makeService());
    const vehicles = await fleet.getVehicles();
    expectTypeOf(vehicles).toEqualTypeOf<Vehicle[]>();
    expect(vehicles).toHaveLength(5);
    const one = await fleet.getVehicleById({ id: vehicles[0]?.id ?? '' });
    expectTypeOf(one).toEqualTypeOf<Vehicle | null>();
    expect(one?.id).toBe(vehicles[0]?.id);
    expectTypeOf<Snapshot['gps']>().not.toBeAny();
    expectTypeOf<Device['serial']>().toEqualTypeOf<string | null>();
    expectTypeOf<AssignDriverInput['vehicleId']>().toEqualTypeOf<string>();
  });

  const answering = (data: unknown, errors?: unknown) => {
    const service = makeService();
    const warnings: WarningEvent[] = [];
    const fetch: Fetch = async (url, init) =>
      url.endsWith('/graphql') ? Response.json({ data, ...(errors ? { errors } : {}) }) : service.fetch(url, init);
    return { warnings, fleet: makeClient(service, { fetch, hooks: { onWarning: (event) => warnings.push(event) } }) };
  };

  test('a null list is empty and null rows are left out, both reported', async () => {
    const none = answering({ getLabels: null });
    expect(await none.fleet.getLabels()).toEqual([]);
    expect(none.warnings).toMatchObject([{ code: 'NULL_LIST', operation: 'getLabels' }]);
    const holes = answering({ getLabels: [null, { id: '1' }, null] });
    expect(await holes.fleet.getLabels()).toEqual([{ id: '1' }]);
    expect(holes.warnings).toMatchObject([{ code: 'NULL_ROWS', operation: 'getLabels' }]);
  });

  test('an answer without the root field, or with something else there, is a ProtocolError', async () => {
    expect(await rejection(answering({ other: [] }).fleet.getLabels())).toMatchObject({ code: 'PROTOCOL' });
    expect(await rejection(answering({ getLabels: {} }).fleet.getLabels())).toMatchObject({ code: 'PROTOCOL' });
    expect(await rejection(answering(null).fleet.getLabels())).toMatchObject({ code: 'PROTOCOL' });
  });

  const broken = [{ message: 'no odometer for hunter2', path: ['getVehicles', 0, 'lastOdometer'] }];

  test('data with errors throws, and the error holds what arrived', async () => {
    const { fleet, warnings } = answering({ getVehicles: [{ id: '1' }] }, broken);
    const error = await rejection(fleet.getVehicles());
    expect(error).toMatchObject({ code: 'GRAPHQL', classification: null });
    expect(error).toHaveProperty('data', { getVehicles: [{ id: '1' }] });
    expect(error).toHaveProperty('serviceErrors', broken);
    expect(JSON.stringify(error) + inspect(error)).not.toMatch(/"1"|'1'|hunter2/);
    expect(warnings).toEqual([]);
  });

  test('partial returns it and warns with the errors, which logging does not show', async () => {
    const { fleet, warnings } = answering({ getVehicles: [{ id: '1' }] }, broken);
    expect(await fleet.getVehicles({}, { partial: true })).toEqual([{ id: '1' }]);
    expect(warnings).toMatchObject([{ code: 'PARTIAL_DATA', operation: 'getVehicles', errors: broken }]);
    expect(JSON.stringify(warnings)).not.toContain('hunter2');
  });

  test('a call can have its warnings for itself', async () => {
    const { fleet, warnings } = answering({ getVehicles: [{ id: '1' }] }, broken);
    const own: WarningEvent[] = [];
    await fleet.getVehicles({}, { partial: true, onWarning: (warning) => own.push(warning) });
    expect(own).toMatchObject([{ code: 'PARTIAL_DATA', operation: 'getVehicles', errors: broken }]);
    expect(warnings).toEqual([]);
    await fleet.getVehicles(
      {},
      {
        partial: true,
        onWarning: () => {
          throw new Error('a hook must not break a call');
        },
      },
    );
    await expect(fleet.getVehicles({}, { onWarning: 'log' as never })).rejects.toThrow('onWarning');
  });

  test('partial without any data throws all the same', async () => {
    const { fleet } = answering(null, broken);
    expect(await rejection(fleet.getVehicles({}, { partial: true }))).toMatchObject({ code: 'GRAPHQL' });
  });

  const unauthorized = [{ message: 'no', extensions: { classification: 'UNAUTHORIZED' } }];

  test.each<[string, unknown, number]>([
    ['without data: the token is replaced once', null, 2],
    ['with every root field null: the same', { getVehicles: null }, 2],
    ['beside data: one field is refused, and a new token would change nothing', { getVehicles: [{ id: '1' }] }, 1],
  ])('UNAUTHORIZED %s', async (_name, data, requests) => {
    const service = makeService();
    let sent = 0;
    const fetch: Fetch = async (url, init) => {
      if (!url.endsWith('/graphql')) return service.fetch(url, init);
      sent++;
      return Response.json({ data, errors: unauthorized });
    };
    const error = await rejection(makeClient(service, { fetch }).getVehicles());
    expect(error).toMatchObject({ code: requests === 2 ? 'AUTHENTICATION' : 'GRAPHQL' });
    expect(sent).toBe(requests);
    expect(statusesOf(service, '/login/refresh')).toHaveLength(requests - 1);
  });

  test('one signal may serve many calls', async () => {
    const warned: Error[] = [];
    const note = (warning: Error) => {
      warned.push(warning);
    };
    process.on('warning', note);
    const fleet = makeClient(makeService());
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => fleet.getVehicleTypes({}, { signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('a hook that %s does not break the call, nor the process', async (_how, hook) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const hooks = { onRequest: hook, onResponse: hook, onCall: hook, onSession: hook, onWarning: hook, onRetry: hook };
    expect(await makeClient(makeService(), { hooks }).getVehicleTypes()).not.toHaveLength(0);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

describe('request', () => {
  const fleet = makeClient(makeService());
  const text = 'query one($id: UUID!) { getVehicleById(id: $id) { id vin } }';

  test('takes text, a boxed string and a parsed document, and returns data', async () => {
    const [vehicle] = await fleet.getVehicles();
    const variables = { id: vehicle?.id };
    const expected = { getVehicleById: { id: vehicle?.id, vin: vehicle?.vin } };
    expect(await fleet.request(text, variables)).toEqual(expected);
    expect(await fleet.request(new String(text) as never, variables)).toEqual(expected);
    const node: TypedDocumentNode<{ getVehicleById: { id: string; vin: string } }, { id: string }> = parse(text);
    const typed = await fleet.request(node, { id: vehicle?.id ?? '' });
    expectTypeOf(typed.getVehicleById.vin).toEqualTypeOf<string>();
    expect(typed).toEqual(expected);
  });

  test.each<[string, unknown, RegExp]>([
    ['a syntax error', '{ getVehicleById(id: "hunter2" }', /line 1, column/],
    ['two operations', 'query a { getLabels { id } } query b { getRoles { id } }', /exactly one operation.*holds 2/],
    ['none', 'fragment F on Vehicle { id }', /exactly one operation.*holds 0/],
    ['a subscription', 'subscription { x }', /no subscriptions/],
    ['no document at all', 17, /must be GraphQL text/],
  ])('%s is an InvalidInputError that does not quote it', async (_name, document, message) => {
    const error = await rejection(fleet.request(document as never)); // as in JavaScript
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
  });

  test('knows a mutation when it sees one', async () => {
    const service = makeService();
    const client = makeClient(service);
    service.faults.add({ kind: 'reset', path: '/graphql' });
    const document = 'mutation m($i: CreateGroupInput!) { createGroup(createGroupInput: $i) { id } }';
    const error = await rejection(client.request(document, { i: { name: 'x' } }));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_MUTATION', operation: 'm' });
    expect(countRuns(service, 'createGroup')).toBe(1);
  });
});

describe('the user', () => {
  test('left out is the only one', async () => {
    const service = makeService();
    await makeClient(service).getVehicleTypes();
    expect(service.requests.at(-1)).toMatchObject({ user: 'demo', status: 200 });
  });

  test('left out, of several, is a UserSelectionError with the choices, and nothing is sent for the call', async () => {
    const service = makeService();
    const fleet = makeClient(service, { credentials: { username: 'multi', password: 'multi' } });
    const error = await rejection(fleet.getVehicles());
    expect(error).toBeInstanceOf(UserSelectionError);
    const names = error instanceof UserSelectionError ? error.choices.map(({ fleetName }) => fleetName) : [];
    expect(names.sort()).toEqual(['North Fleet', 'South Fleet', 'West Fleet']);
    expect(statusesOf(service, '/graphql')).toEqual([]);
  });

  test('is found by id, by fleet id and by fleet name', async () => {
    const service = makeService();
    const login = makeClient(service, { credentials: { username: 'multi', password: 'multi' } });
    const users = await login.listLoginUsers();
    const south = users.find(({ fleetName }) => fleetName === 'South Fleet');
    const wishes = [
      { userId: south?.userId ?? '' },
      { fleetId: south?.fleetId ?? '' },
      { fleetName: 'South Fleet' },
      { fleetName: 'south fleet' },
    ];
    const lists = await Promise.all(wishes.map((user) => login.forUser(user).getVehicles()));
    for (const list of lists) expect(list.every(({ fleetId }) => fleetId === south?.fleetId)).toBe(true);
    expect(lists[0]?.length).toBeGreaterThan(0);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });

  test('of a fleet that does not exist is a UserSelectionError', async () => {
    const fleet = makeClient(makeService(), { user: { fleetName: 'East Fleet' } });
    const error = await rejection(fleet.getVehicles());
    expect(error).toMatchObject({ code: 'USER_SELECTION', choices: [expect.objectContaining({ userName: 'demo' })] });
  });

  test('named by id costs no question; of another login is refused by the service', async () => {
    const service = makeService();
    const [demo] = await makeClient(service).listLoginUsers();
    service.clearRequests();
    const fleet = makeClient(service, {
      credentials: { username: 'multi', password: 'multi' },
      user: { userId: demo?.userId ?? '' },
    });
    expect(await rejection(fleet.getVehicles())).toMatchObject({ code: 'HTTP', status: 403 });
    expect(statusesOf(service, '/login/userinfo')).toEqual([]);
  });

  test('is asked for once however many calls wait, and again after a failure', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    service.faults.add({ kind: 'status', status: 404, path: '/login/userinfo' });
    await Promise.all([rejection(fleet.getLabels()), rejection(fleet.getLabels())]);
    await Promise.all([fleet.getLabels(), fleet.getLabels()]);
    expect(statusesOf(service, '/login/userinfo')).toEqual([404, 200]);
  });

  test('is asked for once for each fleet, however often a program calls `forUser`', async () => {
    const service = makeService();
    const login = makeClient(service, { credentials: { username: 'multi', password: 'multi' } });
    for (let request = 0; request < 3; request++) {
      await Promise.all([
        login.forUser({ fleetName: 'North Fleet' }).getLabels(),
        login.forUser({ fleetName: 'North Fleet' }).getLabels(),
        login.forUser({ fleetName: 'North Fleet' }).forUser({ fleetName: 'South Fleet' }).getLabels(),
      ]);
    }
    expect(statusesOf(service, '/login/userinfo')).toEqual([200, 200]);
    const names = async (fleetName: string) =>
      (await login.forUser({ fleetName }).getUserInfo()).map((user) => user.fleetName);
    expect(await names('North Fleet')).not.toEqual([]);
    expect(statusesOf(service, '/login/userinfo')).toHaveLength(2);
  });

  test('is forgotten when a program has named a thousand others, so that what is kept does not grow', async () => {
    const service = makeService();
    const login = makeClient(service, { credentials: { username: 'multi', password: 'multi' } });
    const labels = () => login.forUser({ fleetName: 'North Fleet' }).getLabels();
    await labels();
    for (let other = 0; other < 900; other++) login.forUser({ fleetName: `Fleet ${other}` });
    await labels();
    expect(statusesOf(service, '/login/userinfo')).toHaveLength(1);
    for (let other = 900; other < 1_100; other++) login.forUser({ fleetName: `Fleet ${other}` });
    await labels();
    expect(statusesOf(service, '/login/userinfo')).toHaveLength(2);
  });

  test('that could not be chosen is chosen at the next call', async () => {
    const service = makeService();
    const login = makeClient(service, { credentials: { username: 'multi', password: 'multi' } });
    service.faults.add({ kind: 'status', status: 404, path: '/login/userinfo' });
    await rejection(login.forUser({ fleetName: 'North Fleet' }).getLabels());
    expect(await login.forUser({ fleetName: 'North Fleet' }).getLabels()).not.toEqual([]);
  });
});

test('errors are Errors', async () => {
  const error = await rejection(makeClient(makeService()).getVehicleById({} as never));
  expect(error).toBeInstanceOf(Error);
  expect(error).toBeInstanceOf(FleetError);
  expect(error).toHaveProperty('name', 'InvalidInputError');
});

function circle(): object {
  const self: { self?: object } = {};
  self.self = self;
  return self;
}
