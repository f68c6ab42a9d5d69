// Calls whose token is replaced slowly or not at all: each reason, each fault, each kind of call.
// They end in time, never fail as unauthorised, and use a valid token.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';
import { type Fetch, memoryTokenStore } from '../../src/index.js';
import type { MockService } from '../../src/mock/service.js';
import { HandTimers } from '../request/hand-timers.js';
import { createDeferred, makeClient, makeService, statusesOf } from '../request/setup.js';

let timers = new HandTimers();
beforeEach(() => {
  timers = new HandTimers();
  vi.spyOn(realTimers, 'now').mockImplementation(() => timers.now());
  vi.spyOn(realTimers, 'after').mockImplementation((ms, run) => timers.after(ms, run));
});
afterEach(() => void vi.restoreAllMocks());

type Client = ReturnType<typeof makeClient>;
const TIMEOUT_MS = 3000;

const calls: Readonly<Record<string, (fleet: Client) => Promise<unknown>>> = {
  'a query': (fleet) => fleet.getLabels({}, { timeoutMs: TIMEOUT_MS }),
  'a change': (fleet) => fleet.createGroup({ createGroupInput: { name: 'once' } }, { timeoutMs: TIMEOUT_MS }),
  'the list of users': (fleet) => fleet.listLoginUsers({ timeoutMs: TIMEOUT_MS }),
};

const needs: Readonly<Record<string, { readonly ageMs: number; readonly isRefused?: true }>> = {
  'the token has expired': { ageMs: 301_000 },
  'the token is refused': { ageMs: 1000, isRefused: true },
  'the token is refused while it is refreshed early': { ageMs: 250_000, isRefused: true },
};

interface Fault {
  readonly expectedError: object;
  readonly begin: (service: MockService) => void;
  readonly holdsRefresh?: true;
  readonly holdsLock?: true;
}

const refreshFault = (rule: object) => (service: MockService) =>
  // one of the rules below
  void service.faults.add({ path: '/login/refresh', times: 1000, ...rule } as never);
const faults: Readonly<Record<string, Fault>> = {
  hangs: {
    expectedError: { code: 'TIMEOUT', retryable: true, waitedFor: 'the service had not answered the refresh request' },
    begin: () => undefined,
    holdsRefresh: true,
  },
  'is answered with 503': {
    expectedError: { code: 'HTTP', status: 503, retryable: true, operation: 'refresh' },
    begin: refreshFault({ kind: 'status', status: 503 }),
  },
  'is answered with 429': {
    expectedError: { code: 'RATE_LIMIT', retryable: true, operation: 'refresh' },
    begin: refreshFault({ kind: 'status', status: 429 }),
  },
  'is cut': {
    expectedError: { code: 'NETWORK', retryable: true, operation: 'refresh' },
    begin: refreshFault({ kind: 'reset' }),
  },
  'waits for the lock of another process': {
    expectedError: {
      code: 'TIMEOUT',
      retryable: true,
      waitedFor: 'another process or client held the lock of the session',
    },
    begin: () => undefined,
    holdsLock: true,
  },
};

async function setUp({ holdsRefresh, holdsLock, begin }: Omit<Fault, 'expectedError'>, ageMs: number, isOpen = true) {
  // A cut answer loses the new refresh token.
  const service = makeService({ variant: { refreshTokens: { rotateWithGraceMs: 600_000 } } });
  const tokenStore = memoryTokenStore();
  const released = createDeferred();
  const refused = new Set<string>();
  const fetch: Fetch = async (url, init) => {
    if (refused.has(init.headers.authorization ?? '')) {
      service.faults.add({ kind: 'status', status: 401, path: new URL(url).pathname.replace('/api', ''), times: 1 });
    }
    const response = await service.fetch(url, init);
    if (holdsRefresh && url.endsWith('/login/refresh')) await released.promise;
    return response;
  };
  const options = { tokenStore, sessionKey: 'mine', fetch, retry: {} };
  await makeClient(service, options).login();
  const fleet = makeClient(service, { ...options, credentials: undefined });
  // The user of the login is known.
  if (isOpen) await fleet.getRoles();
  service.clock.advance(ageMs);
  begin(service);
  const [key = ''] = (await tokenStore.keys?.()) ?? [];
  const token = (await tokenStore.load(key))?.accessToken ?? '';
  const holder = holdsLock ? tokenStore.withLock(key, () => released.promise) : null;
  service.clearRequests();
  const refuse = () => refused.add(`Bearer ${token}`);
  const release = async () => {
    released.resolve();
    await holder;
    await timers.pass(0);
  };
  return { service, fleet, refuse, release, options };
}

/** Records the outcome of a call and its time. */
function outcomeOf(call: Promise<unknown>) {
  const startedAt = timers.now();
  const outcome: { value?: unknown; error?: unknown; afterMs: number } = { afterMs: Number.POSITIVE_INFINITY };
  call.then(
    (value) => Object.assign(outcome, { value, afterMs: timers.now() - startedAt }),
    (error) => Object.assign(outcome, { error, afterMs: timers.now() - startedAt }),
  );
  return outcome;
}

describe.each(Object.keys(faults))('a refresh that %s', (fault) => {
  const faultRule = faults[fault] as Fault; // `fault` is a key

  describe.each(Object.keys(needs))('when %s', (need) => {
    const { ageMs, isRefused } = needs[need] as (typeof needs)[string]; // `need` is a key

    test.each(Object.keys(calls))('%s is told so in its time', async (call) => {
      const { service, fleet, refuse, release } = await setUp(faultRule, ageMs);
      if (isRefused) refuse();
      const outcome = outcomeOf(calls[call]?.(fleet) ?? Promise.resolve());
      for (let ms = 0; ms < TIMEOUT_MS; ms += 50) await timers.pass(50);
      expect(outcome).toMatchObject({ error: faultRule.expectedError });
      expect(outcome.afterMs).toBeLessThanOrEqual(TIMEOUT_MS);
      // No request was sent with another token.
      const path = call === 'the list of users' ? '/login/userinfo' : '/graphql';
      expect(statusesOf(service, path)).toEqual(isRefused ? [401] : []);
      // At most one refresh at a time, and a refresh that was sent is completed and stored.
      service.faults.clear();
      await release();
      const next = outcomeOf(fleet.getLabels());
      for (let s = 0; s < 30 && next.afterMs === Number.POSITIVE_INFINITY; s++) await timers.pass(1000);
      expect(next.value).not.toHaveLength(0);
      expect(statusesOf(service, '/login/token')).toEqual([]);
      await fleet.close();
    });
  });

  test.each([
    ['a client that runs', 241_000, true],
    ['a process that has just begun', 241_000, false],
    ['a client that runs', 299_000, true],
    ['a process that has just begun', 299_000, false],
  ])('ahead of time costs a call of %s no time, with a token of %i ms', async (_, ageMs, isOpen) => {
    const { service, fleet, release } = await setUp(faultRule, ageMs, isOpen);
    for (const call of Object.values(calls)) {
      const outcome = outcomeOf(call(fleet));
      await timers.pass(0);
      expect(outcome.error).toBeUndefined();
      expect(outcome.afterMs).toBe(0);
    }
    expect(statusesOf(service, '/graphql').every((status) => status === 200)).toBe(true);
    expect(statusesOf(service, '/login/refresh').length).toBeLessThanOrEqual(1);
    await release();
    await fleet.close();
  });
});

test('a refresh ahead of time goes on without its call: the next call has the new token, and it is stored', async () => {
  const { service, fleet, release, options } = await setUp({ begin: () => undefined, holdsRefresh: true }, 241_000);
  expect(await fleet.getLabels()).not.toHaveLength(0);
  await release();
  service.clock.advance(60_000);
  await fleet.getLabels();
  await makeClient(service, { ...options, credentials: undefined }).getLabels();
  expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  expect(statusesOf(service, '/graphql')).toEqual([200, 200, 200]);
  await fleet.close();
});

test('a token store that does not answer ahead of time costs a call of a client that runs no time', async () => {
  const { fleet, options, release } = await setUp({ begin: () => undefined }, 241_000);
  const { tokenStore } = options;
  vi.spyOn(tokenStore, 'load').mockReturnValue(new Promise(() => undefined));
  const outcome = outcomeOf(fleet.getLabels());
  await timers.pass(0);
  expect(outcome).toMatchObject({ afterMs: 0, value: expect.anything() });
  await release();
  await fleet.close();
});

test('close() waits for a refresh ahead of time that was sent, and not for the lock of another process', async () => {
  const sent = await setUp({ begin: () => undefined, holdsRefresh: true }, 241_000);
  await sent.fleet.getLabels();
  const closing = outcomeOf(sent.fleet.close());
  await timers.pass(1000);
  expect(closing.afterMs).toBe(Number.POSITIVE_INFINITY);
  await sent.release();
  expect(closing.afterMs).toBe(1000);

  const waiting = await setUp({ begin: () => undefined, holdsLock: true }, 241_000);
  await waiting.fleet.getLabels();
  const closed = outcomeOf(waiting.fleet.close());
  await timers.pass(0);
  expect(closed.afterMs).toBe(0);
  await waiting.release();
  expect(statusesOf(waiting.service, '/login/refresh')).toEqual([]);
});
