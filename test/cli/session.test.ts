// Login, logout, status, user selection, and stored files.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BaseClient } from '../../src/base-client.js';
import { baseUrl, type Shell, service, shell, shellOf } from './harness.js';

const piped = (name: string) => ['login', '--username', name, '--password-stdin'];
const config = (fleet: Shell) => JSON.parse(readFileSync(join(fleet.folder, 'config.json'), 'utf8'));
const status = async (fleet: Shell, ...words: string[]) =>
  JSON.parse((await fleet(['status', '-o', 'json', ...words])).stdout);

describe('login', () => {
  test('reads the password from stdin and saves the session for later commands', async () => {
    const fleet = shell(service().fetch);
    expect(await fleet(piped('demo'), { input: 'demo\n' })).toEqual({
      code: 0,
      stdout: '',
      stderr: `Logged in to ${baseUrl} as demo.\nActing for demo · Demo Fleet.\n`,
    });
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    expect(config(fleet).profiles.default).toMatchObject({
      baseUrl,
      username: 'demo',
      user: { fleetName: 'Demo Fleet' },
    });
  });

  test('stores tokens but no password, in files that only their owner can read', async () => {
    const world = service();
    const fleet = shell(world.fetch);
    await fleet(piped('demo'), { input: 'demo' });
    const files = readdirSync(fleet.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBe(2);
    for (const { parentPath, name } of files) {
      const file = join(parentPath, name);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).not.toMatch(/password/i);
    }
    expect(statSync(fleet.folder).mode & 0o077).toBe(0);
  });

  test('prompts for missing input, and does not echo the password', async () => {
    const fleet = shell(service().fetch, {});
    const { code, stdout, stderr } = await fleet(['login'], {
      answers: [
        ['Address of the service: ', `${baseUrl}/`],
        ['User name: ', 'multi'],
        ['Password: ', 'multi'],
        ['Act for which user? [1-3] ', '7'],
        ['Act for which user? [1-3] ', '2'],
      ],
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Acting for multi · South Fleet.');
    expect(stderr.slice(stderr.indexOf('Password: '), stderr.indexOf('1  multi'))).toBe('Password: \n  ');
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    expect(await status(fleet)).toMatchObject({ baseUrl, username: 'multi', fleetName: 'South Fleet' });
  });

  test('keeps the selected user', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('multi'), { input: 'multi' });
    await fleet(['users', 'use', 'West Fleet']);
    const { stderr } = await fleet(piped('multi'), { input: 'multi' });
    expect(stderr).toContain('Acting for multi · West Fleet.');
  });

  test('selects none of several users without a terminal, and says how to', async () => {
    const fleet = shell(service().fetch);
    const { code, stderr } = await fleet(piped('multi'), { input: 'multi' });
    expect(code).toBe(0);
    expect(stderr).toContain('The login may act for 3 users; none is selected yet:');
    expect(stderr).toContain('fleet users use <id|name>');
    const list = await fleet(['vehicles', 'list', '-o', 'json']);
    expect(list).toMatchObject({ code: 3, stdout: '' });
    expect(JSON.parse(list.stderr).error.choices).toHaveLength(3);
    expect((await fleet(['vehicles', 'list', '--user', 'south fleet'])).code).toBe(0);
    expect((await fleet(['vehicles', 'list'], { env: { FLEET_USER: 'North Fleet' } })).code).toBe(0);
  });

  test('with a wrong password is 4 and changes nothing', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    const before = config(fleet);
    const { code, stderr } = await fleet(piped('demo'), { input: 'wrong' });
    expect(code).toBe(4);
    expect(stderr).not.toContain('wrong\n');
    expect(config(fleet)).toEqual(before);
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
  });

  test.each([
    ['no password off a terminal', ['login', '--username', 'demo'], {}],
    ['no user name off a terminal', ['login'], {}],
    ['an empty password', piped('demo'), { input: '\n' }],
    ['--demo', ['login', '--demo'], {}],
    ['a profile that is no name', ['login', '--profile', '../x'], {}],
  ])('with %s is 2', async (_what, words, place) => {
    expect(await shell(service().fetch)(words, place)).toMatchObject({ code: 2, stdout: '' });
  });

  test('never prompts with --no-input', async () => {
    const { code, stderr } = await shell(service().fetch)(['login', '--no-input'], { answers: [] });
    expect(code).toBe(2);
    expect(stderr).toContain('--no-input forbids prompts');
  });

  test('does not use the password of the environment for another user name', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['login', '--username', 'multi'])).code).toBe(2);
    expect((await fleet(['login'])).code).toBe(0);
  });

  test.each(['fleet.test', 'ftp://fleet.test', 'https://me:secret@fleet.test', 'https://fleet.test/?x=1'])(
    'with the address %s is 3',
    async (address) => {
      const { code, stderr } = await shell(service().fetch, {})([...piped('demo'), '--base-url', address], {
        input: 'demo',
      });
      expect(code).toBe(3);
      expect(stderr).not.toContain('secret');
    },
  );

  test('warns before a password is sent unencrypted', async () => {
    const plain = (url: string) => shell(service().fetch, {})([...piped('demo'), '--base-url', url], { input: 'demo' });
    expect((await plain('http://fleet.test')).stderr).toMatch(/^warning: http:\/\/fleet\.test is not https/);
    expect((await plain('http://127.0.0.1:9')).stderr).not.toContain('warning');
  });

  test('warns of it when the password is in the environment, once for each login', async () => {
    const fleet = shell(service().fetch, { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' });
    const labels = (url: string) => fleet(['labels', 'list', '--base-url', url]);
    expect((await labels('http://fleet.test')).stderr).toBe(
      'warning: http://fleet.test is not https: others on the network can read the password.\n',
    );
    expect((await labels('http://fleet.test')).stderr).toBe('');
    expect((await labels('https://fleet.test')).stderr).toBe('');
    expect((await labels('http://[::1]:9')).stderr).toBe('');
  });
});

describe('profiles', () => {
  test('coexist, and a flag wins over the environment over the profile', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    await fleet([...piped('limited'), '--profile', 'small'], { input: 'limited' });
    expect(await status(fleet)).toMatchObject({ profile: 'default', username: 'demo' });
    expect(await status(fleet, '--profile', 'small')).toMatchObject({ profile: 'small', username: 'limited' });
    const place = { env: { FLEET_PROFILE: 'small' } };
    expect(JSON.parse((await fleet(['status', '-o', 'json'], place)).stdout).username).toBe('limited');
    expect(JSON.parse((await fleet(['status', '-o', 'json', '--profile', 'default'], place)).stdout).username).toBe(
      'demo',
    );
  });

  test('an unknown one is 3, with the existing ones', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    const { code, stderr } = await fleet(['vehicles', 'list', '--profile', 'defautl']);
    expect(code).toBe(3);
    expect(stderr).toContain('Did you mean "default"?');
  });

  test('a saved user is not used with another login', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('multi'), { input: 'multi' });
    await fleet(['users', 'use', 'West Fleet']);
    const place = { env: { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' } };
    const { code, stdout } = await fleet(['vehicles', 'list', '-o', 'json'], place);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(6);
  });
});

describe('a corrupt configuration', () => {
  test('is reported with line and column, and left unchanged until it is corrected', async () => {
    const fleet = shell(service().fetch);
    const path = join(fleet.folder, 'config.json');
    const slipped = '{\n  "profile": "default",\n  "profiles": {},\n}\n';
    writeFileSync(path, slipped);
    for (const words of [['status'], piped('demo')]) {
      const { code, stdout, stderr } = await fleet(words, { input: 'demo' });
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(`The configuration ${path} has a syntax error in line 4, column 1.`);
    }
    expect(readdirSync(fleet.folder)).toEqual(['config.json']);
    expect(readFileSync(path, 'utf8')).toBe(slipped);
    writeFileSync(path, slipped.replace('{},', '{}'));
    expect((await fleet(piped('demo'), { input: 'demo' })).code).toBe(0);
  });

  test.each(['[]', '{"profiles":[]}', '{"profiles":{"default":{"baseUrl":7}}}', '{"profile":1}', ''])(
    'is also what %s is',
    async (text) => {
      const fleet = shell(service().fetch);
      writeFileSync(join(fleet.folder, 'config.json'), text);
      expect((await fleet(['status'])).code).toBe(3);
    },
  );

  test.each([
    ['login', ['login', '-o', 'json']],
    ['users use', ['users', 'use', 'demo', '-o', 'json']],
  ])('that cannot be written is 3 for `fleet %s`', async (_what, words) => {
    const fleet = shellOf('demo', service().fetch);
    // No folder of this name can be created, not even by root.
    const folder = join(fleet.folder, 'nowhere');
    symlinkSync(join(fleet.folder, 'missing', 'folder'), folder);
    const { code, stdout, stderr } = await fleet(words, { env: { FLEET_CONFIG_DIR: folder } });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'CONFIGURATION',
      hint: expect.stringContaining('FLEET_CONFIG_DIR'),
    });
    expect(error.message).toContain(`${join(folder, 'config.json')} cannot be written (E`);
  });

  test('that cannot be read is 3', async () => {
    const fleet = shell(service().fetch);
    mkdirSync(join(fleet.folder, 'config.json'));
    expect(await fleet(['status'])).toMatchObject({ code: 3, stdout: '' });
  });

  test('that others can read is made private, with a warning', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    const file = join(fleet.folder, 'config.json');
    chmodSync(file, 0o644);
    const { code, stderr } = await fleet(['status']);
    expect(code).toBe(0);
    expect(stderr).toContain('Other users could read');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('status and logout', () => {
  test('status shows service, login, expiry and storage, and sends nothing', async () => {
    const world = service();
    const fleet = shell(world.fetch);
    await fleet(piped('demo'), { input: 'demo' });
    world.clearRequests();
    const { code, stdout } = await fleet(['status'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    expect(stdout.replaceAll(fleet.folder, '<folder>').replace(/[0-9a-f-]{36}/, '<id>')).toBe(
      [
        'Service            https://fleet.test',
        'Logged in as       demo',
        'Acting for         demo · Demo Fleet · <id>',
        'Profile            default',
        'Access token       2026-03-02 09:35:00Z (in 5 min)',
        'Refreshable        2026-03-02 21:30:00Z (in 12 h)',
        'Session stored in  <folder>/sessions',
        '                   in files that only you can read (0600): tokens, never the password',
        'Configuration      <folder>/config.json',
        '',
      ].join('\n'),
    );
    expect(world.requests).toHaveLength(0);
  });

  test('logged out is 4, with a hint', async () => {
    const fleet = shell(service().fetch);
    const hint = 'hint: Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD.\n';
    const never = { code: 4, stdout: '', stderr: `error: You are not logged in at ${baseUrl}.\n${hint}` };
    expect(await fleet(['status'])).toEqual(never);
    expect(await fleet(['vehicles', 'list'])).toEqual(never);
    await fleet(piped('demo'), { input: 'demo' });
    expect(await fleet(['logout'])).toEqual({ code: 0, stdout: '', stderr: `Logged out of ${baseUrl}.\n` });
    expect(readdirSync(join(fleet.folder, 'sessions'))).toEqual([]);
    expect(await fleet(['vehicles', 'list'])).toMatchObject({ code: 4, stdout: '' });
    expect(await fleet(['logout'])).toMatchObject({ code: 0, stderr: `You were not logged in at ${baseUrl}.\n` });
  });

  describe('logout that cannot remove the session', () => {
    const stuck = async (logout: () => Promise<void>) => {
      const fleet = shell(service().fetch);
      await fleet(piped('demo'), { input: 'demo' });
      const spy = vi.spyOn(BaseClient.prototype, 'logout').mockImplementation(logout);
      onTestFinished(() => spy.mockRestore());
      return fleet;
    };

    test.each([
      ['says so', () => Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' }))],
      ['only pretends', () => Promise.resolve()],
    ])('is 3 when the SDK %s', async (_how, logout) => {
      const fleet = await stuck(logout);
      const { code, stdout, stderr } = await fleet(['logout']);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).not.toContain('Logged out');
      expect(stderr).toContain(
        `You are still logged in: the session stored in ${join(fleet.folder, 'sessions')} could not`,
      );
      expect(JSON.parse((await fleet(['logout', '-o', 'json'])).stderr).error).toMatchObject({
        code: 'CONFIGURATION',
        exitCode: 3,
        hint: expect.stringContaining('delete'),
      });
    });

    test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('is 3 in a read-only folder', async () => {
      const fleet = shell(service().fetch);
      await fleet(piped('demo'), { input: 'demo' });
      chmodSync(join(fleet.folder, 'sessions'), 0o500);
      const { code, stderr } = await fleet(['logout']);
      chmodSync(join(fleet.folder, 'sessions'), 0o700);
      expect(code).toBe(3);
      expect(stderr).toContain('You are still logged in');
    });
  });

  test('a corrupt session is part of the one line of JSON too', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    const [file = ''] = readdirSync(join(fleet.folder, 'sessions'));
    writeFileSync(join(fleet.folder, 'sessions', file), 'damaged');
    const { code, stdout, stderr } = await fleet(['vehicles', 'list', '-o', 'json']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr.split('\n')).toHaveLength(2);
    const { hint } = JSON.parse(stderr).error;
    expect(hint).toContain('was damaged and has been renamed');
    expect(hint).toMatch(/ Run `fleet login`/);
  });

  test('a login in the environment needs no `fleet login`, and still keeps its session', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    for (const words of [['vehicles', 'list'], ['status'], ['users', 'list']])
      expect((await fleet(words)).code).toBe(0);
    expect(world.requests.filter(({ path }) => path === '/login/token')).toHaveLength(1);
    expect(readdirSync(fleet.folder).sort()).toEqual(['sessions', 'turns']);
  });
});

describe('users', () => {
  test('list marks the selected one, use accepts an id or a name', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('multi'), { input: 'multi' });
    const users: { userId: string; fleetId: string }[] = JSON.parse(
      (await fleet(['users', 'list', '-o', 'json'])).stdout,
    );
    const marked = async () => {
      const { stdout } = await fleet(['users', 'list'], { terminal: 160, env: { NO_COLOR: '1' } });
      return stdout.split('\n').filter((line) => line.startsWith('*'));
    };
    for (const said of [users[1]?.userId ?? '', 'south fleet', `fleet:${users[1]?.fleetId}`]) {
      await fleet(['users', 'use', 'North Fleet']);
      expect((await fleet(['users', 'use', said])).code).toBe(0);
      expect(await marked()).toEqual([expect.stringContaining('South Fleet')]);
    }
    expect((await fleet(['users', 'use', 'Nort Fleet'])).stderr).toContain('Did you mean "North Fleet"?');
    expect((await fleet(['users', 'use', 'multi'])).code).toBe(3);
    expect((await fleet(['users', 'use', 'x', '--demo'])).code).toBe(2);
  });

  test('info requests the user records', async () => {
    const { code, stdout } = await shellOf('demo', service().fetch)(['users', 'info', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([expect.objectContaining({ userName: 'demo' })]));
  });
});

test('--demo needs no account and does not touch the configuration', async () => {
  const fleet = shell(service().fetch, {});
  writeFileSync(join(fleet.folder, 'config.json'), 'damaged');
  const env = { FLEET_USER: 'nobody', FLEET_BASE_URL: 'nonsense', FLEET_PROFILE: 'none' };
  for (const words of [['vehicles', 'list'], ['status'], ['users', 'list'], ['users', 'info']]) {
    expect(await fleet([...words, '--demo'], { env })).toMatchObject({ code: 0, stderr: '' });
  }
  expect(readdirSync(fleet.folder)).toEqual(['config.json']);
});
