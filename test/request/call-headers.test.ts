// The headers of one call, over real HTTP.
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetClient, InvalidInputError } from '../../src/index.js';
import { answerFrom, type Served, serve } from './http-server.js';
import { makeClient, makeService, rejection } from './setup.js';

const service = makeService();
const received: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
let server: Served;
beforeAll(async () => {
  server = await serve((request, response) => {
    received.push({ path: String(request.url), headers: request.headers });
    void answerFrom(service, request, response);
  });
});
afterAll(() => server.close());

test('are those of its requests only, in place of those of the client', async () => {
  const credentials = { username: 'demo', password: 'demo' };
  const headers = { 'X-Job': 'client', 'x-region': 'eu' };
  await using fleet = new FleetClient({ baseUrl: server.url, credentials, clock: service.clock, headers });
  const [vehicle] = await fleet.getVehicles({}, { headers: { 'x-job': 'call' } });
  await fleet.getRoles();
  await fleet.request('{ getLabels { id } }', {}, { headers: { 'x-job': 'request' } });
  const to = new Date(service.clock.now());
  const period = { vehicleId: vehicle?.id ?? '', from: new Date(to.getTime() - 60_000), to };
  await fleet.streamSnapshots(period, { headers: { 'x-job': 'stream' } }).next();
  expect(received.map(({ path, headers }) => [path, headers['x-job'], headers['x-region']])).toEqual([
    ['/login/token', 'client', 'eu'],
    ['/login/userinfo', 'client', 'eu'],
    ['/graphql', 'call', 'eu'],
    ['/graphql', 'client', 'eu'],
    ['/graphql', 'request', 'eu'],
    ['/graphql', 'stream', 'eu'],
  ]);
});

test('keep calls apart that have others, and those with the same travel together', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  await fleet.getUserInfo();
  service.clearRequests();
  const alice = { headers: { 'x-end-user': 'alice' } };
  await Promise.all([
    fleet.getRoles({}, alice),
    fleet.getLabels({}, { headers: { 'x-end-user': 'alice' } }),
    fleet.getRules({}, { headers: { 'x-end-user': 'bob' } }),
    fleet.getGroups(),
  ]);
  expect(service.requests.map(({ operations }) => operations)).toEqual([
    ['getRoles', 'getLabels'],
    ['getRules'],
    ['getGroups'],
  ]);
});

test('are copied when the call is made', async () => {
  const seen: (string | undefined)[] = [];
  const service = makeService();
  const fleet = makeClient(service, {
    fetch: (url, init) => {
      if (url.endsWith('/graphql')) seen.push(init.headers['x-job']);
      return service.fetch(url, init);
    },
  });
  const headers = { 'x-job': 'one' };
  const called = fleet.getRoles({}, { headers });
  headers['x-job'] = 'two';
  await called;
  expect(seen).toEqual(['one']);
});

test.each([
  [{ authorization: 'Bearer x' }, /headers must not have authorization: the client sets it/],
  [{ 'User-Agent': 'x' }, /headers must not have user-agent: the option userAgent sets it/],
  [{ 'x-a': 'a\nb' }, /headers must have values that are strings and fit in a header/],
  [new Headers({ 'x-a': '1' }), /headers must be a plain object/],
])('are refused before anything is sent: %j', async (headers, message) => {
  const service = makeService();
  const error = await rejection(makeClient(service).getRoles({}, { headers: headers as never }));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(String(error)).toMatch(message);
  expect(service.requests).toEqual([]);
});
