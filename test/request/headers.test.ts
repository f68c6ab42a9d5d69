// Headers over real HTTP: User-Agent, and the program's, which never replace the contract's.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { FleetClient, type FleetClientOptions, HeadersError, type RequestEvent } from '../../src/index.js';
import { shell } from '../cli/harness.js';
import { answerFrom, type Served, serve } from './http-server.js';
import { makeService, rejection } from './setup.js';

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
beforeEach(() => {
  received.length = 0;
  service.faults.clear();
});

function connect(options: Partial<FleetClientOptions> = {}): FleetClient {
  const credentials = { username: 'demo', password: 'demo' };
  return new FleetClient({ baseUrl: server.url, credentials, clock: service.clock, ...options });
}

const paths = ['/login/token', '/login/userinfo', '/graphql', '/graphql'];

/** Sends a list request, and a stream, whose requests take another code path. */
async function use(fleet: FleetClient): Promise<void> {
  const [vehicle] = await fleet.getActiveVehicles();
  const to = new Date(service.clock.now());
  const from = new Date(to.getTime() - 60_000);
  for await (const _row of fleet.streamSnapshots({ vehicleId: vehicle?.id ?? '', from, to }));
}

describe('User-Agent', () => {
  const standard = `fleet-telematics/${manifest.version} node/${process.versions.node}`;

  test.each([
    ['the connection pool', {}],
    ['a fetch', { fetch: globalThis.fetch }],
  ])('names package and Node on every request over %s, the login too', async (_, options) => {
    await using fleet = connect(options);
    await use(fleet);
    expect(received.map(({ path }) => path)).toEqual(paths);
    expect(received.map(({ headers }) => headers['user-agent'])).toEqual(paths.map(() => standard));
  });

  test('is what the program says', async () => {
    await using fleet = connect({ userAgent: 'sync/2.1 (ops@example.com)' });
    await use(fleet);
    expect(received.map(({ headers }) => headers['user-agent'])).toEqual(paths.map(() => 'sync/2.1 (ops@example.com)'));
  });

  test("is on the command line's requests too, the checks of `doctor` among them", async () => {
    const env = { FLEET_BASE_URL: server.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
    const fleet = shell(globalThis.fetch, env);
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    await fleet(['doctor']);
    expect(received.length).toBeGreaterThan(4);
    expect(new Set(received.map(({ headers }) => headers['user-agent']))).toEqual(new Set([standard]));
  });
});

describe('headers of the program', () => {
  test('are on every request', async () => {
    await using fleet = connect({ headers: { 'X-Gateway-Key': 'k1' } });
    await use(fleet);
    expect(received.map(({ headers }) => headers['x-gateway-key'])).toEqual(paths.map(() => 'k1'));
    expect(received.every(({ headers }) => headers.accept === 'application/json')).toBe(true);
  });

  test('of a function are those of the request, in the context of its caller', async () => {
    const trace = new AsyncLocalStorage<string>();
    const events: RequestEvent[] = [];
    await using fleet = connect({
      merge: false,
      headers: (request) => {
        events.push(request);
        return { 'x-request-id': request.requestId, 'x-trace': trace.getStore() ?? 'none' };
      },
    });
    await Promise.all(['a', 'b', 'c'].map((name) => trace.run(name, () => fleet.getLabels())));
    expect(received.map(({ headers }) => headers['x-request-id'])).toEqual(events.map(({ requestId }) => requestId));
    expect(received.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a', 'a', 'b', 'c']);
    expect(events.map(({ operations }) => operations[0])).toEqual([
      ...['login', 'userinfo', 'getLabels', 'getLabels', 'getLabels'],
    ]);
  });

  test.each([
    [{ Authorization: 'Bearer x' }, 'headers must not have authorization: the client sets it.'],
    [{ userId: 'x' }, 'headers must not have userid: the client sets it.'],
    [{ FLEETID: 'x' }, 'headers must not have fleetid: the client sets it.'],
    [{ 'content-type': 'x' }, 'headers must not have content-type: the client sets it.'],
    [{ 'User-Agent': 'x' }, 'headers must not have user-agent: the option userAgent sets it.'],
    [{ 'x y': 'secret' }, 'headers must have header names that HTTP allows.'],
    [{ 'x-y': 'secret\n' }, 'headers must have values that are strings and fit in a header.'],
    [{ 'x-y': 1 }, 'headers must have values that are strings and fit in a header.'],
    [new Headers({ 'x-y': '1' }), 'headers must be a plain object of header names and strings.'],
    ['x-y: 1', 'headers must be a plain object of header names and strings.'],
  ])('%j are refused at once', (headers, message) => {
    // Not what the type allows.
    expect(() => connect({ headers: headers as never })).toThrow(expect.objectContaining({ message }));
  });

  test.each([[''], ['a\nb'], [7]])('a user agent %j is refused', (userAgent) => {
    expect(() => connect({ userAgent: userAgent as never })).toThrow(
      'userAgent must be a non-empty string that fits in a header.',
    );
  });

  test.each([
    [
      () => Promise.resolve({}),
      'The result of the headers function of the client must be headers, not a promise of them. The request was not sent.',
    ],
    [
      () => ({ AUTHORIZATION: 'mine' }),
      'The result of the headers function of the client must not have authorization: the client sets it. The request was not sent.',
    ],
    [
      () => {
        throw new TypeError('no trace');
      },
      'The headers function of the client failed, so the request was not sent: error.cause is what it threw. Make the call again when the function works.',
    ],
  ])('a function that gives none ends the call, and nothing is sent: %#', async (headers, message) => {
    await using fleet = connect({ headers: headers as never });
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HEADERS', message, operation: 'login' });
    expect(received).toEqual([]);
  });

  const broken = () => {
    throw new TypeError('no trace');
  };
  test.each<[string, () => unknown, boolean]>([
    ['throws', broken, true],
    [
      'returns headers that throw when they are read',
      () => Object.defineProperty({}, 'x', { get: broken, enumerable: true }),
      true,
    ],
    ['returns a promise that is rejected', () => Promise.reject(new TypeError('no trace')), false],
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    ['returns a promise of another library', () => Object.create({ then: () => undefined }), false],
    ['returns nothing', () => undefined, false],
    ['returns a value that does not fit', () => ({ 'x-y': 'a\nb' }), false],
  ])(
    'a function that %s: the same call is worth another try only when the function failed',
    async (_name, headers, isRetryable) => {
      const cause = isRetryable ? new TypeError('no trace') : undefined;
      let fails = false;
      // Not what the type allows.
      const own = () => (fails ? headers() : {}) as Record<string, string>;
      await using fleet = connect({ headers: own });
      await fleet.getLabels();
      fails = true;
      for (const call of [() => fleet.getRoles(), () => fleet.login(), () => fleet.stream('getVehicles').next()]) {
        const error = await rejection(call());
        expect(error).toBeInstanceOf(HeadersError);
        expect(error).toMatchObject({ code: 'HEADERS', attempts: 0, retryable: isRetryable });
        expect((error as HeadersError).cause).toEqual(cause); // an instance, as checked above
      }
    },
  );

  test('a function that fails later names the call', async () => {
    let fails = false;
    await using fleet = connect({
      headers: () => {
        if (fails) throw new TypeError('no trace');
        return {};
      },
    });
    await fleet.getLabels();
    fails = true;
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'x' } }));
    expect(error).toMatchObject({
      code: 'HEADERS',
      operation: 'createGroup',
      retryable: true,
      cause: new TypeError('no trace'),
    });
    const merged = await Promise.all([rejection(fleet.getRoles()), rejection(fleet.getLabels())]);
    expect(merged).toMatchObject([{ operation: 'getRoles' }, { operation: 'getLabels' }]);
    fails = false;
    expect(await fleet.getLabels()).not.toHaveLength(0);
  });
});

test('headers of a call are those of its requests only, in place of those of the client', async () => {
  const headers = { 'X-Job': 'client', 'x-region': 'eu' };
  await using fleet = connect({ headers });
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
