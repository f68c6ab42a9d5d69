// Events name the user, the request's ids and its calls. Calls that end while waiting emit one too.
import { tracingChannel } from 'node:diagnostics_channel';
import { afterEach, describe, expect, test } from 'vitest';
import type { FetchInit, FetchResponse } from '../../src/core/ports.js';
import type {
  CallEvent,
  CallTrace,
  Fetch,
  FleetClientOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SessionEvent,
  WarningEvent,
} from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { makeClient, makeService, rejection } from './setup.js';

function watchedClient(service: MockService, options: Partial<FleetClientOptions> = {}) {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const retries: RetryEvent[] = [];
  const calls: CallEvent[] = [];
  const others: (SessionEvent | WarningEvent)[] = [];
  const fleet = makeClient(service, {
    hooks: {
      onRequest: (event) => requests.push(event),
      onResponse: (event) => responses.push(event),
      onRetry: (event) => retries.push(event),
      onCall: (event) => calls.push(event),
      onSession: (event) => others.push(event),
      onWarning: (event) => others.push(event),
    },
    ...options,
  });
  return { fleet, requests, responses, retries, calls, others };
}

async function answerOf(service: MockService, url: string, init: FetchInit): Promise<FetchResponse> {
  const response = await service.fetch(url, init);
  const text = await response.text();
  const { ok, status, headers } = response;
  return { ok, status, headers, text: async () => text, json: async () => JSON.parse(text) };
}

const last = <Item>(items: readonly Item[]): Item | undefined => items.at(-1);

describe('whose an event is', () => {
  test('the label is the name of the client, or its base URL; a login is for no user', async () => {
    const service = makeService();
    const named = watchedClient(service, { label: 'north' });
    const [user] = await named.fleet.listLoginUsers();
    await named.fleet.getLabels();
    expect(new Set(named.requests.map(({ label }) => label))).toEqual(new Set(['north']));
    expect(named.requests.map(({ user }) => user)).toEqual([null, null, null, user?.userId]);
    expect(named.calls).toMatchObject([{ operation: 'getLabels', label: 'north', user: user?.userId }]);
    expect(named.others).toEqual([{ how: 'login', label: 'north' }]);
    const nameless = watchedClient(service);
    await nameless.fleet.getLabels();
    expect(last(nameless.requests)?.label).toBe('http://service.test/api');
  });

  test('a warning has the label too, and keeps the words of the service hidden', async () => {
    const service = makeService();
    const { fleet, others } = watchedClient(service, { label: 'north' });
    await fleet.listLoginUsers();
    service.faults.add({ kind: 'graphqlError', message: 'said by the service', path: '/graphql' });
    await fleet.getVehicles({}, { partial: true }).catch(() => undefined);
    service.faults.add({ kind: 'status', status: 429, path: '/graphql' });
    await fleet.getLabels();
    expect(last(others)).toMatchObject({ code: 'SHARED_LOGIN', label: 'north' });
    expect(JSON.stringify(others)).not.toContain('said by the service');
  });

  test('siblings differ in their user', async () => {
    const service = makeService();
    const { fleet, requests } = watchedClient(service, { credentials: { username: 'multi', password: 'multi' } });
    const users = await fleet.listLoginUsers();
    for (const { userId } of users) await fleet.forUser({ userId }).getLabels();
    const requested = requests.filter(({ operations }) => operations.includes('getLabels'));
    expect(requested.map(({ user }) => user)).toEqual(users.map(({ userId }) => userId));
  });

  test('what was given as an id by mistake is not shown', async () => {
    const { fleet, requests, calls } = watchedClient(makeService());
    expect(() => fleet.forUser({ userId: 'a-password-by-mistake' })).toThrow('user.userId must be a UUID');
    await rejection(fleet.forUser({ userId: '5551234' }).getLabels());
    expect([last(requests)?.user, last(calls)?.user]).toEqual([null, null]);
  });
});

describe('ids', () => {
  test('every request has its own, also one that is sent again; each names the calls that it answers', async () => {
    const service = makeService();
    const { fleet, requests, responses, retries, calls } = watchedClient(service);
    await fleet.listLoginUsers();
    service.faults.add({ kind: 'status', status: 503, path: '/graphql' });
    await Promise.all([fleet.getLabels(), fleet.getRoles()]);
    const own = requests.slice(-2);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length);
    expect(responses.map(({ requestId }) => requestId)).toEqual(requests.map(({ requestId }) => requestId));
    expect(retries).toMatchObject([{ requestId: own[0]?.requestId, callIds: own[0]?.callIds, reason: '503' }]);
    expect(own.map(({ callIds }) => callIds)).toEqual([
      calls.map(({ callId }) => callId),
      calls.map(({ callId }) => callId),
    ]);
    for (const { requestIds } of calls) expect(requestIds).toEqual(own.map(({ requestId }) => requestId));
  });

  test('two clients never make the same', async () => {
    const service = makeService();
    const clients = [watchedClient(service), watchedClient(service)];
    for (const { fleet } of clients) await fleet.getLabels();
    const ids = clients.flatMap(({ requests, calls }) => [
      ...requests.map(({ requestId }) => requestId),
      ...calls.map(({ callId }) => callId),
    ]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['x-request-id', 'req/4711', 'req/4711'],
    // An id with a slash; a value that repeats part of the request is no id.
    ['X-Correlation-Id', 'corr/0b7c', 'corr/0b7c'],
    ['request-id', '|0b7c.1.', null],
    ['x-amzn-requestid', 'a'.repeat(200), null],
    ['x-other', '1', null],
  ])('the id that the service sends as %s: %s', async (name, value, expected) => {
    const service = makeService();
    const fetch: Fetch = async (url, init) => {
      const { headers, ...response } = await answerOf(service, url, init);
      const get = (requested: string) =>
        requested.toLowerCase() === name.toLowerCase() ? value : headers.get(requested);
      return { ...response, headers: { get } };
    };
    const { fleet, responses } = watchedClient(service, { fetch });
    await fleet.getLabels();
    expect(responses.map(({ responseId }) => responseId)).toEqual([expected, expected, expected]);
  });
});

describe('the event of a call', () => {
  test('comes once for each call, with how it ended', async () => {
    const service = makeService();
    const { fleet, calls } = watchedClient(service);
    await fleet.listLoginUsers();
    await Promise.all([fleet.getLabels(), fleet.getLabels(), fleet.createGroup({ createGroupInput: { name: 'x' } })]);
    await rejection(fleet.request('{ nothing }'));
    expect(calls.map(({ operation, kind, outcome }) => `${operation} ${kind} ${outcome}`)).toEqual([
      'getLabels query ok',
      'getLabels query ok',
      'createGroup mutation ok',
      expect.stringMatching(/ query GRAPHQL$/),
    ]);
    for (const { waitMs, durationMs } of calls) expect(durationMs).toBeGreaterThanOrEqual(waitMs);
  });

  test('comes also for a call that ended while it waited: no request was sent for it', async () => {
    const service = makeService();
    const { fleet, calls, requests } = watchedClient(service);
    await fleet.listLoginUsers();
    const leaving = new AbortController();
    const first = fleet.createGroup({ createGroupInput: { name: 'x' } });
    const left = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    leaving.abort();
    await Promise.all([first, left]);
    expect(calls.find(({ operation }) => operation === 'getLabels')).toMatchObject({
      outcome: 'ABORTED',
      requestIds: [],
    });
    expect(requests.some(({ operations }) => operations.includes('getLabels'))).toBe(false);
  });

  test('comes for each part of a stream', async () => {
    const service = makeService();
    const { fleet, calls, requests } = watchedClient(service);
    const [vehicle] = await fleet.getActiveVehicles();
    calls.length = 0;
    const to = new Date(service.clock.now());
    const from = new Date(to.getTime() - 3 * 3_600_000);
    for await (const _row of fleet.streamSnapshots({ vehicleId: vehicle?.id ?? '', from, to }));
    const parts = requests.filter(({ operations }) => operations.includes('getSnapshots'));
    expect(calls.map(({ requestIds }) => requestIds)).toEqual(parts.map(({ requestId }) => [requestId]));
  });
});

describe('the tracing channel of calls', () => {
  const channel = tracingChannel<string, CallTrace>('fleet-telematics:call');
  const outcomes: string[] = [];
  const note = (name: string) => (trace: CallTrace) => void outcomes.push(`${name} ${trace.outcome}`);
  const listeners = {
    start: note('start'),
    end: note('end'),
    asyncStart: note('asyncStart'),
    asyncEnd: note('asyncEnd'),
    error: note('error'),
  };
  afterEach(() => {
    channel.unsubscribe(listeners);
    outcomes.length = 0;
  });

  test('reports the start and the end of a call, without any hook', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    channel.subscribe(listeners);
    await fleet.getLabels();
    await rejection(fleet.request('{ nothing }'));
    expect(outcomes).toEqual([
      ...['start null', 'end null', 'asyncStart ok', 'asyncEnd ok'],
      ...['start null', 'end null', 'error null', 'asyncStart GRAPHQL', 'asyncEnd GRAPHQL'],
    ]);
  });
});
