// Profiles: listing, selecting and deleting; concurrent commands; corrupt files; file permissions.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { saveProfile } from '../../src/cli/config/config-store.js';
import { guardFolder } from '../../src/cli/config/folder-permissions.js';
import { baseUrl, type Shell, service, shell, shellOf } from './harness.js';

const piped = (name: string, ...more: string[]) => ['login', '--username', name, '--password-stdin', ...more];
const configOf = (fleet: Shell) => JSON.parse(readFileSync(join(fleet.folder, 'config.json'), 'utf8'));
const sessionsOf = (fleet: Shell) =>
  readdirSync(join(fleet.folder, 'sessions')).filter((file) => file.endsWith('.json'));
const stable = (text: string) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>');

async function withTwo(): Promise<Shell> {
  const fleet = shell(service().fetch);
  await fleet(piped('demo'), { input: 'demo' });
  await fleet(piped('multi', '--profile', 'three'), { input: 'multi' });
  return fleet;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-guard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('profiles list', () => {
  test.each([
    ['terminal-80', [], { terminal: 80, env: { NO_COLOR: '1' } }],
    ['terminal-160', [], { terminal: 160, env: { NO_COLOR: '1' } }],
    ['tsv', [], {}],
    ['json', ['-o', 'json'], {}],
  ] as const)('%s', async (place, words, how) => {
    const { code, stdout } = await (await withTwo())(['profiles', 'list', ...words], how);
    expect(code).toBe(0);
    await expect(stable(stdout)).toMatchFileSnapshot(`golden/profiles-list.${place}.txt`);
  });

  test('sends nothing, prints no token, and shows who is logged out', async () => {
    const world = service();
    const fleet = shell(world.fetch);
    await fleet(piped('demo'), { input: 'demo' });
    world.clearRequests();
    const [file = ''] = sessionsOf(fleet);
    const { accessToken } = JSON.parse(readFileSync(join(fleet.folder, 'sessions', file), 'utf8'));
    expect((await fleet(['profiles', 'list', '-o', 'json'])).stdout).not.toContain(accessToken);
    await fleet(['logout']);
    const { stdout } = await fleet(['profiles', 'list'], { terminal: 160, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('logged out');
    expect(world.requests).toHaveLength(0);
  });

  test('without profiles says how to create one', async () => {
    const { code, stderr } = await shell(service().fetch)(['profiles', 'list'], { terminal: 80 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'There is no profile yet; `fleet login` creates one.\n' });
  });

  test('--fields, --filter and mistakes in them', async () => {
    const fleet = await withTwo();
    const { stdout } = await fleet(['profiles', 'list', '--fields', 'name', '--filter', 'username=multi']);
    expect(stdout).toBe('name\nthree\n');
    const misspelled = await fleet(['profiles', 'list', '--fields', 'nme']);
    expect(misspelled).toMatchObject({ code: 2, stdout: '' });
    expect(misspelled.stderr).toContain('Did you mean name?');
  });
});

describe('profiles use', () => {
  test('sets the profile of later commands', async () => {
    const fleet = await withTwo();
    expect(await fleet(['profiles', 'use', 'three'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Now using the profile "three" (multi at ${baseUrl}).\n`,
    });
    expect(JSON.parse((await fleet(['status', '-o', 'json'])).stdout)).toMatchObject({ profile: 'three' });
    const { stderr } = await fleet(['profiles', 'use', 'default'], { env: { FLEET_PROFILE: 'three' } });
    expect(stderr).toContain('FLEET_PROFILE is set and overrides');
  });

  test('of an unknown profile is 3, with the existing ones', async () => {
    const { code, stderr } = await (await withTwo())(['profiles', 'use', 'thre']);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: [
        'error: There is no profile "thre".',
        `  default  ${baseUrl}  demo`,
        `  three    ${baseUrl}  multi`,
        'hint: Did you mean "three"?\n',
      ].join('\n'),
    });
  });
});

describe('profiles remove', () => {
  test('deletes the profile and its session, and selects the other one', async () => {
    const fleet = await withTwo();
    expect(await fleet(['profiles', 'remove', 'default', '--yes'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Deleted the profile "default".\nNow using the profile "three".\n',
    });
    expect(configOf(fleet)).toMatchObject({ profile: 'three', profiles: { three: { username: 'multi' } } });
    expect(Object.keys(configOf(fleet).profiles)).toEqual(['three']);
    expect(sessionsOf(fleet)).toHaveLength(1);
    expect((await fleet(['users', 'list'])).code).toBe(0);
  });

  test('keeps a session that another profile uses', async () => {
    const fleet = shell(service().fetch);
    await fleet(piped('demo'), { input: 'demo' });
    await fleet(piped('demo', '--profile', 'again'), { input: 'demo' });
    expect((await fleet(['profiles', 'remove', 'again', '--yes'])).stderr).toContain('its session stays');
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
  });

  test('asks for confirmation, and deletes nothing when the answer is no', async () => {
    const fleet = await withTwo();
    const question = `Delete the profile "three" (multi at ${baseUrl}) and its session? [y/N] `;
    const no = await fleet(['profiles', 'remove', 'three'], { answers: [[question, '']] });
    expect(no.code).toBe(130);
    expect(Object.keys(configOf(fleet).profiles)).toEqual(['default', 'three']);
    expect((await fleet(['profiles', 'remove', 'three'], { answers: [[question, 'y']] })).code).toBe(0);
    expect(Object.keys(configOf(fleet).profiles)).toEqual(['default']);
  });

  test('needs --yes without a terminal; an unknown profile is 3', async () => {
    const fleet = await withTwo();
    expect(await fleet(['profiles', 'remove', 'three'])).toMatchObject({ code: 2, stdout: '' });
    expect(await fleet(['profiles', 'remove', 'three', '--no-input'], { answers: [] })).toMatchObject({ code: 2 });
    expect(await fleet(['profiles', 'remove', 'nope', '--yes'])).toMatchObject({ code: 3, stdout: '' });
    expect(Object.keys(configOf(fleet).profiles)).toEqual(['default', 'three']);
  });

  test('--demo has no profiles', async () => {
    expect(await shell(service().fetch)(['profiles', 'list', '--demo'])).toMatchObject({ code: 2, stdout: '' });
  });
});

test('logins at the same time lose no profile', async () => {
  const fleet = shell(service().fetch);
  const names = Array.from({ length: 8 }, (_, number) => `p${number}`);
  const outcomes = await Promise.all(names.map((name) => fleet(piped('demo', '--profile', name), { input: 'demo' })));
  expect(outcomes.map(({ code }) => code)).toEqual(names.map(() => 0));
  expect(Object.keys(configOf(fleet).profiles).sort()).toEqual(names);
  expect(readdirSync(fleet.folder).sort()).toEqual(['config.json', 'sessions']);
});

test('changes at the same time lose no profile', async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 20 }, (_, number) => `p${number}`);
  await Promise.all(
    names.map((name) => saveProfile(folder, name, { baseUrl, username: name, user: null, credentialCommand: null })),
  );
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  expect(Object.keys(profiles).sort()).toEqual(names.sort());
});

describe('commands that manage the configuration', () => {
  test.each([
    ['profiles', 'list'],
    ['profiles', 'use', 'default'],
    ['users', 'use', 'demo'],
    ['doctor'],
    ['login', '--username', 'demo', '--password-stdin'],
  ])('leave a corrupt file as it is, as plain commands do: %s %s', async (...words) => {
    const fleet = shell(service().fetch);
    writeFileSync(join(fleet.folder, 'config.json'), '["not", "a", "configuration"]');
    const { code, stderr } = await fleet(words, { input: 'demo' });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('config.json is not a configuration.'),
    });
    expect(readdirSync(fleet.folder)).toEqual(['config.json']);
    expect(readFileSync(join(fleet.folder, 'config.json'), 'utf8')).toBe('["not", "a", "configuration"]');
  });

  test('that only read create neither the folder nor the file', async () => {
    const fleet = shell(service().fetch);
    const missing = join(fleet.folder, 'missing');
    expect((await fleet(['profiles', 'list'], { env: { FLEET_CONFIG_DIR: missing } })).code).toBe(0);
    expect(existsSync(missing)).toBe(false);
  });
});

describe('a corrupt profile', () => {
  const damage = (fleet: Shell, name: string) => {
    const config = configOf(fleet);
    config.profiles[name] = { baseUrl: 7 };
    config.later = { kept: true };
    writeFileSync(join(fleet.folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  };

  test('leaves the others usable, with a warning', async () => {
    const fleet = await withTwo();
    damage(fleet, 'three');
    const { code, stderr } = await fleet(['vehicles', 'list']);
    expect(code).toBe(0);
    expect(stderr).toContain('The profile "three" in ');
    expect((await fleet(['vehicles', 'list', '--profile', 'three'])).code).toBe(3);
  });

  test('is unchanged when others change, and copied before it is replaced', async () => {
    const fleet = await withTwo();
    damage(fleet, 'three');
    await fleet(piped('limited', '--profile', 'small'), { input: 'limited' });
    expect(configOf(fleet)).toMatchObject({ profiles: { three: { baseUrl: 7 } }, later: { kept: true } });
    expect((await fleet(piped('multi', '--profile', 'three'), { input: 'multi' })).code).toBe(0);
    const backup = readdirSync(fleet.folder).find((file) => file.startsWith('config.json.corrupt-')) ?? '';
    expect(JSON.parse(readFileSync(join(fleet.folder, backup), 'utf8')).profiles.three).toEqual({ baseUrl: 7 });
    expect(statSync(join(fleet.folder, backup)).mode & 0o777).toBe(0o600);
    expect(configOf(fleet).profiles).toMatchObject({ three: { username: 'multi' }, small: { username: 'limited' } });
  });

  test('can be removed', async () => {
    const fleet = await withTwo();
    damage(fleet, 'three');
    expect((await fleet(['profiles', 'remove', 'three', '--yes'])).code).toBe(0);
    expect(Object.keys(configOf(fleet).profiles)).toEqual(['default']);
  });
});

describe('the only user of a login in the environment', () => {
  const countUserInfoRequests = (world: ReturnType<typeof service>) =>
    world.requests.filter(({ path }) => path === '/login/userinfo').length;

  test('is requested once per token, not by each command', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    for (let run = 0; run < 3; run++) expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    expect(countUserInfoRequests(world)).toBe(1);
    await fleet(['login']);
    await fleet(['logout']);
    expect(readdirSync(join(fleet.folder, 'sessions'))).toEqual([]);
  });

  test('is requested again with a new token, and never cached when there are several', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await fleet(['vehicles', 'list']);
    const sessions = join(fleet.folder, 'sessions');
    const [file = ''] = sessionsOf(fleet);
    const session = JSON.parse(readFileSync(join(sessions, file), 'utf8'));
    writeFileSync(join(sessions, file), JSON.stringify({ ...session, accessIssuedAt: session.accessIssuedAt - 1000 }));
    await fleet(['vehicles', 'list']);
    expect(countUserInfoRequests(world)).toBe(2);
    for (const left of readdirSync(sessions)) expect(statSync(join(sessions, left)).mode & 0o077).toBe(0);

    const several = shellOf('multi', service().fetch);
    expect((await several(['vehicles', 'list'])).code).toBe(3);
    expect(readdirSync(join(several.folder, 'sessions')).filter((name) => name.endsWith('.user'))).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')('a config folder that the system does not make is an error', async () => {
  const env = { FLEET_CONFIG_DIR: '/proc/nonexistent/fleet' };
  const { code, stderr } = await shell(service().fetch)(piped('demo'), { input: 'demo', env });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('/proc/nonexistent/fleet') });
});

describe.skipIf(process.platform === 'win32')('access of others to the config folder', () => {
  const me = 4242;

  test.skipIf(process.getuid?.() !== 0)('a folder of another user, and a link to one, is refused', () => {
    const folder = temporaryFolder();
    const theirs = join(folder, 'theirs');
    mkdirSync(theirs);
    chownSync(theirs, 1234, 1234);
    symlinkSync(theirs, join(folder, 'link'));
    const guard = (path: string, uid: number | null = me) => guardFolder(path, () => undefined, uid);
    expect(() => guard(theirs)).toThrow('belongs to another user');
    expect(() => guard(join(folder, 'link'))).toThrow('belongs to another user');
    expect(() => guard(theirs, 1234)).not.toThrow();
    expect(() => guard(theirs, 0)).toThrow('belongs to another user');
  });

  test.skipIf(process.getuid?.() !== 0)('root runs no command of the folder of another user', async () => {
    const fleet = shell(service().fetch);
    const marker = join(temporaryFolder(), 'ran');
    await saveProfile(fleet.folder, 'theirs', {
      baseUrl,
      username: 'demo',
      user: null,
      credentialCommand: `touch ${marker}`,
    });
    chownSync(fleet.folder, 1234, 1234);
    chownSync(join(fleet.folder, 'config.json'), 1234, 1234);
    const { code, stderr } = await fleet(['labels', 'list', '--profile', 'theirs']);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('belongs to another user') });
    expect(existsSync(marker)).toBe(false);
  });

  test.skipIf(process.getuid?.() !== 0)('sessions and a configuration that belong to another user are refused', () => {
    const folder = temporaryFolder();
    chownSync(folder, me, me);
    const theirs = temporaryFolder();
    chownSync(theirs, 1234, 1234);
    symlinkSync(theirs, join(folder, 'sessions'));
    expect(() => guardFolder(folder, () => undefined, me)).toThrow(
      `${join(folder, 'sessions')} belongs to another user`,
    );
  });

  test('write access of others to the user’s own folder is removed, with a warning', async () => {
    const fleet = await withTwo();
    chmodSync(fleet.folder, 0o777);
    const { code, stderr } = await fleet(['status']);
    expect(code).toBe(0);
    expect(stderr).toContain(`Other users could write to ${fleet.folder}; now only you can.`);
    expect(statSync(fleet.folder).mode & 0o022).toBe(0);
    expect((await fleet(['status'])).stderr).toBe('');
  });

  test('a path that is not a folder is refused, and keeps its access rights', async () => {
    const file = join(temporaryFolder(), 'null');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    expect(() => guardFolder(file, () => undefined)).toThrow('is not a folder');
    expect(statSync(file).mode & 0o777).toBe(0o666);
  });

  test('a configuration that is the user’s own link stays a link', async () => {
    const elsewhere = join(temporaryFolder(), 'dotfiles.json');
    const folder = temporaryFolder();
    writeFileSync(elsewhere, '{}', { mode: 0o600 });
    symlinkSync(elsewhere, join(folder, 'config.json'));
    await saveProfile(folder, 'mine', { baseUrl, username: 'me', user: null, credentialCommand: null });
    expect(JSON.parse(readFileSync(elsewhere, 'utf8')).profiles).toHaveProperty('mine');
  });
});
