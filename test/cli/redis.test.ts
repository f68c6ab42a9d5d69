// --redis and FLEET_REDIS_URL: machines share turns and session; the URL is never printed in full.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../src/auth/session.js';
import { hashedName } from '../../src/core/hashed-name.js';
import { anyRedis, ask, skipped } from '../redis/server.js';
import { statusesOf } from '../request/setup.js';
import { service, shell } from './harness.js';

const redis = await anyRedis();
const port = redis?.port ?? 0;
const isMissing = redis === null && skipped('the tests of --redis');
afterAll(() => redis?.stop());

const key = randomBytes(32).toString('base64');
// This Redis accepts any password only for its default user.
const url = `redis://127.0.0.1:${port}/0`;
const login = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
/** Other tests use the same Redis: the address of the service is part of the keys. */
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  env = { FLEET_BASE_URL: `https://${randomUUID()}.test`, FLEET_REDIS_URL: url, FLEET_REDIS_KEY: key };
});

describe.skipIf(isMissing)('commands with Redis', () => {
  test('on two machines share one login, and --redis does what the variable does', async () => {
    const world = service();
    const { FLEET_REDIS_URL: _, ...others } = env;
    const one = shell(world.fetch, { ...others, ...login });
    const other = shell(world.fetch, env);
    expect(await one(['vehicles', 'list', '--redis', url])).toMatchObject({ code: 0, stderr: '' });
    // The other machine has no password.
    expect(await other(['vehicles', 'list'], { env: { FLEET_USERNAME: 'demo' } })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(statusesOf(world, '/login/token')).toEqual([200]);
  });

  test('that run at the same time take turns', async () => {
    const world = service();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => shell(world.fetch, { ...env, ...login })(['vehicles', 'list'])),
    );
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      outcomes.map(() => ({ code: 0, stderr: '' })),
    );
    expect(new Set(statusesOf(world, '/graphql'))).toEqual(new Set([200]));
    expect(statusesOf(world, '/login/token')).toEqual([200]);
  });

  test('log in and out there, and leave nothing in the config folder', async () => {
    const world = service();
    const fleet = shell(world.fetch, env);
    const other = shell(world.fetch, { ...env, FLEET_USERNAME: 'demo' });
    expect((await fleet(['login', '--username', 'demo', '--password-stdin'], { input: 'demo\n' })).code).toBe(0);
    expect((await other(['status'])).code).toBe(0);
    const listed = await fleet(['profiles', 'list', '-o', 'json']);
    expect(JSON.parse(listed.stdout)[0].loggedInUntil).not.toBeNull();
    expect((await fleet(['logout'])).stderr).toContain('Logged out');
    expect((await other(['status'])).code).toBe(4);
  });

  test('status says where the session is, and how it is protected', async () => {
    const world = service();
    const fleet = shell(world.fetch, { ...env, ...login });
    const shown = await fleet(['status'], { terminal: 120, env: { NO_COLOR: '1' } });
    expect(shown.stdout).toContain(`Session stored in  redis://127.0.0.1:${port}/0`);
    expect(shown.stdout).toContain('encrypted; session and turns are shared with all machines that use this Redis');
    const json = await fleet(['status', '-o', 'json']);
    expect(JSON.parse(json.stdout).sessionKeptIn).toBe(`redis://127.0.0.1:${port}/0`);
    const clear = await fleet(['status'], { terminal: 120, env: { NO_COLOR: '1', FLEET_REDIS_KEY: 'none' } });
    expect(clear.stdout).toContain('not encrypted (FLEET_REDIS_KEY=none)');
  });

  test.each<[string, 'at' | 'text', (text: string) => string]>([
    ['an invalid time', 'at', () => 'nan'],
    ['a time without end', 'at', () => 'inf'],
    ['a time of no calendar', 'text', (text) => text.replace(/"accessIssuedAt":\d+/, '"accessIssuedAt":1e300')],
  ])('status survives %s that somebody has written into Redis', async (_what, field, change) => {
    const world = service();
    const fleet = shell(world.fetch, { ...env, ...login, ...(field === 'text' ? { FLEET_REDIS_KEY: 'none' } : {}) });
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    const name = `{fleet}:session:${hashedName(keyOf(env.FLEET_BASE_URL ?? '', 'demo'))}`;
    await ask(port, 'HSET', name, field, change(String(await ask(port, 'HGET', name, field))));
    expect((await fleet(['status'])).code).toBe(0);
  });

  test('doctor looks at it, and at the turn in it', async () => {
    const world = service();
    const fleet = shell(world.fetch, { ...env, ...login });
    const { code, stdout } = await fleet(['doctor', '-o', 'json']);
    expect(code).toBe(0);
    const rows: readonly { check: string; status: string; detail: string }[] = JSON.parse(stdout);
    const detail = (name: string) => rows.find(({ check }) => check === name)?.detail;
    expect(detail('redis')).toMatch(/^redis:\/\/127\.0\.0\.1:\d+\/0 answers in [\d.]+ ms \((Redis|Valkey) \d[\d.]*\)/);
    expect(detail('turn')).toBe('free on all machines');
  });

  test('a wrong password for Redis is reported without it', async () => {
    const world = service();
    // Only a named user can have a wrong password: the default user of this Redis has none.
    const secret = `redis://nobody:s3cret-word@127.0.0.1:${port}`;
    const fleet = shell(world.fetch, { ...env, FLEET_REDIS_URL: secret });
    for (const words of [['status'], ['doctor'], ['vehicles', 'list', '--verbose'], ['status', '-o', 'json']]) {
      const { code, stdout, stderr } = await fleet(words);
      expect(code).toBe(8);
      expect(stdout + stderr).toContain(`redis://127.0.0.1:${port} cannot be used (WRONGPASS)`);
      expect(stdout + stderr).not.toMatch(/s3cret|nobody/);
    }
  });
});

test('no key, no session in Redis', async () => {
  const { FLEET_REDIS_KEY: _, ...without } = env;
  const fleet = shell(service().fetch, { ...without, ...login });
  const { code, stderr } = await fleet(['vehicles', 'list']);
  expect(code).toBe(3);
  expect(stderr).toContain('FLEET_REDIS_KEY is not set');
});

test.skipIf(isMissing)('an invalid key is not shown', async () => {
  const fleet = shell(service().fetch, { ...env, ...login, FLEET_REDIS_KEY: 'my-passphrase' });
  const { code, stderr } = await fleet(['vehicles', 'list']);
  expect(code).toBe(3);
  expect(stderr).toContain('FLEET_REDIS_KEY is not a valid key');
  expect(stderr).not.toContain('my-passphrase');
});

test.each(['http://u:s3cret@redis.test', 'redis.test:6379', 'redis:///s3cret', 'redis:s3cret'])(
  'the address %s is refused and not shown',
  async (address) => {
    const fleet = shell(service().fetch, { ...env, ...login, FLEET_REDIS_URL: address });
    const { code, stderr } = await fleet(['vehicles', 'list']);
    expect(code).toBe(3);
    expect(stderr).toContain('The address of Redis is not valid.');
    expect(stderr).not.toContain(address);
  },
);

describe('when Redis cannot be reached', () => {
  // Nothing listens on port 1.
  const nowhere = 'redis://me:s3cret@127.0.0.1:1';

  test('a command with a password continues without Redis, with a warning', async () => {
    const fleet = shell(service().fetch, { ...env, ...login, FLEET_REDIS_URL: nowhere });
    const { code, stdout, stderr } = await fleet(['vehicles', 'list']);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    expect(stderr).toContain('Redis at redis://127.0.0.1:1 cannot be used (ECONNREFUSED).');
    expect(stderr).not.toContain('s3cret');
  });

  test('one without a password fails, because its session is there', async () => {
    const fleet = shell(service().fetch, { ...env, FLEET_USERNAME: 'demo', FLEET_REDIS_URL: nowhere });
    const { code, stderr } = await fleet(['vehicles', 'list']);
    expect(code).toBe(8);
    expect(stderr).toContain('cannot be used (ECONNREFUSED)');
    expect(stderr).not.toContain('s3cret');
  });
});

test.skipIf(isMissing)('the default prefix is that of the SDK', async () => {
  const fleet = shell(service().fetch, { ...env, ...login });
  expect((await fleet(['vehicles', 'list'])).code).toBe(0);
  expect(await ask(port, 'EXISTS', '{fleet}:sessions')).toBe(1);
});
