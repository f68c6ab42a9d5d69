// The token store in Redis, with both clients, for machines with different clocks.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Warning } from '../../src/core/hooks.js';
import type { StoredSession } from '../../src/index.js';
import { type RedisTokenStore, type RedisTokenStoreOptions, redisTokenStore } from '../../src/redis/redis.js';
import { createDeferred, makeClient, makeService, rejection, statusesOf } from '../request/setup.js';
import { anyRedis, ask, clientMakers, hasRedisServer, ownServer, skipped } from './server.js';

const redis = await anyRedis();
const port = redis?.port ?? 0;
const isMissing = redis === null && skipped('the tests of redisTokenStore');
afterAll(() => redis?.stop());

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const session: StoredSession = {
  username: 'demo@example.com',
  accessToken: 'access-token-1',
  accessIssuedAt: Date.now(),
  accessLifetimeMs: 300_000,
  refreshToken: 'refresh-token-1',
  refreshIssuedAt: Date.now(),
};

const oldKey = randomBytes(32);
const newKey = randomBytes(32).toString('base64');
const FIVE_MINUTES = 300_000;

describe.skipIf(isMissing).each(clientMakers)('redisTokenStore over %s', (_name, connect) => {
  type Options = Partial<RedisTokenStoreOptions> & { readonly port?: number };

  /** Returns a store with its own client, as on another machine. */
  async function machine(prefix: string, options: Options = {}): Promise<RedisTokenStore> {
    const { client, close } = await connect(options.port ?? port);
    const protection = options.unencrypted
      ? { unencrypted: true as const }
      : { encryptionKey: options.encryptionKey ?? newKey };
    const { encryptionKey: _, unencrypted: __, port: ___, ...others } = options;
    const store = redisTokenStore(client, { prefix, ...others, ...protection });
    cleanups.push(close, () => store.close());
    return store;
  }

  const newPrefix = () => `test-${randomUUID()}`;

  test('gives every machine what one of them saved, by key, and replaces it', async () => {
    const prefix = newPrefix();
    const one = await machine(prefix);
    const other = await machine(prefix);
    expect(await one.load('a')).toBeNull();
    expect(await one.keys()).toEqual([]);
    await one.save('a', session);
    await one.save('b', { ...session, username: null, refreshToken: null });
    expect(await other.load('a')).toEqual(session);
    expect(await other.load('b')).toMatchObject({ username: null, refreshToken: null });
    expect((await other.keys()).sort()).toEqual(['a', 'b']);
    await other.save('a', { ...session, accessToken: 'access-token-2' });
    expect((await one.load('a'))?.accessToken).toBe('access-token-2');
  });

  test('clears a session, or only if it is still the one that is meant', async () => {
    const prefix = newPrefix();
    const one = await machine(prefix);
    const other = await machine(prefix);
    await one.save('a', session);
    await other.clear('a', 'another-token');
    expect(await one.load('a')).toEqual(session);
    await other.clear('a', session.accessToken);
    expect(await one.load('a')).toBeNull();
    await one.save('a', session);
    await other.clear('a');
    expect(await one.load('a')).toBeNull();
    expect(await one.keys()).toEqual([]);
  });

  test('locks a key on all machines', async () => {
    const prefix = newPrefix();
    const stores = [await machine(prefix), await machine(prefix), await machine(prefix)];
    let active = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        stores[index % 3]?.withLock('a', async () => {
          expect(++active).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          active--;
          return index;
        }),
      ),
    );
    expect(outcomes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('the wait for a lock ends with its signal', async () => {
    const prefix = newPrefix();
    const [one, other] = [await machine(prefix), await machine(prefix)];
    const work = createDeferred();
    const held = one.withLock('a', () => work.promise);
    const stop = new AbortController();
    let hasRun = false;
    const waiting = other.withLock(
      'a',
      async () => {
        hasRun = true;
      },
      { signal: stop.signal },
    );
    const reason = new Error('nobody needs it any more');
    stop.abort(reason);
    expect(await rejection(waiting)).toBe(reason);
    work.resolve();
    await held;
    await other.withLock('a', async () => undefined);
    expect(hasRun).toBe(false);
  });

  test('a holder of the lock that was stopped and comes back late does not replace a newer session', async () => {
    const prefix = newPrefix();
    // A new server, as in this test, makes all wait for half a lease, so the lease must be short.
    const late = await machine(prefix, { leaseMs: 10_000 });
    const next = await machine(prefix, { leaseMs: 200 });
    const work = createDeferred();
    // A stopped process: its lock has ended, another one has had it, and then it saves.
    const held = late.withLock('a', async () => {
      await work.promise;
      await late.save('a', { ...session, accessToken: 'late' });
    });
    await ask(port, 'HSET', await lockKey(prefix), 'id', 'another', 'ends', '0');
    await next.withLock('a', async () => {
      await next.save('a', { ...session, accessToken: 'newer' });
    });
    work.resolve();
    await held;
    expect((await next.load('a'))?.accessToken).toBe('newer');
  });

  async function lockKey(prefix: string): Promise<string> {
    for (;;) {
      const keys = await ask(port, 'KEYS', `{${prefix}}:turn:*`);
      const key = Array.isArray(keys) && keys.map(String).find((name) => !/:(line|seats)$/.test(name));
      if (key) return key;
    }
  }

  test('holds no token and no name in clear, in values or in keys', async () => {
    const own = hasRedisServer ? await ownServer(['--rdbcompression', 'no']) : null;
    if (own) cleanups.push(() => own.remove());
    const prefix = newPrefix();
    const store = await machine(prefix, { port: own?.port ?? port, leaseMs: 400 });
    await store.withLock('https://fleet.example.com demo@example.com', async () => {
      await store.save('https://fleet.example.com demo@example.com', session);
    });
    let dump = await dumpOf(own?.port ?? port, prefix);
    if (own) {
      await ask(own.port, 'SAVE');
      dump += readFileSync(join(own.folder, 'dump.rdb'), 'latin1');
    }
    expect(dump).toContain('sealed1.');
    for (const secret of [session.accessToken, 'refresh-token-1', 'demo@example.com', 'fleet.example.com', newKey]) {
      expect(dump).not.toContain(secret);
    }
  });

  async function dumpOf(at: number, prefix: string): Promise<string> {
    const keys = await ask(at, 'KEYS', `*${prefix}*`);
    const parts: string[] = [];
    for (const key of Array.isArray(keys) ? keys.map(String) : []) {
      const type = await ask(at, 'TYPE', key);
      const command = {
        hash: ['HGETALL', key],
        set: ['SMEMBERS', key],
        zset: ['ZRANGE', key, '0', '-1'],
        string: ['GET', key],
      };
      const read = command[String(type) as keyof typeof command] ?? ['LRANGE', key, '0', '-1'];
      parts.push(key, JSON.stringify(await ask(at, ...read)), String(await ask(at, 'PTTL', key)));
    }
    return parts.join('\n');
  }

  test('a session expires in Redis when it can no longer be used', async () => {
    const prefix = newPrefix();
    const store = await machine(prefix);
    await store.save('a', session);
    for (const key of (await ask(port, 'KEYS', `{${prefix}}:session*`)) as string[]) {
      const ms = Number(await ask(port, 'PTTL', key));
      expect(ms).toBeGreaterThan(12 * 3_600_000);
      expect(ms).toBeLessThanOrEqual(13 * 3_600_000);
    }
    // A session that ends sooner does not remove the list of all sessions.
    await store.save('b', { ...session, refreshToken: null });
    expect(Number(await ask(port, 'PTTL', `{${prefix}}:sessions`))).toBeGreaterThan(12 * 3_600_000);
  });

  test('keys are replaced one after the other, while everything runs', async () => {
    const prefix = newPrefix();
    const before = await machine(prefix, { encryptionKey: oldKey });
    const between = await machine(prefix, { encryptionKey: [newKey, oldKey] });
    const after = await machine(prefix, { encryptionKey: newKey });
    await before.save('a', session);
    expect(await between.load('a')).toEqual(session);
    expect(await after.load('a')).toBeNull();
    await between.save('a', session);
    expect(await after.load('a')).toEqual(session);
    expect(await before.load('a')).toBeNull();
  });

  test.each<[string, (text: string) => string, string]>([
    // Not the last character, whose lowest bits may be unused.
    ['changed', (text) => `${text.slice(0, -9)}${text.at(-9) === 'A' ? 'B' : 'A'}${text.slice(-8)}`, 'is damaged'],
    ['cut', (text) => text.slice(0, 30), 'is damaged'],
    ['written by something else', () => '{"accessToken":"forged"}', 'is damaged'],
    [
      'written without encryption',
      () => `clear1.${JSON.stringify({ key: 'a', savedAt: 1, session })}`,
      'was not encrypted',
    ],
  ])('a session that was %s is not used, with a warning', async (_how, change, why) => {
    const prefix = newPrefix();
    const warnings: Warning[] = [];
    const store = await machine(prefix, { onWarning: (event) => warnings.push(event) });
    await store.save('a', session);
    const [key = ''] = (await ask(port, 'KEYS', `{${prefix}}:session:*`)) as string[];
    await ask(port, 'HSET', key, 'text', change(String(await ask(port, 'HGET', key, 'text'))));
    expect(await store.load('a')).toBeNull();
    expect(warnings).toEqual([{ code: 'SESSION_STORE', message: expect.stringContaining(why) }]);
  });

  test('a session in clear that was cut is not used, with a warning, and the others are listed', async () => {
    const prefix = newPrefix();
    const warnings: Warning[] = [];
    const store = await machine(prefix, {
      unencrypted: true,
      onWarning: (event) => warnings.push(event),
    });
    await store.save('a', session);
    const [key = ''] = (await ask(port, 'KEYS', `{${prefix}}:session:*`)) as string[];
    await ask(port, 'HSET', key, 'text', String(await ask(port, 'HGET', key, 'text')).slice(0, 30));
    await store.save('b', session);
    expect(await store.load('a')).toBeNull();
    expect(await store.keys()).toEqual(['b']);
    const warning = { code: 'SESSION_STORE', message: expect.stringContaining('is damaged') };
    expect(warnings).toEqual([warning, warning]);
  });

  test('a session cannot be moved to another login', async () => {
    const prefix = newPrefix();
    const store = await machine(prefix);
    await store.save('a', session);
    await store.save('b', { ...session, accessToken: 'access-token-b' });
    const keys = (await ask(port, 'KEYS', `{${prefix}}:session:*`)) as string[];
    const texts = await Promise.all(keys.map(async (key) => String(await ask(port, 'HGET', key, 'text'))));
    await ask(port, 'HSET', keys[0] ?? '', 'text', texts[1] ?? '');
    await ask(port, 'HSET', keys[1] ?? '', 'text', texts[0] ?? '');
    expect([await store.load('a'), await store.load('b')]).toEqual([null, null]);
  });

  test.each(['nan', 'inf', '-inf', '0', '', 'a text', '1000000000000', '3000000000000'])(
    'what stands beside the sealed session changes nothing: "%s"',
    async (value) => {
      const prefix = newPrefix();
      const store = await machine(prefix);
      await store.save('a', session);
      for (const key of (await ask(port, 'KEYS', `{${prefix}}:session:*`)) as string[]) {
        await ask(port, 'HSET', key, 'at', value);
      }
      expect(await store.load('a')).toEqual(session);
    },
  );

  test.each([
    ['a time of no calendar', { at: 1e300 }],
    ['times that are too far apart', { at: 0, savedAt: 8e15 }],
    ['no text for a time', { at: 'now' }],
  ])('a session in clear that holds %s is not used', async (_what, change) => {
    const prefix = newPrefix();
    const store = await machine(prefix, { unencrypted: true });
    await store.save('a', session);
    for (const key of (await ask(port, 'KEYS', `{${prefix}}:session:*`)) as string[]) {
      const text = String(await ask(port, 'HGET', key, 'text'));
      const json = text.slice(text.indexOf('{'));
      const changed = JSON.stringify({ ...JSON.parse(json), ...change });
      await ask(port, 'HSET', key, 'text', text.replace(json, changed));
    }
    expect(await store.load('a')).toBeNull();
  });

  test('in clear only when told so', async () => {
    const prefix = newPrefix();
    const store = await machine(prefix, { unencrypted: true });
    await store.save('a', session);
    expect(await store.load('a')).toEqual(session);
    expect(await dumpOf(port, prefix)).toContain(session.accessToken);
    // A store with a key does not overwrite it silently.
    const { client, close } = await connect(port);
    cleanups.push(close);
    expect(await redisTokenStore(client, { prefix, encryptionKey: newKey }).load('a')).toBeNull();
  });

  test('20 machines log in once, though their clocks are five minutes apart', async () => {
    const prefix = newPrefix();
    const service = makeService({ clock: Date });
    const skews = [0, FIVE_MINUTES, -FIVE_MINUTES, 4 * 60_000];
    const clients = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const clock = { now: () => Date.now() + (skews[index % 4] ?? 0) };
        return makeClient(service, { clock, tokenStore: await machine(prefix, { clock }) });
      }),
    );
    await Promise.all(clients.map((fleet) => fleet.getVehicleTypes()));
    for (const fleet of clients) await fleet.getRoles();
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([]);
    // Each also knows the service's time.
    for (const fleet of clients) expect(Math.abs(fleet.serviceNow() - Date.now())).toBeLessThan(5_000);
    await Promise.all(clients.map((fleet) => fleet.close()));
  });

  test('all machines share one refresh', async () => {
    const prefix = newPrefix();
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    const service = makeService({ clock });
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () =>
        makeClient(service, { clock, tokenStore: await machine(prefix, { clock }) }),
      ),
    );
    await Promise.all(clients.map((fleet) => fleet.getVehicleTypes()));
    ahead = FIVE_MINUTES;
    await Promise.all(clients.map((fleet) => fleet.getVehicleTypes()));
    expect(statusesOf(service, '/login/token')).toEqual([200]);
    expect(statusesOf(service, '/login/refresh')).toEqual([200]);
    await Promise.all(clients.map((fleet) => fleet.close()));
  });

  test.skipIf(!hasRedisServer)(
    'while Redis is away the client goes on with its own session, and it saves it when Redis is back',
    async () => {
      const own = await ownServer();
      cleanups.push(() => own.remove());
      const prefix = newPrefix();
      const store = await machine(prefix, { port: own.port, answerTimeoutMs: 100 });
      const codes: string[] = [];
      const service = makeService({ clock: Date });
      const fleet = makeClient(service, {
        clock: Date,
        tokenStore: store,
        hooks: { onWarning: ({ code }) => codes.push(code) },
      });
      await own.kill();
      await fleet.getVehicleTypes();
      expect(new Set(codes)).toEqual(new Set(['SESSION_STORE']));
      expect(statusesOf(service, '/login/token')).toEqual([200]);
      await own.start();
      const key = 'http://service.test/api demo';
      let found: StoredSession | null = null;
      while (found === null) found = await store.load(key).catch(() => null);
      expect(await (await machine(prefix, { port: own.port })).load(key)).toEqual(found);
      await fleet.close();
    },
  );

  test.skipIf(!hasRedisServer)(
    'fail: a call that needs a session fails with an error that names no server',
    async () => {
      const own = await ownServer();
      cleanups.push(() => own.remove());
      const store = await machine(newPrefix(), { port: own.port, answerTimeoutMs: 100, whenUnavailable: 'fail' });
      const fleet = makeClient(makeService(), { tokenStore: store });
      await own.kill();
      const error = await rejection(fleet.getVehicleTypes());
      expect(error).toMatchObject({ code: 'NETWORK' });
      expect(String(error)).not.toContain(String(own.port));
      await fleet.close();
    },
  );
});

describe('a key', () => {
  const client = { call: async () => null, duplicate: () => client, disconnect: () => {}, on: () => {} };

  test('is needed, unless the tokens shall be in clear', () => {
    // @ts-expect-error neither a key nor the word that none is wanted
    expect(() => redisTokenStore(client, {})).toThrow('redisTokenStore needs an encryptionKey of 32 random bytes');
    // @ts-expect-error both
    expect(() => redisTokenStore(client, { encryptionKey: newKey, unencrypted: true })).toThrow('not both');
    // @ts-expect-error a variable that is not set
    expect(() => redisTokenStore(client, { encryptionKey: undefined })).toThrow('needs an encryptionKey');
    expect(() => redisTokenStore(client, { encryptionKey: [] })).toThrow('holds no key');
  });

  test.each([
    ['bytes', randomBytes(32)],
    ['base64', randomBytes(32).toString('base64')],
    ['base64url', randomBytes(32).toString('base64url')],
    ['hex', randomBytes(32).toString('hex')],
    ['a line of a file', `${randomBytes(32).toString('base64')}\n`],
  ])('may be %s', (_how, encryptionKey) => {
    expect(() => redisTokenStore(client, { encryptionKey })).not.toThrow();
  });

  test.each(['', 'a passphrase', randomBytes(16), randomBytes(16).toString('hex'), randomBytes(33).toString('base64')])(
    'of another length is refused, and not shown',
    (encryptionKey) => {
      const refused = () => redisTokenStore(client, { encryptionKey: [newKey, encryptionKey] });
      expect(refused).toThrow('encryptionKey 2 must be 32 random bytes');
      if (typeof encryptionKey === 'string' && encryptionKey !== '') expect(refused).not.toThrow(encryptionKey);
    },
  );
});
