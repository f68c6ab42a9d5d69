// A client without this project's code: forms, headers and bodies written by the contract.
import { request } from 'node:http';
import { createMockService } from 'fleet-telematics/mock';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { held, untilHeld } from '../held.js';
import { clock } from '../moment.js';

const service = createMockService({ clock });
let server: Awaited<ReturnType<typeof service.listen>>;

beforeAll(async () => {
  server = await service.listen({ port: 0 });
});
beforeEach(() => service.reset());
afterAll(() => server.close());

interface Answer {
  status: number;
  type: string;
  text: string;
  json: () => Record<string, unknown>;
}

function send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const outgoing = request(
      `${server.url}${path}`,
      { method, agent: false, headers: { ...length, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const type = incoming.headers['content-type'] ?? '';
          resolve({ status: incoming.statusCode ?? 0, type, text, json: () => JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Returns a form as curl -F writes it. */
function form(fields: Record<string, string>): { headers: Record<string, string>; body: string } {
  const boundary = '------------------------d74496d66958873e';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}

function post(path: string, fields: Record<string, string>): Promise<Answer> {
  const { headers, body } = form(fields);
  return send('POST', path, headers, body);
}

async function logIn(username = 'demo', password = 'demo') {
  const answer = await post('/login/token', { username, password });
  expect(answer.status).toBe(200);
  const { access_token: access, refresh_token: refresh } = answer.json();
  const users: { userId: string; userName: string; fleetName: string; fleetId: string }[] = JSON.parse(
    (await send('GET', '/login/userinfo', { authorization: `Bearer ${access}` })).text,
  );
  const [user] = users;
  if (!user) throw new Error('no user');
  return { access: String(access), refresh: String(refresh), users, user };
}

function query(headers: Record<string, string>, document: string, variables?: object): Promise<Answer> {
  const body = JSON.stringify(variables ? { query: document, variables } : { query: document });
  return send('POST', '/graphql', { 'content-type': 'application/json', ...headers }, body);
}

test('login, userinfo, graphql by userId and by fleetId, refresh', async () => {
  const answer = await post('/login/token', { username: 'demo', password: 'demo' });
  expect(answer.type).toMatch(/^application\/json/);
  const tokens = answer.json();
  expect(Object.keys(tokens)).toEqual(expect.arrayContaining(['access_token', 'refresh_token', 'scope']));

  const { access, refresh, user } = await logIn();
  expect(Object.keys(user)).toEqual(expect.arrayContaining(['userName', 'userId', 'fleetName']));
  const authorization = `Bearer ${access}`;
  const byUser = await query({ authorization, userId: user.userId }, '{ getVehicles { id name } }');
  expect(byUser.status).toBe(200);
  const byFleet = await query({ authorization, fleetId: user.fleetId }, '{ getVehicles { id name } }');
  expect(byFleet.json()).toEqual(byUser.json());
  const { data } = byUser.json() as { data: { getVehicles: { id: string; name: string }[] } };
  expect(data.getVehicles).toHaveLength(25);

  const one = await query(
    { authorization, userId: user.userId },
    'query One($id: UUID!) { getVehicleById(id: $id) { name } }',
    { id: data.getVehicles[3]?.id },
  );
  expect(one.json()).toEqual({ data: { getVehicleById: { name: data.getVehicles[3]?.name } } });

  service.clock.advance(299_000);
  expect((await query({ authorization, userId: user.userId }, '{ getRoles { id } }')).status).toBe(200);
  service.clock.advance(1_000);
  expect((await query({ authorization, userId: user.userId }, '{ getRoles { id } }')).status).toBe(401);

  const refreshed = await post('/login/refresh', { refreshToken: refresh });
  expect(refreshed.status).toBe(200);
  const renewed = `Bearer ${refreshed.json().access_token}`;
  expect((await query({ authorization: renewed, userId: user.userId }, '{ getRoles { id } }')).status).toBe(200);

  service.clock.advance(12 * 3_600_000);
  expect((await post('/login/refresh', { refreshToken: refresh })).status).toBe(401);
});

test('two overlapping requests of one user: one 200, one 429; another user is not concerned', async () => {
  const demo = await logIn();
  const limited = await logIn('limited', 'limited');
  const ask = ({ access, user }: typeof demo) =>
    query({ authorization: `Bearer ${access}`, userId: user.userId }, '{ getVehicles { id } }');
  service.faults.add({ ...held, path: '/graphql' });
  const active = ask(demo);
  await untilHeld(service);
  expect([(await ask(demo)).status, (await ask(limited)).status]).toEqual([429, 200]);
  service.faults.clear();
  expect([(await active).status, (await ask(demo)).status]).toEqual([200, 200]);
});

test('a wrong password, a wrong token, a missing, malformed or foreign user: a clear refusal each', async () => {
  const wrong = await post('/login/token', { username: 'demo', password: 'not-it' });
  expect(wrong.status).toBe(401);
  expect(wrong.text).not.toContain('not-it');
  expect((await post('/login/token', { username: 'demo' })).status).toBe(400);
  expect((await send('GET', '/login/userinfo', {})).status).toBe(401);
  expect((await post('/login/refresh', { refreshToken: 'forged' })).status).toBe(401);

  const { access, user } = await logIn();
  const multi = await logIn('multi', 'multi');
  const authorization = `Bearer ${access}`;
  const ask = (headers: Record<string, string>) => query(headers, '{ getRoles { id } }');
  const statuses = [
    await ask({ userId: user.userId }),
    await ask({ authorization: 'Bearer forged', userId: user.userId }),
    await ask({ authorization: access, userId: user.userId }),
    await ask({ authorization }),
    await ask({ authorization, userId: 'not-a-uuid' }),
    await ask({ authorization, userId: multi.user.userId }),
    await ask({ authorization, fleetId: multi.user.fleetId }),
  ];
  expect(statuses.map((answer) => answer.status)).toEqual([401, 401, 401, 400, 400, 403, 403]);
  for (const answer of statuses) {
    const { errors } = answer.json() as { errors: { message: string; extensions: { classification: string } }[] };
    expect(errors[0]?.message.length).toBeGreaterThan(10);
    expect(errors[0]?.extensions.classification).toMatch(/^\w+$/);
  }
});

test('malformed JSON, GraphQL and values: a clear error, no harm done', async () => {
  const { access, user } = await logIn();
  const headers = { authorization: `Bearer ${access}`, userId: user.userId };
  const state = async () => (await query(headers, '{ getVehicles { id name version } getPeople { id version } }')).text;
  const before = await state();
  const raw = (body: string, type = 'application/json') =>
    send('POST', '/graphql', { ...headers, 'content-type': type }, body);
  expect((await raw('{"query": ')).status).toBe(400);
  expect((await raw('[]')).status).toBe(400);
  expect((await raw('{}')).status).toBe(400);
  expect((await raw('{"query": "{ getRoles { id } }"}', 'text/plain')).status).toBe(415);

  const failing = [
    await query(headers, '{ getVehicles { id '),
    await query(headers, '{ noSuchField }'),
    await query(headers, 'query ($id: UUID!) { getVehicleById(id: $id) { id } }'),
    await query(headers, 'query ($id: UUID!) { getVehicleById(id: $id) { id } }', { id: 'nope' }),
    await query(
      headers,
      '{ getSnapshots(vehicleId: "6ba7b810-9dad-41d1-80b4-00c04fd430c8", from: "yesterday", to: "2026-01-01T00:00:00Z") { timestamp } }',
    ),
    await query(headers, '{ getDriverAssignments(input: {}) { id } }'),
    await query(headers, 'mutation { deletePerson(personId: "6ba7b810-9dad-41d1-80b4-00c04fd430c8") }'),
  ];
  for (const answer of failing) {
    const { errors } = answer.json() as { errors: { message: string; extensions: { classification: string } }[] };
    expect(answer.status).toBeLessThan(500);
    expect(errors[0]?.message.length, answer.text).toBeGreaterThan(10);
    expect(errors[0]?.extensions.classification, answer.text).toMatch(/^\w+$/);
    expect(answer.text).not.toMatch(/ at .*\.(js|ts):\d+/);
  }
  expect(await state()).toBe(before);
});

test('an assignment that starts more than 10 days in the past is refused and changes nothing', async () => {
  const { access, user } = await logIn();
  const headers = { authorization: `Bearer ${access}`, userId: user.userId };
  const { data } = (await query(headers, '{ getActiveVehicles { id } getPeople { id isDriver } }')).json() as {
    data: { getActiveVehicles: { id: string }[]; getPeople: { id: string; isDriver: boolean }[] };
  };
  const vehicleId = data.getActiveVehicles[0]?.id;
  const driverId = data.getPeople.find((person) => person.isDriver)?.id;
  const rows = () =>
    query(
      headers,
      'query ($v: UUID!) { getDriverAssignments(input: { vehicleId: $v }) { id version startedAt endedAt } }',
      {
        v: vehicleId,
      },
    );
  const assign = (ago: number) =>
    query(headers, 'mutation ($i: AssignDriverInput!) { assignDriver(assignDriverInput: $i) }', {
      i: { vehicleId, driverId, startTimestamp: new Date(service.clock.now() - ago).toISOString() },
    });
  const day = 86_400_000;
  const before = (await rows()).text;
  const refused = (await assign(10 * day + 60_000)).json() as { errors: { message: string }[] };
  expect(refused.errors[0]?.message).toMatch(/10 days/);
  expect((await rows()).text).toBe(before);
  expect((await assign(10 * day - 60_000)).json()).toEqual({ data: { assignDriver: true } });
});
