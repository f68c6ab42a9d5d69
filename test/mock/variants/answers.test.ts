// Variants of records, inputs, errors and connections.
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { MockVariant } from '../../../src/mock/service.js';
import { answerOf, caller, form, frozenService, hour, nobody, post, tokens } from '../caller.js';

const start = async (variant: MockVariant) => {
  const service = frozenService({ vehicles: 4, variant });
  return { service, demo: await caller(service.fetch) };
};

describe('deleted records are kept', () => {
  test('in lists and look-ups, marked, and no change finds them', async () => {
    const { demo } = await start({ deleted: 'kept' });
    const { getGeofences } = await demo.data('{ getGeofences { id name isDeleted } }');
    const gone = getGeofences[0];
    await demo.data(`mutation { deleteGeofence(geofenceId: "${gone.id}") }`);
    const after = await demo.data(
      `{ getGeofences { id name isDeleted } getGeofenceById(id: "${gone.id}") { isDeleted } }`,
    );
    expect(after.getGeofences).toHaveLength(getGeofences.length);
    expect(after.getGeofences.at(-1)).toEqual({ ...gone, isDeleted: true });
    expect(after.getGeofenceById).toEqual({ isDeleted: true });
    const again = await demo(`mutation { deleteGeofence(geofenceId: "${gone.id}") }`);
    expect(again.errors[0]?.extensions.classification).toBe('NOT_FOUND');
  });

  test('people and their assignments too; a limited user sees only what was theirs', async () => {
    const { service, demo } = await start({ deleted: 'kept' });
    const { getPeople } = await demo.data('{ getPeople { id isDriver isUser } }');
    const driver = getPeople.find(
      (person: { isDriver: boolean; isUser: boolean }) => person.isDriver && !person.isUser,
    );
    await demo.data(`mutation { deletePerson(personId: "${driver.id}") }`);
    const { getPeople: after } = await demo.data('{ getPeople { id isDeleted } }');
    expect(after.filter((person: { isDeleted: boolean }) => person.isDeleted)).toEqual([
      { id: driver.id, isDeleted: true },
    ]);
    service.setVariant({});
    expect((await demo.data('{ getPeople { id } }')).getPeople).toHaveLength(getPeople.length - 1);
  });
});

test('a snapshot has the deleted records too; wrong ones are refused', async () => {
  const { service, demo } = await start({ deleted: 'kept' });
  const { getGeofences } = await demo.data('{ getGeofences { id } }');
  const clean = service.snapshot();
  await demo.data(`mutation { deleteGeofence(geofenceId: "${getGeofences[0].id}") }`);
  const saved = JSON.parse(JSON.stringify(service.snapshot()));
  const marks = async () => (await demo.data('{ getGeofences { isDeleted } }')).getGeofences;
  service.restore(clean);
  expect(await marks()).not.toContainEqual({ isDeleted: true });
  service.restore(saved);
  expect(await marks()).toContainEqual({ isDeleted: true });
  saved.deleted['Demo Fleet'].geofences[0].name = 7;
  expect(() => service.restore(saved)).toThrow('snapshot.deleted["Demo Fleet"].geofences[0].name must be a');
});

test('introspection off: the schema is refused, everything else works, and switching it on works at once', async () => {
  const { service, demo } = await start({ introspection: 'off' });
  for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Vehicle") { name } }']) {
    expect((await demo(query)).errors[0]?.message).toMatch(/introspection/i);
  }
  expect(await demo.data('{ __typename getRoles { __typename } }')).toMatchObject({ __typename: 'Query' });
  service.setVariant({});
  expect(await demo.data('{ __type(name: "Vehicle") { name } }')).toEqual({ __type: { name: 'Vehicle' } });
});

test('not found is an error, for every look-up by id', async () => {
  const { demo } = await start({ notFound: 'error' });
  const fields = [
    'getVehicleById',
    'getDeviceById',
    'getGeofenceById',
    'getPersonById',
    'getRuleById',
    'getWorkScheduleById',
  ];
  for (const field of fields) {
    const answer = await demo(`{ ${field}(id: "${nobody}") { id } }`);
    expect([answer.data, answer.errors[0]?.extensions.classification]).toEqual([{ [field]: null }, 'NOT_FOUND']);
  }
  expect(await demo.data('{ getVehiclesByVin(vin: "none") { id } }')).toEqual({ getVehiclesByVin: [] });
});

test('stricter nullability: declared, answered, and an error takes its list with it', async () => {
  const { service, demo } = await start({ nullability: 'strict' });
  const shape = '{ __type(name: "Query") { fields { name type { kind ofType { kind ofType { kind } } } } } }';
  const { __type } = await demo.data(shape);
  expect(__type.fields.find(({ name }: { name: string }) => name === 'getVehicles').type).toEqual({
    kind: 'NON_NULL',
    ofType: { kind: 'LIST', ofType: { kind: 'NON_NULL' } },
  });
  expect((await demo.data('{ getVehicles { id version vin } }')).getVehicles).toHaveLength(4);
  service.faults.add({ kind: 'graphqlError', operation: 'getRoles' });
  const broken = await demo('{ getRoles { id } getVehicles { id } }');
  expect([broken.data, broken.errors]).toEqual([null, [expect.objectContaining({ path: ['getRoles'] })]]);
  expect((await demo('mutation { createGroup(createGroupInput: {}) { id } }')).errors[0]?.message).toContain(
    'required',
  );
});

describe('guessed inputs', () => {
  const create = 'mutation ($i: CreateGroupInput!) { createGroup(createGroupInput: $i) { name } }';

  test('renamed: ours are unknown, the others work, those of the contract stay', async () => {
    const { demo } = await start({ inputs: 'renamed' });
    expect((await demo(create, { i: { name: 'Night' } })).errors[0]?.message).toContain('"name" is not defined');
    expect(await demo.data(create, { i: { nameValue: 'Night' } })).toEqual({ createGroup: { name: 'Night' } });
    const { getVehicles } = await demo.data('{ getVehicles { id } }');
    const assignments = 'query ($i: GetDriverAssignmentsInput!) { getDriverAssignments(input: $i) { id } }';
    expect((await demo(assignments, { i: { vehicleId: getVehicles[0].id } })).errors).toEqual([]);
    const { __type } = await demo.data('{ __type(name: "UnassignDriverInput") { inputFields { name } } }');
    const names = __type.inputFields.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(['driverId', 'timestampValue', 'vehicleIdValue']);
  });

  test('lenient: unknown members are ignored and shown in the journal, in variables and literals', async () => {
    const { service, demo } = await start({ inputs: 'lenient' });
    service.clearRequests();
    expect(await demo.data(create, { i: { name: 'Night', colour: 'red' } })).toEqual({
      createGroup: { name: 'Night' },
    });
    await demo.data('mutation { createGroup(createGroupInput: { name: "Day", shade: 1, colour: "red" }) { name } }');
    expect(service.requests.map(({ ignoredMembers }) => ignoredMembers)).toEqual([
      ['CreateGroupInput.colour'],
      ['CreateGroupInput.shade', 'CreateGroupInput.colour'],
    ]);
    const assign = 'mutation ($i: AssignDriverInput!) { assignDriver(assignDriverInput: $i) }';
    const refused = await demo(assign, { i: { vehicleId: nobody, driverId: nobody, colour: 'red' } });
    expect(refused.errors[0]?.message).toContain('"colour" is not defined');
  });

  test('both: what this project sends is ignored and shown', async () => {
    const { service, demo } = await start({ inputs: 'renamed-lenient' });
    expect((await demo(create, { i: { name: 'Night' } })).errors[0]?.message).toBe('name is required.');
    expect(service.requests.at(-1)?.ignoredMembers).toEqual(['CreateGroupInput.name']);
  });
});

describe('tokens', () => {
  test('a JWT has its times, and comes without a lifetime', async () => {
    const { service, demo } = await start({ accessTokens: 'jwt' });
    const answer = await tokens(service.fetch);
    expect(Object.keys(answer).sort()).toEqual(['access_token', 'refresh_token', 'scope']);
    const [header, claims] = answer.access_token.split('.').slice(0, 2);
    const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(read(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const now = service.clock.now() / 1000;
    expect(read(claims)).toMatchObject({ sub: 'demo', iat: now, exp: now + 300 });
    expect((await tokens(service.fetch)).access_token).not.toBe(answer.access_token);
    expect((await demo('{ getRoles { id } }')).status).toBe(200);
    service.clock.advance(300_000);
    expect((await demo('{ getRoles { id } }')).status).toBe(401);
  });

  test('refusals as 403 and in GraphQL words', async () => {
    const { service, demo } = await start({ refusals: 'forbidden' });
    service.clock.advance(hour);
    const forbidden = await demo('{ getRoles { id } }');
    expect([forbidden.status, forbidden.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="invalid_token"',
    ]);
    service.setVariant({ refusals: 'graphql' });
    const worded = await demo('{ getRoles { id } }');
    expect([worded.status, JSON.parse(worded.text)]).toEqual([
      200,
      { errors: [{ message: 'Unauthorized', extensions: { code: 'UNAUTHENTICATED' } }], data: null },
    ]);
  });

  test('userinfo as in the contract', async () => {
    const { demo } = await start({ userInfo: 'contract' });
    expect(Object.keys(demo.user).sort()).toEqual(['fleetName', 'userId', 'userName']);
    const headers = { ...demo.headers };
    expect((await post((await start({})).service.fetch, headers, '{}')).status).toBe(401);
  });
});

test('a gateway: every error status comes as a page, with its headers', async () => {
  const { service, demo } = await start({ gatewayErrors: 'html' });
  service.faults.add({ kind: 'status', status: 503, retryAfter: 7 });
  const failed = await demo('{ getRoles { id } }');
  expect([failed.status, failed.headers.get('content-type'), failed.headers.get('retry-after')]).toEqual([
    503,
    'text/html; charset=utf-8',
    '7',
  ]);
  expect(failed.text).toContain('<h1>503</h1>');
  const init = { method: 'POST', body: form({ username: 'demo', password: 'wrong' }) };
  const refused = await answerOf(await service.fetch('http://mock.test/login/token', init));
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('<h1>401</h1>')]);
  expect((await demo('{ getRoles { id } }')).status).toBe(200);
});

test('a turn that lingers: the next request meets 429, later ones do not', async () => {
  const { demo } = await start({ lingerMs: 30 });
  expect((await demo('{ getRoles { id } }')).status).toBe(200);
  expect((await demo('{ getRoles { id } }')).status).toBe(429);
  let status = 429;
  while (status === 429) {
    await new Promise((resolve) => setImmediate(resolve));
    ({ status } = await demo('{ getRoles { id } }'));
  }
  expect(status).toBe(200);
});

test('an idle connection is closed without notice', async () => {
  const { service } = await start({ idleConnectionMs: 0 });
  const server = await service.listen();
  const closed = await new Promise<readonly [string | undefined, boolean]>((resolve, reject) => {
    const sent = httpRequest(`${server.url}/login/userinfo`, { headers: { connection: 'keep-alive' } }, (answer) => {
      answer.resume();
      const { connection } = answer.headers;
      answer.socket.once('close', (hadError) => resolve([connection, hadError]));
    });
    sent.on('error', reject);
    sent.end();
  });
  expect(closed).toEqual(['keep-alive', false]);
  await server.close();
});
