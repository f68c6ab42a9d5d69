// A used-up refresh token must not cost the next process its session: all ways to leave, rotations,
// stores.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { realTimers } from '../../src/core/ports.js';
import {
  type Fetch,
  fileTokenStore,
  memoryTokenStore,
  NetworkError,
  type StoredSession,
  type TokenStore,
  type WarningEvent,
} from '../../src/index.js';
import { acquireLease } from '../../src/locks/lease.js';
import type { MockService, MockServiceOptions } from '../../src/mock/service.js';
import { HandTimers } from '../request/hand-timers.js';
import { createDeferred, makeClient, makeService, rejection, statusesOf } from '../request/setup.js';

const root = mkdtempSync(join(tmpdir(), 'fleet-refresh-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let timers = new HandTimers();
beforeEach(() => {
  timers = new HandTimers();
  vi.spyOn(realTimers, 'now').mockImplementation(() => timers.now());
  vi.spyOn(realTimers, 'after').mockImplementation((ms, run) => timers.after(ms, run));
});
afterEach(() => void vi.restoreAllMocks());

/** A custom store: texts in a database, and a lock that ignores signals. */
function databaseStore(): () => TokenStore {
  const rows = new Map<string, string>();
  const lock = memoryTokenStore();
  const read = (key: string): StoredSession | null => JSON.parse(rows.get(key) ?? 'null');
  return () => ({
    load: async (key) => read(key),
    save: async (key, session) => void rows.set(key, JSON.stringify(session)),
    async clear(key, ifCurrent) {
      if (ifCurrent === undefined || read(key)?.accessToken === ifCurrent) rows.delete(key);
    },
    withLock: (key, task) => lock.withLock(key, task),
    keys: async () => [...rows.keys()],
  });
}

const stores: Readonly<Record<string, () => () => TokenStore>> = {
  memory: () => {
    const store = memoryTokenStore();
    return () => store;
  },
  files: () => {
    const directory = mkdtempSync(join(root, 's-'));
    return () => fileTokenStore({ directory });
  },
  database: databaseStore,
};

/** Uses up the token at once and answers when the test releases it. An abort ends the wait. */
function holdingRefresh(service: MockService) {
  const spent = createDeferred();
  const released = createDeferred();
  const fetch: Fetch = async (url, init) => {
    const response = await service.fetch(url, init);
    if (!url.endsWith('/login/refresh')) return response;
    spent.resolve();
    await new Promise<void>((resolve, reject) => {
      void released.promise.then(resolve);
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      if (init.signal?.aborted) reject(init.signal.reason);
    });
    return response;
  };
  return { fetch, spent: spent.promise, release: released.resolve };
}

const settle = () => timers.pass(0);

type Client = ReturnType<typeof makeClient>;

const leaveActions: Readonly<Record<string, (fleet: Client, spent: Promise<void>) => Promise<unknown>>> = {
  'an abort': async (fleet, spent) => {
    const leaving = new AbortController();
    const call = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    await spent;
    leaving.abort();
    expect(await call).toMatchObject({ code: 'ABORTED' });
  },
  'timeoutMs: 500': async (fleet, spent) => {
    const call = rejection(fleet.getLabels({}, { timeoutMs: 500 }));
    await spent;
    await timers.pass(500);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  },
  'a client with timeoutMs: 500': async (fleet, spent) => {
    const call = rejection(fleet.listLoginUsers({ timeoutMs: 500 }));
    await spent;
    for (let i = 0; i < 10; i++) await timers.pass(500);
    expect(await call).toMatchObject({ code: 'TIMEOUT' });
  },
  'close()': async (fleet, spent) => {
    const call = rejection(fleet.getLabels());
    await spent;
    void fleet.close();
    expect(await call).toMatchObject({ code: 'CLOSED' });
  },
  'close() after an abort': async (fleet, spent) => {
    const leaving = new AbortController();
    const call = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    await spent;
    leaving.abort();
    await call;
    await settle();
    void fleet.close();
  },
};

const rotations: Readonly<Record<string, MockServiceOptions['variant']>> = {
  'no rotation': {},
  rotation: { refreshTokens: 'rotate' },
  'rotation with a grace': { refreshTokens: { rotateWithGraceMs: 30_000 } },
};

describe.each(Object.keys(stores))('with a store in %s', (store) => {
  describe.each(Object.keys(rotations))('and %s', (rotation) => {
    const setUp = async (options: object = {}) => {
      const service = makeService({ variant: rotations[rotation] });
      const open = stores[store]?.() ?? memoryTokenStore;
      await makeClient(service, { tokenStore: open() }).getLabels();
      const held = holdingRefresh(service);
      const fleet = makeClient(service, { tokenStore: open(), credentials: undefined, fetch: held.fetch, ...options });
      return { service, open, held, fleet };
    };

    const expectSessionThatWorks = async (service: MockService, open: () => TokenStore) => {
      service.clock.advance(301_000);
      await makeClient(service, { tokenStore: open(), credentials: undefined }).getLabels();
      expect(statusesOf(service, '/login/token')).toEqual([200]);
    };

    test.each(Object.keys(leaveActions))('%s loses no refresh', async (action) => {
      const { service, open, held, fleet } = await setUp(action.startsWith('a client') ? { timeoutMs: 500 } : {});
      service.clock.advance(301_000);
      await leaveActions[action]?.(fleet, held.spent);
      held.release();
      await fleet.close();
      // The next process does not refresh again.
      await makeClient(service, { tokenStore: open(), credentials: undefined }).getLabels();
      expect(statusesOf(service, '/login/refresh')).toEqual([200]);
      await expectSessionThatWorks(service, open);
    });

    test('a refresh ahead of time that takes 20 s holds nobody up for more than 5 s, and is kept', async () => {
      const { service, open, held, fleet } = await setUp();
      service.clock.advance(241_000);
      const call = fleet.getLabels();
      await held.spent;
      await timers.pass(5000);
      expect(await call).not.toHaveLength(0);
      // During the refresh, calls use the token that is still valid.
      service.clock.advance(20_000);
      const next = fleet.getLabels();
      await settle();
      expect(await next).not.toHaveLength(0);
      await timers.pass(15_000);
      held.release();
      await settle();
      await fleet.getLabels();
      await fleet.close();
      expect(statusesOf(service, '/login/refresh')).toEqual([200]);
      await expectSessionThatWorks(service, open);
    });
  });
});

describe('closing', () => {
  test('waits for a refresh that was sent for 8 s and no longer, and then hangs up', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const held = holdingRefresh(service);
    const fleet = makeClient(service, { tokenStore, fetch: held.fetch });
    service.clock.advance(301_000);
    const call = rejection(fleet.getLabels());
    await held.spent;
    let isClosed = false;
    const closing = fleet.close().then(() => {
      isClosed = true;
    });
    await call;
    await timers.pass(7999);
    expect(isClosed).toBe(false);
    await timers.pass(1);
    await closing;
  });

  test('does not wait for the lock of another process, and leaves nothing that keeps this one alive', async () => {
    const directory = mkdtempSync(join(root, 'l-'));
    const service = makeService();
    const baseStore = fileTokenStore({ directory });
    await makeClient(service, { tokenStore: baseStore }).login();
    const [name = ''] = readdirSync(join(directory, 'sessions'));
    const lease = await acquireLease(join(directory, 'sessions', name.replace('.json', '.lock')));
    try {
      service.clock.advance(301_000);
      const waits: Promise<unknown>[] = [];
      const store = fileTokenStore({ directory });
      const tokenStore: TokenStore = {
        ...store,
        withLock(key, task, options) {
          const wait = store.withLock(key, task, options);
          waits.push(wait);
          return wait;
        },
      };
      const fleet = makeClient(service, { tokenStore, credentials: undefined });
      const leaving = new AbortController();
      const calls = [
        rejection(fleet.getLabels({}, { signal: leaving.signal })),
        rejection(fleet.listLoginUsers({ timeoutMs: 500 })),
        rejection(fleet.getRoles()),
      ];
      await settle();
      leaving.abort();
      expect(await calls[0]).toMatchObject({ code: 'ABORTED' });
      await timers.pass(500);
      expect(await calls[1]).toMatchObject({ code: 'TIMEOUT' });
      await fleet.close();
      expect(await calls[2]).toMatchObject({ code: 'CLOSED' });
      // No caller waits for the lock any more.
      expect(waits.length).toBeGreaterThan(0);
      await Promise.all(waits.map(rejection));
      expect(statusesOf(service, '/login/refresh')).toEqual([]);
    } finally {
      lease.release();
    }
  });

  test('ends the wait for the lock with the session that another process has stored', async () => {
    const directory = mkdtempSync(join(root, 'o-'));
    const service = makeService();
    const store = fileTokenStore({ directory });
    await makeClient(service, { tokenStore: store }).login();
    const [name = ''] = readdirSync(join(directory, 'sessions'));
    const [key = ''] = (await store.keys?.()) ?? [];
    const session = await store.load(key);
    await store.clear(key);
    const lease = await acquireLease(join(directory, 'sessions', name.replace('.json', '.lock')));
    try {
      const tokenStore: TokenStore = {
        ...store,
        withLock(lock, task, options) {
          const wait = store.withLock(lock, task, options);
          if (session) void store.save(key, session);
          return wait;
        },
      };
      await makeClient(service, { tokenStore }).getLabels();
      expect(statusesOf(service, '/login/token')).toHaveLength(1);
    } finally {
      lease.release();
    }
  });

  test('after a caller left the wait for the lock, the next one waits again', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore, sessionKey: 'mine' }).login();
    const fleet = makeClient(service, { tokenStore, sessionKey: 'mine', credentials: undefined });
    service.clock.advance(301_000);
    const busy = createDeferred();
    const [key = ''] = (await tokenStore.keys?.()) ?? [];
    const holder = tokenStore.withLock(key, () => busy.promise);
    const leaving = new AbortController();
    const left = rejection(fleet.getLabels({}, { signal: leaving.signal }));
    await settle();
    leaving.abort();
    const next = fleet.listLoginUsers();
    await left;
    busy.resolve();
    await holder;
    expect(await next).toHaveLength(1);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });
});

describe('a store that cannot be written', () => {
  const readOnly = (baseStore: TokenStore): TokenStore => ({
    ...baseStore,
    save: () => Promise.reject(new Error('disk')),
  });
  const unlockable = (baseStore: TokenStore): TokenStore => ({
    ...baseStore,
    withLock: () => Promise.reject(new Error('disk')),
  });

  test.each([
    ['written', readOnly],
    ['locked', unlockable],
  ])('%s: no refresh is spent; the token is used to its end, then the error says so', async (_name, broken) => {
    const service = makeService({ variant: { refreshTokens: 'rotate' } });
    const baseStore = memoryTokenStore();
    await makeClient(service, { tokenStore: baseStore }).login();
    const warnings: WarningEvent['code'][] = [];
    const hooks = { onWarning: ({ code }: WarningEvent) => warnings.push(code) };
    const fleet = makeClient(service, { tokenStore: broken(baseStore), credentials: undefined, hooks });
    service.clock.advance(241_000);
    await fleet.getLabels();
    expect(new Set(warnings)).toEqual(new Set(['SESSION_STORE']));
    service.clock.advance(60_000);
    const error = await rejection(fleet.getLabels());
    expect(error).toMatchObject({ code: 'AUTHENTICATION', operation: 'refresh', attempts: 0 });
    expect(String(error)).toMatch(/token store cannot be written.*Make the place/);
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    // Another process that can write finds it unchanged.
    await makeClient(service, { tokenStore: baseStore, credentials: undefined }).getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('with credentials: logs in again', async () => {
    const service = makeService({ variant: { refreshTokens: 'rotate' } });
    const baseStore = memoryTokenStore();
    await makeClient(service, { tokenStore: baseStore }).login();
    const fleet = makeClient(service, { tokenStore: readOnly(baseStore) });
    service.clock.advance(301_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
  });
});

describe('new tokens that could not be stored', () => {
  test.each([
    ['fails', () => new Error('disk')],
    ['fails with an error of this package', () => new NetworkError('Redis does not answer.', {})],
  ])('because the store %s: the next refresh is made with them, and stores its own', async (_name, failure) => {
    const service = makeService({ variant: { refreshTokens: 'rotate' } });
    const baseStore = memoryTokenStore();
    await makeClient(service, { tokenStore: baseStore }).login();
    // The first save is the intent, the second one has the new tokens.
    let saves = 0;
    const save: TokenStore['save'] = (key, session) =>
      ++saves === 2 ? Promise.reject(failure()) : baseStore.save(key, session);
    const fleet = makeClient(service, { tokenStore: { ...baseStore, save }, credentials: undefined });
    service.clock.advance(241_000);
    await fleet.getLabels();
    expect(saves).toBe(2);
    service.clock.advance(301_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([200, 200]);
    await makeClient(service, { tokenStore: baseStore, credentials: undefined }).getLabels();
  });

  test('are given up when somebody else has stored a session meanwhile', async () => {
    const service = makeService({ variant: { refreshTokens: 'rotate' } });
    const baseStore = memoryTokenStore();
    const other = makeClient(service, { tokenStore: baseStore });
    await other.login();
    let saves = 0;
    const save: TokenStore['save'] = (key, session) =>
      ++saves === 2 ? Promise.reject(new Error('disk')) : baseStore.save(key, session);
    const fleet = makeClient(service, { tokenStore: { ...baseStore, save }, credentials: undefined });
    service.clock.advance(301_000);
    await fleet.getLabels();
    await other.login();
    service.clock.advance(250_000);
    await fleet.getLabels();
    await other.logout();
    service.clock.advance(301_000);
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'AUTHENTICATION' });
  });
});

test('a process that ended between answer and storing: the next one tries the old token once more, and says what happened', async () => {
  for (const [variant, outcome] of [
    [{ refreshTokens: { rotateWithGraceMs: 30_000 } }, null],
    [{ refreshTokens: 'rotate' }, /an earlier refresh was interrupted/],
  ] as const) {
    const service = makeService({ variant });
    const open = databaseStore();
    const store = open();
    await makeClient(service, { tokenStore: store }).login();
    service.clock.advance(301_000);
    // The first save is the intent; the second one never happens.
    let saves = 0;
    const dying: TokenStore = {
      ...store,
      save: (key, session) => (++saves === 2 ? new Promise(() => undefined) : store.save(key, session)),
    };
    const dead = makeClient(service, {
      tokenStore: { ...dying, withLock: (_key, task) => task() },
      credentials: undefined,
    });
    void dead.getLabels().catch(() => undefined);
    for (let i = 0; i < 50 && saves < 2; i++) await settle();
    expect(saves).toBe(2);
    const next = makeClient(service, { tokenStore: open(), credentials: undefined });
    if (outcome === null) expect(await next.getLabels()).not.toHaveLength(0);
    else expect(String(await rejection(next.getLabels()))).toMatch(outcome);
  }
});
