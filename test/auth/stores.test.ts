// The contract of every token store, and the additional one of the file store.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Warning } from '../../src/core/hooks.js';
import { fileGate, fileTokenStore, memoryTokenStore, type StoredSession, type TokenStore } from '../../src/index.js';
import { leaseHolder } from '../../src/locks/lease.js';
import { createDeferred, makeClient, makeService, rejection } from '../request/setup.js';

const root = mkdtempSync(join(tmpdir(), 'fleet-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const session: StoredSession = {
  username: 'demo',
  accessToken: 'access-1',
  accessIssuedAt: 1000,
  accessLifetimeMs: 300_000,
  refreshToken: 'refresh-1',
  refreshIssuedAt: 1000,
};

describe.each<[string, () => TokenStore]>([
  ['memoryTokenStore', () => memoryTokenStore()],
  ['fileTokenStore', () => fileTokenStore({ directory: mkdtempSync(join(root, 's-')) })],
])('%s', (_name, make) => {
  let store: TokenStore;
  beforeEach(() => {
    store = make();
  });

  test('gives back what it was given, by key', async () => {
    expect(await store.load('a')).toBeNull();
    await store.save('a', session);
    await store.save('b', { ...session, username: null, refreshToken: null });
    expect(await store.load('a')).toEqual(session);
    expect(await store.load('b')).toMatchObject({ username: null, refreshToken: null });
    expect((await store.keys?.())?.sort()).toEqual(['a', 'b']);
  });

  test('replaces', async () => {
    await store.save('a', session);
    await store.save('a', { ...session, accessToken: 'access-2' });
    expect((await store.load('a'))?.accessToken).toBe('access-2');
  });

  test('clears, and only while that token is current when told so', async () => {
    await store.save('a', session);
    await store.clear('a', 'another');
    expect(await store.load('a')).toEqual(session);
    await store.clear('a', 'access-1');
    expect(await store.load('a')).toBeNull();
    await store.clear('a');
    await store.save('a', session);
    await store.clear('a');
    expect(await store.load('a')).toBeNull();
  });

  test('runs one locked task of a key at a time, whatever became of the one before, and other keys meanwhile', async () => {
    const first = createDeferred();
    const order: string[] = [];
    const one = store.withLock('a', async () => {
      await first.promise;
      order.push('one');
      throw new Error('one');
    });
    const two = store.withLock('a', async () => order.push('two'));
    await store.withLock('b', async () => order.push('b'));
    first.resolve();
    await expect(one).rejects.toThrow('one');
    await two;
    expect(order).toEqual(['b', 'one', 'two']);
  });
});

describe('fileTokenStore', () => {
  let directory: string;
  let warnings: Warning[];
  let store: TokenStore;
  beforeEach(() => {
    directory = mkdtempSync(join(root, 'f-'));
    warnings = [];
    store = fileTokenStore({ directory, onWarning: (event) => warnings.push(event) });
  });
  const files = () => readdirSync(join(directory, 'sessions')).filter((name) => name.endsWith('.json'));
  const backups = () => readdirSync(join(directory, 'sessions')).filter((name) => name.includes('.corrupt'));
  const fileOfOnly = () => join(directory, 'sessions', files()[0] ?? '');

  test('is shared by whoever uses the folder, and creates it only to write', async () => {
    const other = fileTokenStore({ directory: join(directory, 'later') });
    expect(await other.load('a')).toBeNull();
    expect(await other.keys?.()).toEqual([]);
    expect(existsSync(join(directory, 'later'))).toBe(false);
    await store.save('a', session);
    expect(await fileTokenStore({ directory }).load('a')).toEqual(session);
  });

  test.skipIf(process.platform === 'win32')('writes 0600 and repairs what is wider, with a warning', async () => {
    await store.save('a', session);
    expect(statSync(fileOfOnly()).mode & 0o777).toBe(0o600);
    chmodSync(fileOfOnly(), 0o644);
    expect(await store.load('a')).toEqual(session);
    expect(statSync(fileOfOnly()).mode & 0o777).toBe(0o600);
    expect(warnings.map(({ code }) => code)).toEqual(['SESSION_FILE_MODE']);
    chmodSync(fileOfOnly(), 0o644);
    await store.save('a', session);
    expect(statSync(fileOfOnly()).mode & 0o777).toBe(0o600);
  });

  test.each([['{"key":"a","accessTo'], [''], ['[]'], ['{"key":"a"}'], ['null'], ['\u0000\u0001']])(
    'sets a damaged file (%j) aside and says so',
    async (text) => {
      await store.save('a', session);
      writeFileSync(fileOfOnly(), text);
      expect(await store.load('a')).toBeNull();
      const [backup = ''] = backups();
      expect(readFileSync(join(directory, 'sessions', backup), 'utf8')).toBe(text);
      expect(warnings.map(({ code }) => code)).toEqual(['SESSION_FILE_CORRUPT']);
      expect(warnings[0]?.message).toContain(backup);
      await store.save('a', session);
      expect(await store.load('a')).toEqual(session);
    },
  );

  test('sets every damaged file aside under a name of its own', async () => {
    for (const text of ['{"first', '{"second']) {
      await store.save('a', session);
      writeFileSync(fileOfOnly(), text);
      await store.load('a');
    }
    expect(
      backups()
        .map((name) => readFileSync(join(directory, 'sessions', name), 'utf8'))
        .sort(),
    ).toEqual(['{"first', '{"second']);
  });

  test('removes what killed writers left: the next one what is old, logout everything', async () => {
    await store.save('a', session);
    const left = () => readdirSync(join(directory, 'sessions')).filter((name) => name.includes('.tmp-'));
    const [old, recent] = ['old', 'recent'].map((name) => `${fileOfOnly()}.tmp-${name}`);
    for (const file of [old, recent]) writeFileSync(file ?? '', 'a token');
    const minutesAgo = statSync(fileOfOnly()).mtimeMs / 1000 - 300;
    utimesSync(old ?? '', minutesAgo, minutesAgo);
    await store.save('a', { ...session, accessToken: 'access-2' });
    expect(left()).toEqual([expect.stringContaining('.tmp-recent')]);
    await store.clear('a');
    expect(left()).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('narrows a folder that was widened', async () => {
    await store.save('a', session);
    const folder = join(directory, 'sessions');
    for (const use of [() => store.load('a'), () => store.save('a', session)]) {
      chmodSync(folder, 0o755);
      await use();
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe in place of a file is an error at once, for a session and for a lock',
    async () => {
      await store.save('a', session);
      const file = fileOfOnly();
      rmSync(file);
      execFileSync('mkfifo', [file]);
      expect(await rejection(store.load('a'))).toMatchObject({ code: 'TOKEN_STORE' });
      expect(String(await rejection(store.save('a', session)))).toContain(file);
      const lock = file.replace('.json', '.lock');
      execFileSync('mkfifo', [lock]);
      expect(leaseHolder(lock)).toMatchObject({ pid: null });
    },
  );

  test('a damaged file does not keep a new session from being written', async () => {
    await store.save('a', session);
    writeFileSync(fileOfOnly(), '{');
    await store.save('a', session);
    expect(await store.load('a')).toEqual(session);
  });

  test('never holds the password, nor the address or the user in a file name', async () => {
    const service = makeService();
    const fleet = makeClient(service, { tokenStore: store, credentials: { username: 'demo', password: 'demo' } });
    await fleet.login();
    await fleet.getVehicleTypes();
    expect(files()).toHaveLength(1);
    expect(files()[0]).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(readFileSync(fileOfOnly(), 'utf8')).not.toContain('password');
  });

  test('in a place that cannot be written costs warnings, not calls', async () => {
    const file = join(directory, 'a-file');
    writeFileSync(file, '');
    const service = makeService();
    const codes: string[] = [];
    const fleet = makeClient(service, {
      tokenStore: fileTokenStore({ directory: file }),
      gate: fileGate({ directory: file, onWarning: ({ code }) => codes.push(code) }),
      hooks: { onWarning: ({ code }) => codes.push(code) },
    });
    await fleet.getVehicleTypes();
    await fleet.logout();
    expect(service.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(codes)).toEqual(new Set(['SESSION_STORE', 'GATE_LOST']));
  });

  test('an onWarning that throws costs no call', async () => {
    const file = join(directory, 'no-folder');
    writeFileSync(file, '');
    const onWarning = () => {
      throw new Error('warning');
    };
    const tokenStore = fileTokenStore({ directory, onWarning });
    const fleet = makeClient(makeService(), { tokenStore, gate: fileGate({ directory: file, onWarning }) });
    await fleet.login();
    writeFileSync(fileOfOnly(), '{');
    const codes: string[] = [];
    const hooks = { onWarning: ({ code }: Warning) => codes.push(code) };
    expect(await makeClient(makeService(), { tokenStore, hooks }).getVehicleTypes()).not.toHaveLength(0);
    expect(await fleet.getVehicleTypes()).not.toHaveLength(0);
    expect(codes).toEqual([]);
  });

  test('logout names the file that could not be removed', async () => {
    const fleet = makeClient(makeService(), { tokenStore: store });
    await fleet.login();
    const file = fileOfOnly();
    rmSync(file);
    // A folder cannot be removed as a file, not even by root.
    mkdirSync(file);
    const error = await rejection(fleet.logout());
    expect(error).toMatchObject({ code: 'TOKEN_STORE', operation: 'logout' });
    expect(String(error)).toContain(file);
    expect(String(error)).toMatch(/EISDIR|EPERM/);
  });

  test('a login kept by one client is used by the next', async () => {
    const service = makeService();
    await makeClient(service, { tokenStore: store }).getVehicleTypes();
    await makeClient(service, { tokenStore: fileTokenStore({ directory }), credentials: undefined }).getVehicleTypes();
    expect(service.requests.filter(({ path }) => path.endsWith('/login/token'))).toHaveLength(1);
  });
});
