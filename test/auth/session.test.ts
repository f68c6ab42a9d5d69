// The session of a FleetClient: one login and one refresh for all callers, on any clock.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  type Fetch,
  fileTokenStore,
  memoryTokenStore,
  type SessionEvent,
  SessionExpiredError,
  type TokenStore,
  TokenStoreError,
} from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection, START, statusesOf } from '../request/setup.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('one login', () => {
  test('50 calls at once log in once and meet no 401', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    const rows = await Promise.all(Array.from({ length: 50 }, () => fleet.getVehicleTypes()));
    expect(rows).toHaveLength(50);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/userinfo')).toEqual([200]);
    expect(service.requests.map(({ status }) => status)).not.toContain(401);
  });

  test('50 calls on an expired token refresh once and meet no 401', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(301_000);
    await Promise.all(Array.from({ length: 50 }, () => fleet.getLabels()));
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    expect(service.requests.map(({ status }) => status)).not.toContain(401);
  });

  test('50 questions at once that no lane puts in order log in once, even where the store cannot lock', async () => {
    const service = makeService();
    const tokenStore: TokenStore = { ...memoryTokenStore(), withLock: (_key, task) => task() };
    const fleet = makeClient(service, { tokenStore });
    await Promise.all(Array.from({ length: 50 }, () => fleet.listLoginUsers()));
    service.clock.advance(301_000);
    await Promise.all(Array.from({ length: 50 }, () => fleet.listLoginUsers()));
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('clients that share a store look again inside its lock: one login, one refresh', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    const clients = Array.from({ length: 10 }, () => makeClient(service, { tokenStore }));
    await Promise.all(clients.map((client) => client.listLoginUsers()));
    service.clock.advance(301_000);
    await Promise.all(clients.map((client) => client.listLoginUsers()));
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('a good kept session is used without taking the lock', async () => {
    const service = makeService();
    const baseStore = memoryTokenStore();
    await makeClient(service, { tokenStore: baseStore }).login();
    const tokenStore: TokenStore = { ...baseStore, withLock: () => Promise.reject(new Error('locked')) };
    expect(await makeClient(service, { tokenStore }).listLoginUsers()).toHaveLength(1);
  });

  test('a wrong password is said once to everybody who waited, and asked again by the next', async () => {
    const service = makeService();
    const fleet = makeClient(service, { credentials: { username: 'demo', password: 'wrong' } });
    const errors = await Promise.all([rejection(fleet.getLabels()), rejection(fleet.getRoles())]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ code: 'AUTHENTICATION', operation: 'login', attempts: 1, retryable: false });
    }
    expect(statusesOf(service, '/login/token')).toEqual([401]);
    await rejection(fleet.getLabels());
    expect(statusesOf(service, '/login/token')).toEqual([401, 401]);
  });

  test('one who gives up waiting for the login does not hurt the others', async () => {
    const service = makeService();
    const gate = createDeferred();
    const slow: Fetch = async (url, init) => {
      if (url.endsWith('/login/token')) await gate.promise;
      return service.fetch(url, init);
    };
    const fleet = makeClient(service, { fetch: slow });
    const controller = new AbortController();
    const leaving = rejection(fleet.getLabels({}, { signal: controller.signal }));
    const staying = fleet.getLabels();
    controller.abort();
    expect(await leaving).toMatchObject({ code: 'ABORTED', operation: 'getLabels', attempts: 0 });
    gate.resolve();
    expect(await staying).not.toHaveLength(0);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });
});

describe('refresh', () => {
  test('comes ahead of time, at a fraction of the lifetime', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(239_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    service.clock.advance(2000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('that fails ahead of time costs nobody a call while the token is good', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(241_000);
    service.faults.add({ kind: 'status', status: 503, path: '/login/refresh', times: 2 });
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([503]);
    // Not every call retries the refresh: the retry follows later, before the token expires.
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([503]);
    service.clock.advance(16_000);
    await Promise.all([fleet.getLabels(), fleet.getRoles()]);
    expect(statusesOf(service, '/login/refresh')).toEqual([503, 503]);
    service.clock.advance(16_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([503, 503, 200]);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/graphql').every((status) => status === 200)).toBe(true);
  });

  test('that hangs ahead of time costs no call its time, however little that is', async () => {
    const service = makeService();
    const answer = createDeferred();
    const fleet = makeClient(service, {
      fetch: async (url, init) => {
        if (url.endsWith('/login/refresh')) await answer.promise;
        return service.fetch(url, init);
      },
    });
    await fleet.getLabels();
    service.clock.advance(241_000);
    expect(await fleet.getLabels({}, { timeoutMs: 400 })).not.toEqual([]);
    expect(await fleet.getRoles({}, { timeoutMs: 400 })).not.toEqual([]);
    answer.resolve();
    await fleet.close();
  });

  test('that fails when the token has ended is repeated, and its failure is told', async () => {
    const service = makeService();
    const fleet = makeClient(service, { retry: { attempts: 2, baseDelayMs: 1 } });
    await fleet.getLabels();
    service.clock.advance(301_000);
    service.faults.add({ kind: 'status', status: 503, path: '/login/refresh', times: 2 });
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', status: 503 });
    expect(statusesOf(service, '/login/refresh')).toEqual([503, 503]);
  });

  test.each([
    [10, 7000, 9000],
    ['10', 7000, 9000],
  ])('follows expires_in %j when the service gives it', async (expiresIn, freshMs, staleMs) => {
    const service = makeService();
    const fleet = makeClient(service, { fetch: withTokenMembers(service.fetch, { expires_in: expiresIn }) });
    await fleet.login();
    service.clock.advance(freshMs);
    await fleet.listLoginUsers().catch(() => undefined);
    const before = statusesOf(service, '/login/refresh').length;
    service.clock.set(new Date(START + staleMs).toISOString());
    await fleet.listLoginUsers();
    expect(before).toBe(0);
    expect(statusesOf(service, '/login/refresh').length).toBeGreaterThan(before);
  });

  test.each([[-1], [0], ['soon'], [null], [Number.NaN]])(
    "takes the contract's 300 s when expires_in is %j",
    async (expiresIn) => {
      const service = makeService();
      const fleet = makeClient(service, { fetch: withTokenMembers(service.fetch, { expires_in: expiresIn }) });
      const info = await fleet.login();
      expect(info.accessExpiresAt.getTime()).toBe(START + 300_000);
    },
  );

  test('keeps a new refresh token when there is one, and counts its 12 hours from then', async () => {
    const service = makeService();
    const fetch: Fetch = async (url, init) => {
      if (!url.endsWith('/login/refresh')) return service.fetch(url, init);
      const login = await service.fetch('http://x/login/token', formOf({ username: 'demo', password: 'demo' }));
      return login;
    };
    const fleet = makeClient(service, { fetch });
    await fleet.login();
    service.clock.advance(HOUR);
    await fleet.getLabels();
    expect((await fleet.session())?.refreshUntil?.getTime()).toBe(START + 13 * HOUR);
  });

  test('keeps the old refresh token when there is no new one', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.login();
    service.clock.advance(HOUR);
    await fleet.getLabels();
    expect((await fleet.session())?.refreshUntil?.getTime()).toBe(START + 12 * HOUR);
  });

  test('counts the 12 hours of a refresh token from its first issue, when a refresh answers with the same one', async () => {
    const service = makeService();
    let refreshToken = '';
    const fetch: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      if (!/login\/(token|refresh)$/.test(url)) return response;
      const answer: { readonly refresh_token: string } = JSON.parse(await response.text());
      refreshToken ||= answer.refresh_token;
      return Response.json({ ...answer, refresh_token: refreshToken });
    };
    const fleet = makeClient(service, { fetch });
    await fleet.login();
    service.clock.advance(HOUR);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    expect((await fleet.session())?.refreshUntil?.getTime()).toBe(START + 12 * HOUR);
  });

  test('past 12 hours logs in again, without asking for a refresh', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(12 * HOUR + 1);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
  });

  test('refused logs in again', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(301_000);
    service.faults.add({ kind: 'status', status: 401, path: '/login/refresh' });
    await fleet.getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
  });

  test('answered with anything definite logs in again', async () => {
    for (const fault of [{ status: 404 }, { status: 500, times: 3 }]) {
      const service = makeService();
      const fleet = makeClient(service);
      await fleet.getLabels();
      service.clock.advance(301_000);
      service.faults.add({ kind: 'status', path: '/login/refresh', ...fault });
      await fleet.getLabels();
      expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
    }
    const service = makeService();
    const withoutToken: Fetch = async (url, init) =>
      url.endsWith('/login/refresh') ? Response.json({ ok: true }) : service.fetch(url, init);
    const fleet = makeClient(service, { fetch: withoutToken });
    await fleet.getLabels();
    service.clock.advance(301_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
  });

  test('answered with anything but a refusal does not end a session that has no credentials', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    service.clock.advance(301_000);
    service.faults.add({ kind: 'status', status: 404, path: '/login/refresh' });
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', status: 404, operation: 'refresh' });
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([404, 200]);
  });

  test('failing for another reason is not followed by a login, and is not kept', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.clock.advance(301_000);
    service.faults.add({ kind: 'status', status: 503, path: '/login/refresh', times: 5 });
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'HTTP', status: 503, operation: 'refresh' });
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([503, 503, 503, 503, 503, 200]);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });

  test('survives a clock that is set back', async () => {
    const service = makeService();
    let ahead = 6 * HOUR;
    const clock = { now: () => service.clock.now() + ahead };
    const fleet = makeClient(service, { clock });
    await fleet.getLabels();
    // This machine's clock is corrected, so the token is now from the future.
    ahead = 0;
    service.clock.advance(10 * MINUTE);
    await fleet.getLabels();
    expect(service.requests.map(({ status }) => status)).not.toContain(401);
    expect((await fleet.session())?.accessExpiresAt.getTime()).toBe(service.clock.now() + 300_000);
  });
});

describe('a refused token', () => {
  test('is replaced once however many calls held it', async () => {
    const service = makeService();
    const store = memoryTokenStore();
    const fleet = makeClient(service, { tokenStore: store });
    await fleet.getLabels();
    const [key] = (await store.keys?.()) ?? [];
    service.reset();
    service.clock.freeze(true);
    service.clock.set(new Date(START).toISOString());
    expect(key).toBeDefined();
    await Promise.all(Array.from({ length: 20 }, () => fleet.getLabels()));
    // The service does not know the refresh token either, so a login follows.
    expect(statusesOf(service, '/graphql').filter((status) => status === 401)).toHaveLength(1);
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });

  test('that stays refused is an AuthenticationError after one replacement', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.faults.add({ kind: 'status', status: 401, path: '/graphql', times: 10 });
    expect(await rejection(fleet.getLabels())).toMatchObject({ code: 'AUTHENTICATION', attempts: 2 });
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
  });

  test('of a mutation is replaced too: nothing was done', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.getLabels();
    service.faults.add({ kind: 'status', status: 401, path: '/graphql' });
    const made = await fleet.createGroup({ createGroupInput: { name: 'once' } });
    expect(made?.name).toBe('once');
    expect((await fleet.getGroups()).filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  test('is not replaced when another client of the store has a newer one', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    const events: SessionEvent[] = [];
    const one = makeClient(service, { tokenStore });
    const other = makeClient(service, { tokenStore, hooks: { onSession: (event) => events.push(event) } });
    await one.getLabels();
    await other.getLabels();
    service.clock.advance(301_000);
    await one.getLabels();
    await other.getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    expect(events.map(({ how }) => how)).toEqual(['adopt']);
  });
});

describe('without credentials', () => {
  test('a kept session is used', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    expect(await fleet.getLabels()).not.toHaveLength(0);
    expect(await fleet.session()).toEqual({
      username: 'demo',
      accessExpiresAt: new Date(START + 300_000),
      refreshUntil: new Date(START + 12 * HOUR),
    });
  });

  test('a token that cannot be replaced any more is used to its end', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    service.faults.add({ kind: 'status', status: 401, path: '/login/refresh', times: 9 });
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    service.clock.advance(290_000);
    await fleet.getLabels();
    await fleet.getLabels();
    expect(statusesOf(service, '/login/refresh')).toEqual([401]);
    service.clock.advance(11_000);
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(SessionExpiredError);
  });

  test('and without a session: an AuthenticationError that says what to do, and nothing is sent', async () => {
    const service = makeService();
    const fleet = makeClient(service, { credentials: undefined });
    const error = await rejection(fleet.getLabels());
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(String(error)).toMatch(/credentials.*log in/);
    expect(await fleet.session()).toBeNull();
    await fleet.logout();
    expect(service.requests).toEqual([]);
  });

  test('a clock that is a day ahead ends no session that the service still accepts', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const ahead = { now: () => service.clock.now() + 24 * HOUR };
    await makeClient(service, { tokenStore, credentials: undefined, clock: ahead }).getLabels();
    service.clock.advance(301_000);
    await makeClient(service, { tokenStore, credentials: undefined }).getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200]);
  });

  test('a session that can no longer be refreshed is a SessionExpiredError, and forgotten', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    service.clock.advance(12 * HOUR + 1);
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(SessionExpiredError);
    expect(await fleet.session()).toBeNull();
  });

  test('stays a SessionExpiredError for everybody who comes later, until there is a newer session', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    service.clock.advance(12 * HOUR + 1);
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(SessionExpiredError);
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(SessionExpiredError);
    expect(await rejection(fleet.listLoginUsers())).toBeInstanceOf(SessionExpiredError);
    await makeClient(service, { tokenStore }).login();
    expect(await fleet.getLabels()).not.toHaveLength(0);
    await fleet.logout();
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(AuthenticationError);
  });

  test('several kept sessions of the base URL want a sessionKey', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    await makeClient(service, { tokenStore, credentials: { username: 'multi', password: 'multi' } }).login();
    expect(String(await rejection(makeClient(service, { tokenStore, credentials: undefined }).getLabels()))).toMatch(
      /sessionKey/,
    );
    const fleet = makeClient(service, { tokenStore, credentials: undefined, sessionKey: 'demo' });
    expect((await fleet.session())?.username).toBe('demo');
    expect(await fleet.getLabels()).not.toHaveLength(0);
  });

  test('a session of another base URL is never used', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined, baseUrl: 'http://service.test/api2' });
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(AuthenticationError);
  });
});

describe('a key that several logins share', () => {
  const logins = { demo: 25, limited: 9 } as const;
  const login = (name: string) => ({ username: name, password: name });
  const forms = [
    ['objects', login],
    ['functions', (name: string) => async () => login(name)],
  ] as const;
  const stores = [
    ['memory', memoryTokenStore],
    ['files', () => fileTokenStore({ directory: mkdtempSync(join(tmpdir(), 'fleet-')) })],
  ] as const;

  test.each(stores.flatMap(([store, make]) => forms.map(([form, as]) => [store, form, make, as] as const)))(
    'is used by each for itself: %s, credentials as %s',
    async (_store, _form, make, as) => {
      const service = makeService({ vehicles: 25 });
      const tokenStore = make();
      const client = (name: string) => makeClient(service, { tokenStore, sessionKey: 'web', credentials: as(name) });
      const [demo, limited] = [client('demo'), client('limited')];
      expect(await demo.getVehicles()).toHaveLength(logins.demo);
      expect(await limited.session()).toBeNull();
      expect(await limited.getVehicles()).toHaveLength(logins.limited);
      expect(await demo.getVehicles()).toHaveLength(logins.demo);
      service.clock.advance(301_000);
      expect(await demo.getVehicles()).toHaveLength(logins.demo);
      expect(await limited.getVehicles()).toHaveLength(logins.limited);
      await demo.logout();
      expect(await limited.session()).toMatchObject({ username: 'limited' });
      expect(await rejection(client('nobody').getVehicles())).toBeInstanceOf(AuthenticationError);
    },
  );

  test('belongs to the name that the function returned at the last login', async () => {
    const service = makeService({ vehicles: 25 });
    const tokenStore = memoryTokenStore();
    let name = 'demo';
    const changing = makeClient(service, { tokenStore, sessionKey: 'web', credentials: () => login(name) });
    expect(await changing.getVehicles()).toHaveLength(logins.demo);
    name = 'limited';
    await changing.login();
    expect(await changing.session()).toMatchObject({ username: 'limited' });
    const demo = makeClient(service, { tokenStore, sessionKey: 'web', credentials: login('demo') });
    expect(await demo.getVehicles()).toHaveLength(logins.demo);
  });
});

describe('credentials as a function', () => {
  test('are asked for when a login is needed, and not while a session named by sessionKey is kept', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    let asks = 0;
    const credentials = async () => {
      asks++;
      return { username: 'demo', password: 'demo' };
    };
    await makeClient(service, { tokenStore, credentials, sessionKey: 'demo' }).getLabels();
    expect(asks).toBe(1);
    await makeClient(service, { tokenStore, credentials, sessionKey: 'demo' }).getLabels();
    expect(asks).toBe(1);
    // Under another key the owner of the session is unknown.
    await makeClient(service, { tokenStore, credentials, sessionKey: 'mine' }).getLabels();
    await makeClient(service, { tokenStore, credentials, sessionKey: 'mine' }).getLabels();
    expect(asks).toBe(3);
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
  });

  test('that cannot be had are no wrong password: the cause is kept, and the next call asks again', async () => {
    const service = makeService();
    const sealed = new Error('the vault is sealed');
    let isSealed = true;
    const credentials = async () => {
      if (isSealed) throw sealed;
      return { username: 'demo', password: 'demo' };
    };
    const fleet = makeClient(service, { credentials });
    const error = await rejection(fleet.getLabels());
    expect(error).toMatchObject({ code: 'CREDENTIALS', name: 'CredentialsError', retryable: true, attempts: 0 });
    expect(error).toHaveProperty('cause', sealed);
    expect(service.requests).toEqual([]);
    isSealed = false;
    await fleet.getLabels();
  });

  test('that are none are said to be none', async () => {
    const service = makeService();
    const empty = makeClient(service, { credentials: () => ({ username: 'demo', password: '' }) });
    expect(await rejection(empty.getLabels())).toMatchObject({ code: 'CREDENTIALS' });
    expect(service.requests).toEqual([]);
  });
});

describe('login, logout, session', () => {
  test('login replaces a good session; logout forgets it', async () => {
    const service = makeService();
    const fleet = makeClient(service);
    await fleet.login();
    service.clock.advance(1000);
    const info = await fleet.login();
    expect(info.accessExpiresAt.getTime()).toBe(START + 301_000);
    expect(statusesOf(service, '/login/token')).toEqual([200, 200]);
    await fleet.logout();
    expect(await fleet.session()).toBeNull();
    await fleet.getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200, 200, 200]);
  });

  test('logout forgets also what a call has read from the store meanwhile', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const clearing = createDeferred();
    const released = createDeferred();
    const clear: TokenStore['clear'] = async (key) => {
      clearing.resolve();
      await released.promise;
      await tokenStore.clear(key);
    };
    const fleet = makeClient(service, { tokenStore: { ...tokenStore, clear }, credentials: undefined });
    await fleet.getLabels();
    const leaving = fleet.logout();
    await clearing.promise;
    await fleet.getLabels();
    released.resolve();
    await leaving;
    expect(await rejection(fleet.getLabels())).toBeInstanceOf(AuthenticationError);
  });

  test('login without credentials says so', async () => {
    const service = makeService();
    const tokenStore = memoryTokenStore();
    await makeClient(service, { tokenStore }).login();
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    expect(await rejection(fleet.login())).toBeInstanceOf(AuthenticationError);
  });

  test('a store that fails costs a warning and not the call', async () => {
    const service = makeService();
    const warnings: string[] = [];
    const broken = {
      ...memoryTokenStore(),
      load: () => Promise.reject(new Error('disk')),
      save: () => Promise.reject(new Error('disk')),
    };
    const fleet = makeClient(service, { tokenStore: broken, hooks: { onWarning: ({ code }) => warnings.push(code) } });
    await fleet.getLabels();
    service.clock.advance(301_000);
    await fleet.getLabels();
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    expect(new Set(warnings)).toEqual(new Set(['SESSION_STORE']));
  });

  test('logout says so when the store keeps what it should forget', async () => {
    const service = makeService();
    const baseStore = memoryTokenStore();
    const tokenStore: TokenStore = { ...baseStore, clear: () => Promise.reject(new Error('secret')) };
    const fleet = makeClient(service, { tokenStore });
    await fleet.login();
    const error = await rejection(fleet.logout());
    expect(error).toBeInstanceOf(TokenStoreError);
    expect(error).toMatchObject({ code: 'TOKEN_STORE', operation: 'logout', retryable: true });
    expect(String(error)).toMatch(/still there/);
    expect(String(error)).not.toContain('secret');
    expect(await fleet.session()).not.toBeNull();
  });

  test('logout says so when the store cannot say what it keeps', async () => {
    const service = makeService();
    const tokenStore: TokenStore = { ...memoryTokenStore(), keys: () => Promise.reject(new Error('disk')) };
    const fleet = makeClient(service, { tokenStore, credentials: undefined });
    expect(await rejection(fleet.logout())).toBeInstanceOf(TokenStoreError);
  });

  test.each([[''], ['two words'], ['line\nbreak'], [17]])('an access token of %j is a ProtocolError', async (token) => {
    const service = makeService();
    const fleet = makeClient(service, { fetch: withTokenMembers(service.fetch, { access_token: token }) });
    const error = await rejection(fleet.getLabels());
    expect(error).toMatchObject({ code: 'PROTOCOL', operation: 'login' });
    expect(String(error)).not.toContain('two words');
  });
});

function withTokenMembers(fetch: typeof globalThis.fetch, members: object): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!url.endsWith('/login/token')) return response;
    const body: object = Object(await response.json());
    return Response.json({ ...body, ...members });
  };
}

function formOf(fields: Record<string, string>): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { method: 'POST', body };
}
