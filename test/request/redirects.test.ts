// Redirects could send passwords, tokens or mutations to an unknown address: none is followed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Fetch, FleetClient, memoryTokenStore } from '../../src/index.js';
import { answerFrom, type Served, serve, textOf } from './http-server.js';
import { makeClient, makeService, rejection } from './setup.js';

const service = makeService();
const leaked: string[] = [];
let redirected = '';
let elsewhere: Served;
let served: Served;
beforeAll(async () => {
  elsewhere = await serve(async (request, response) => {
    leaked.push(`${request.headers.authorization} ${await textOf(request)}`);
    response.end('{"data":{"getRoles":[]}}');
  });
  served = await serve((request, response) => {
    if (!request.url?.startsWith(redirected)) return void answerFrom(service, request, response);
    request.resume();
    response.writeHead(307, { location: `${elsewhere.url}${request.url}` }).end();
  });
});
afterAll(async () => {
  await served.close();
  await elsewhere.close();
});
beforeEach(() => {
  leaked.length = 0;
});

const fetches: Readonly<Record<string, Fetch | undefined>> = {
  'the connections of the client': undefined,
  'the global fetch': (url, init) => fetch(url, init),
};

function client(customFetch: Fetch | undefined): FleetClient {
  const credentials = { username: 'demo', password: 'demo' };
  const own = customFetch ? { fetch: customFetch } : {};
  return new FleetClient({ baseUrl: served.url, credentials, clock: service.clock, retry: { baseDelayMs: 0 }, ...own });
}

test.each(Object.entries(fetches))('%s is not led away', async (_name, customFetch) => {
  for (const path of ['/graphql', '/login/token', '/login/userinfo']) {
    redirected = path;
    await using fleet = client(customFetch);
    expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'HTTP', status: 307, attempts: 1 });
  }
  expect(leaked).toEqual([]);
});

test('every request of a session is sent with redirect: manual', async () => {
  const seen = new Map<string, unknown>();
  const fetch: Fetch = (url, init) => {
    seen.set(new URL(url).pathname, init.redirect);
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch, tokenStore: memoryTokenStore() });
  await fleet.getRoles();
  service.clock.advance(301_000);
  await fleet.getRoles();
  const paths = ['/api/login/token', '/api/login/userinfo', '/api/graphql', '/api/login/refresh'];
  expect([...seen].sort()).toEqual(paths.map((path) => [path, 'manual']).sort());
});

test('reports once a fetch that follows redirects anyway, and does not use its answer', async () => {
  const following: Fetch = (url, init) => fetch(url, { ...init, redirect: 'follow' });
  redirected = '/graphql';
  await using fleet = client(following);
  const message = expect.stringContaining(`redirect of getRoles to ${elsewhere.url}`);
  expect(await rejection(fleet.getRoles())).toMatchObject({ code: 'PROTOCOL', attempts: 1, message });
  const change = fleet.createGroup({ createGroupInput: { name: 'x' } });
  expect(await rejection(change)).toMatchObject({ code: 'AMBIGUOUS_MUTATION', cause: { code: 'PROTOCOL' } });
  redirected = '/login/token';
  await using another = client(following);
  expect(await rejection(another.getRoles())).toMatchObject({ code: 'PROTOCOL', operation: 'login', attempts: 1 });
});

test('a fetch that does not say whether it followed one is judged by the address of the answer', async () => {
  const answer = (url: string) => ({ ok: true, status: 200, headers: new Headers(), url, text: async () => '{}' });
  const from = (origin: string) => {
    const fetch = async (url: string) => ({
      ...answer(url.replace('http://service.test', origin)),
      json: async () => ({}),
    });
    return rejection(makeClient(service, { fetch }).login());
  };
  const refused = { message: expect.stringContaining('http://elsewhere.test') };
  expect(await from('http://elsewhere.test')).toMatchObject({ code: 'PROTOCOL', ...refused });
  // The right address, but without a token.
  expect(await from('http://service.test')).toMatchObject({ message: expect.stringContaining('access_token') });
});

test('a fetch that sends everything to a gateway has followed no redirect', async () => {
  redirected = '/never';
  const gateway: Fetch = (url, init) => fetch(url.replace('http://service.test', served.url), init);
  const fleet = makeClient(service, { baseUrl: 'http://service.test', fetch: gateway });
  expect(await fleet.getRoles()).not.toEqual([]);
});
