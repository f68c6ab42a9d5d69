// The steps that a program puts around each HTTP request with `use`.
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import type { Fetch, FleetClientOptions, HttpAnswer, HttpRequest, HttpStep } from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection, statusesOf } from './setup.js';

function watched(options: Partial<FleetClientOptions> = {}) {
  const service = makeService();
  const sent: Record<string, string>[] = [];
  const fetch: Fetch = (url, init) => {
    sent.push(init.headers);
    return service.fetch(url, init);
  };
  return { service, sent, fleet: makeClient(service, { fetch, ...options }) };
}

const withHeader =
  (name: string, value: string): HttpStep =>
  (request, next) =>
    next({ ...request, headers: { ...request.headers, [name]: value } });

test('gets each request, logins too, and its end; without token, variables and body', async () => {
  const { fleet } = watched({ headers: { 'x-app': 'a' } });
  const seen: { request: HttpRequest; answer: HttpAnswer }[] = [];
  fleet.use(async (request, next) => {
    const answer = await next(request);
    seen.push({ request, answer });
    return answer;
  });
  await fleet.getGeofenceById({ id: '11111111-0000-4000-8000-000000000001' }, { headers: { 'x-call': 'c' } });
  expect(seen.map(({ request }) => [request.method, request.operations, request.kind, request.attempt])).toEqual([
    ['POST', ['login'], 'login', 1],
    ['GET', ['userinfo'], 'login', 1],
    ['POST', ['getGeofenceById'], 'query', 1],
  ]);
  expect(seen[2]?.request.headers).toEqual({ 'x-app': 'a', 'x-call': 'c' });
  expect(seen[2]?.answer).toMatchObject({ status: 200, reason: null, durationMs: expect.any(Number) });
  expect(JSON.stringify(seen)).not.toMatch(/Bearer|11111111|password/);
});

test('adds and replaces headers, and never those of the contract; the first step is the outermost', async () => {
  const { fleet, sent } = watched({ headers: { 'x-app': 'a', 'x-other': 'o' } });
  const order: string[] = [];
  const named =
    (name: string): HttpStep =>
    async (request, next) => {
      order.push(`${name} before`);
      const answer = await next(request);
      order.push(`${name} after`);
      return answer;
    };
  await fleet.connect();
  fleet.use(named('outer'));
  fleet.use(named('inner'));
  fleet.use(withHeader('x-app', 'b'));
  await fleet.getRoles();
  expect(sent.at(-1)).toMatchObject({ 'x-app': 'b', 'x-other': 'o', authorization: expect.stringMatching(/^Bearer /) });
  expect(order.slice(-4)).toEqual(['outer before', 'inner before', 'inner after', 'outer after']);
});

test('keeps its changes of headers to its request, and replaces names in any letter case', async () => {
  const { fleet, sent } = watched({ headers: { 'X-Job': 'client' } });
  await fleet.connect();
  let count = 0;
  fleet.use((request, next) => {
    Reflect.set(request.headers, 'x-written', String(++count));
    return next({ ...request, headers: { ...request.headers, 'x-job': 'step' } });
  });
  await fleet.getRoles();
  await fleet.getLabels();
  expect(sent.slice(-2).map((headers) => [headers['X-Job'], headers['x-job'], headers['x-written']])).toEqual([
    [undefined, 'step', '2'],
    [undefined, 'step', '3'],
  ]);
});

test('learns of failures, and of each request that is sent again', async () => {
  const { fleet, service } = watched();
  await fleet.getUserInfo();
  const answers: (number | string | null)[][] = [];
  fleet.use(async (request, next) => {
    const answer = await next(request);
    answers.push([request.attempt, answer.status, answer.reason]);
    return answer;
  });
  service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
  service.faults.add({ kind: 'reset', path: '/graphql' });
  await fleet.getRoles();
  expect(answers).toEqual([
    [1, 503, '503'],
    [2, null, 'ECONNRESET'],
    [3, 200, null],
  ]);
});

describe('that fails', () => {
  const failing: Record<string, [HttpStep, RegExp]> = {
    'before the request': [
      () => Promise.reject(new Error('no key')),
      /A step of use\(\) failed, so the request was not sent/,
    ],
    synchronously: [
      () => {
        throw new Error('no key');
      },
      /A step of use\(\) failed/,
    ],
    'by leaving the request out': [
      async () => ({ status: 200, headers: new Headers(), durationMs: 0, reason: null }),
      /ended without a call of next/,
    ],
    'with a header of the contract': [
      withHeader('Authorization', 'Bearer mine'),
      /must not have authorization: the client sets it/,
    ],
  };
  test.each(Object.entries(failing))('%s: the call fails, and nothing is sent', async (_, [step, message]) => {
    const { fleet, service } = watched();
    await fleet.getUserInfo();
    service.clearRequests();
    fleet.use(step);
    const error = await rejection(fleet.createGroup({ createGroupInput: { name: 'North' } }));
    expect(error).toMatchObject({ code: 'HEADERS', attempts: 0, message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('mine');
    expect(service.requests).toEqual([]);
  });

  test.each<[string, HttpStep]>([
    [
      'throws',
      async (request, next) => {
        await next(request);
        throw new Error('the log is full');
      },
    ],
    [
      'never ends',
      async (request, next) => {
        await next(request);
        return createDeferred<HttpAnswer>().promise;
      },
    ],
    [
      'sends it again',
      async (request, next) => {
        await next(request);
        return next(request);
      },
    ],
    [
      'fails in a step that nobody waits for',
      async (request, next) => {
        void next(request);
        throw new Error('too early');
      },
    ],
    [
      'does not wait for it',
      async (request, next) => {
        void next(request);
        return { status: 500, headers: new Headers(), durationMs: 0, reason: null };
      },
    ],
  ])('after the request, as it %s: the change was made once, and its caller has the result', async (_, step) => {
    const { fleet, service } = watched();
    await fleet.connect();
    fleet.use(step);
    expect(await fleet.createGroup({ createGroupInput: { name: 'North' } })).toMatchObject({ name: 'North' });
    expect(service.requests.filter(({ operations }) => operations.includes('createGroup'))).toHaveLength(1);
  });
});

test('that waits too long gives the turn back at the deadline, and sends nothing after it', async () => {
  const { fleet, service } = watched();
  await fleet.getUserInfo();
  service.clearRequests();
  const held = createDeferred();
  const tried = createDeferred<unknown>();
  let isFirst = true;
  fleet.use(async (request, next) => {
    if (!isFirst) return next(request);
    isFirst = false;
    await held.promise;
    const late = next(request);
    tried.resolve(rejection(late));
    return late;
  });
  expect(await rejection(fleet.getRoles({}, { timeoutMs: 30 }))).toMatchObject({ code: 'TIMEOUT', attempts: 0 });
  await fleet.getLabels();
  held.resolve();
  expect(await tried.promise).toMatchObject({ message: expect.stringContaining('is over') });
  expect(statusesOf(service, '/graphql')).toEqual([200]);
});

test('runs in the async context of the caller, and calls of different contexts do not share a request', async () => {
  const { fleet, sent } = watched();
  await fleet.getUserInfo();
  const user = new AsyncLocalStorage<string>();
  fleet.use((request, next) =>
    next({ ...request, headers: { ...request.headers, 'x-end-user': user.getStore() ?? 'nobody' } }),
  );
  sent.length = 0;
  await Promise.all([user.run('alice', () => fleet.getRoles()), user.run('bob', () => fleet.getLabels())]);
  expect(sent.map((headers) => headers['x-end-user'])).toEqual(['alice', 'bob']);
});

test('has to be a function', () => {
  expect(() => makeClient(makeService()).use({} as never)).toThrow(
    /use takes a step: a function of a request and next/,
  );
});
