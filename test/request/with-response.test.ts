// The HTTP response to a call.
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { type CallResponse, type Fetch, FleetClient, type FleetStream, type Role } from '../../src/index.js';
import { answerFrom, type Served, serve } from './http-server.js';
import { makeClient, makeService, rejection, START } from './setup.js';

const service = makeService();
let server: Served;
let answers = 0;
beforeAll(async () => {
  server = await serve((request, response) => {
    response.setHeader('x-request-id', `answer-${++answers}`);
    response.setHeader('x-quota', ['7', '9']);
    void answerFrom(service, request, response);
  });
});
afterAll(() => server.close());

const credentials = { username: 'demo', password: 'demo' };
const connect = () => new FleetClient({ baseUrl: server.url, credentials, clock: service.clock });

describe('over HTTP', () => {
  test('has status, headers, the id and the time of the service', async () => {
    await using fleet = connect();
    const { data, response } = await fleet.withResponse(fleet.getRoles());
    expectTypeOf(data).toEqualTypeOf<Role[]>();
    expectTypeOf(response).toEqualTypeOf<CallResponse>();
    expect(data).toEqual(await fleet.getRoles());
    const { headers, ...otherMembers } = response;
    const responseId = `answer-${answers - 1}`;
    expect(otherMembers).toEqual({
      status: 200,
      requestId: null,
      responseId,
      serviceTime: expect.any(Number),
      attempts: 1,
    });
    expect(headers.get('X-Request-Id')).toBe(responseId);
    expect(headers.get('x-nothing')).toBeNull();
    expect(Object.fromEntries(headers)).toMatchObject({ 'x-request-id': responseId, 'x-quota': '7, 9' });
    expect(otherMembers.serviceTime).toBe(Date.parse(headers.get('date') ?? ''));
  });

  test('of a list that is read row by row is there with the first row, which is not lost', async () => {
    await using fleet = connect();
    const expected = await fleet.getVehicles();
    const { data, response } = await fleet.withResponse(fleet.stream('getVehicles'));
    expectTypeOf(data).toMatchTypeOf<FleetStream<(typeof expected)[number]>>();
    expect(response).toMatchObject({ status: 200, responseId: `answer-${answers}`, attempts: 1 });
    const rows = [];
    for await (const row of data) rows.push(row);
    expect(rows).toEqual(expected);
    const stream = fleet.stream('getVehicles');
    await fleet.withResponse(stream);
    expect(await rejection(fleet.withResponse(stream))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('of a stream of snapshots, trips or stops is that to its first request', async () => {
    await using fleet = connect();
    const [vehicle] = await fleet.getVehicles();
    const period = { vehicleId: vehicle?.id ?? '', from: new Date(START - 3_600_000), to: new Date(START) };
    for (const stream of [
      () => fleet.streamSnapshots(period),
      () => fleet.streamTrips(period),
      () => fleet.streamStops({ vehicleIds: [period.vehicleId], from: period.from, to: period.to }),
    ]) {
      const before = answers;
      const { data, response } = await fleet.withResponse<object>(stream());
      expect(response).toMatchObject({ status: 200, responseId: `answer-${before + 1}`, attempts: 1 });
      expect(await data.return()).toEqual({ done: true, value: undefined });
      expect(await data.next()).toEqual({ done: true, value: undefined });
    }
  });
});

test('takes request(), call() and a function that makes the call', async () => {
  const service = makeService();
  const fleet = makeClient(service, { hooks: { onRequest: () => undefined } });
  const requested = await fleet.withResponse(fleet.request<{ getRoles: object[] }>('{ getRoles { id } }'));
  expect(requested.data.getRoles).not.toHaveLength(0);
  const called = await fleet.withResponse(() => fleet.call('getRoles'));
  expect(called).toMatchObject({ data: await fleet.getRoles(), response: { status: 200, attempts: 1 } });
  // An async function returns its own promise.
  const awaited = await fleet.withResponse(async () => (await fleet.getRoles()).length);
  expect(awaited).toMatchObject({ data: called.data.length, response: { status: 200, attempts: 1 } });
  // The client is observed, so its requests have ids.
  expect(called.response.requestId).toEqual(expect.any(String));
});

test('counts the requests of the call; calls that travel together have the same response', async () => {
  const service = makeService();
  const fleet = makeClient(service, { hooks: { onRequest: () => undefined } });
  await fleet.getUserInfo();
  service.faults.add({ kind: 'status', status: 503, times: 2, path: '/graphql' });
  const [roles, labels] = await Promise.all([
    fleet.withResponse(fleet.getRoles()),
    fleet.withResponse(fleet.getLabels()),
  ]);
  expect(roles.response).toMatchObject({ status: 200, attempts: 3 });
  expect(labels.response.requestId).toBe(roles.response.requestId);
});

test('of a fetch without headers says what it knows', async () => {
  const service = makeService();
  const fetch: Fetch = async (url, init) => {
    const response = await service.fetch(url, init);
    const { ok, status } = response;
    return { ok, status, text: () => response.text(), json: () => response.json(), headers: { get: () => null } };
  };
  const fleet = makeClient(service, { fetch });
  const { response } = await fleet.withResponse(fleet.getRoles());
  expect(response).toMatchObject({ status: 200, serviceTime: null, responseId: null });
  expect([...response.headers]).toEqual([]);
});

test('rejects with the error of the call, and refuses what no client has returned', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  service.faults.add({ kind: 'graphqlError', operation: 'getRoles' });
  expect(await rejection(fleet.withResponse(fleet.getRoles()))).toMatchObject({ code: 'GRAPHQL' });
  const made = fleet.getRoles().then((roles) => roles);
  const unreturned = async () => {
    void fleet.getRoles();
  };
  expect(await rejection(fleet.withResponse(unreturned))).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/ended before its call was answered\. .* Its calls continue\.$/),
  });
  for (const [wrong, end] of [
    [made, 'was made anyway.'],
    [async () => 1, 'was made anyway.'],
    [() => Promise.all([fleet.getRoles(), fleet.getLabels()]), 'was made anyway.'],
    [null, 'Nothing was sent.'],
  ] as const)
    expect(await rejection(fleet.withResponse(wrong as never))).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(new RegExp(`^withResponse takes what a method, .*${end}$`)),
    });
  service.faults.add({ kind: 'graphqlError', operation: 'getRoles' });
  expect(await rejection(fleet.withResponse(fleet.getRoles().then((roles) => roles)))).toMatchObject({
    code: 'GRAPHQL',
  });
});
