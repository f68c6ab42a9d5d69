// Credentials of unattended commands: a file, or a command that prints them.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requirePrivate } from '../../src/cli/connection/read-credentials.js';
import { childEnv } from '../../src/cli/io/child-env.js';
import type { MockService } from '../../src/mock/service.js';
import { baseUrl, moment, type Shell, service, shell } from './harness.js';

const HOUR = 3_600_000;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-credentials-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function passwordFile(content: string | Buffer, mode = 0o600): string {
  const path = join(folder(), 'password');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const isWindows = process.platform === 'win32';

/** Returns a command that prints a text, and a function that counts its runs. */
function printing(text: string) {
  const path = folder();
  const [runs, output] = [join(path, 'runs'), join(path, 'output')];
  writeFileSync(output, text);
  return {
    command: isWindows ? `echo x>>"${runs}" & type "${output}"` : `echo x >>'${runs}'; cat '${output}'`,
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').trimEnd().split('\n').length : 0),
  };
}

const hanging = isWindows ? 'ping -n 60 127.0.0.1 >NUL' : 'sleep 60';

const logins = (world: MockService) => world.requests.filter(({ path }) => path === '/login/token').length;
const labels = ['labels', 'list'];
const config = (fleet: Shell) => JSON.parse(readFileSync(join(fleet.folder, 'config.json'), 'utf8'));

describe('FLEET_PASSWORD_FILE', () => {
  const withFile = (path: string, world = service()) =>
    shell(world.fetch, { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD_FILE: path });

  test.each([['demo'], ['demo\n'], ['demo\r\n'], ['\uFEFFdemo\r\n'], [Buffer.from('\uFEFFdemo\r\n', 'utf16le')]])(
    '%j is the password demo',
    async (content) => {
      expect((await withFile(passwordFile(content))(labels)).code).toBe(0);
    },
  );

  test('spaces belong to the password', async () => {
    expect((await withFile(passwordFile('demo \n'))(labels)).code).toBe(4);
  });

  test('is read for a login only: a stored session needs none', async () => {
    const world = service();
    const path = passwordFile('demo\n');
    const fleet = withFile(path, world);
    expect((await fleet(labels)).code).toBe(0);
    rmSync(path);
    expect((await fleet(labels)).code).toBe(0);
    expect(logins(world)).toBe(1);
  });

  test.skipIf(process.platform === 'win32')('is refused when others can read it, before anything is sent', async () => {
    const world = service();
    const path = passwordFile('demo\n', 0o644);
    const { code, stdout, stderr } = await withFile(path, world)(labels);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`error: Other users can access the password file ${path} (0644).`);
    expect(stderr).toMatch(/hint: Run chmod 06[04]0 /);
    expect(world.requests).toEqual([]);
  });

  const [me, other] = [1000, 1001];
  test.each([
    [me, 0o600, me, null],
    [me, 0o400, me, null],
    [me, 0o640, me, /Other users can access .* \(0640\)/],
    [me, 0o604, me, /Other users can access/],
    [0, 0o640, me, null],
    [0, 0o440, me, null],
    [0, 0o644, me, /Other users can access .* \(0644\)/],
    [0, 0o660, me, /Other users can access/],
    [0, 0o644, 0, /Other users can access/],
    [other, 0o644, me, /belongs to another user/],
    [other, 0o600, 0, /belongs to another user/],
    [other, 0o644, null, null],
  ])('a file of user %i with mode %o, read by user %s', (uid, mode, user, problem) => {
    const check = () => requirePrivate('/run/password', { uid, mode: 0o100_000 | mode }, user);
    if (problem === null) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });

  test.each([
    ['', 'FLEET_PASSWORD_FILE is empty'],
    ['\n\n', 'FLEET_PASSWORD_FILE is empty'],
    ['demo\nmore\n', 'FLEET_PASSWORD_FILE has more than one line'],
  ])('%j is refused', async (content, said) => {
    const { code, stderr } = await withFile(passwordFile(content))(labels);
    expect(code).toBe(3);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/demo$|more$/m);
  });

  test('one that is not there, and a folder, are told', async () => {
    const missing = await withFile('/no/such/file')(labels);
    expect([missing.code, missing.stderr]).toEqual([
      3,
      expect.stringContaining('error: The password file /no/such/file cannot be read (ENOENT).'),
    ]);
    const path = folder();
    chmodSync(path, 0o700);
    expect((await withFile(path)(labels)).stderr).toContain(`${path} cannot be read (EISDIR)`);
  });

  test('FLEET_PASSWORD wins, and without FLEET_USERNAME both are for nobody', async () => {
    const fleet = withFile('/no/such/file');
    expect((await fleet(labels, { env: { FLEET_PASSWORD: 'demo' } })).code).toBe(0);
    const nobody = shell(service().fetch, { FLEET_BASE_URL: baseUrl, FLEET_PASSWORD_FILE: passwordFile('demo') });
    const { code, stderr } = await nobody(labels);
    expect(code).toBe(4);
    expect(stderr).toContain('hint: The environment has a password and no user name: set FLEET_USERNAME too.');
  });

  test('is what `fleet login` takes, too', async () => {
    const fleet = shell(service().fetch);
    const login = ['login', '--username', 'demo'];
    expect((await fleet(login, { env: { FLEET_PASSWORD_FILE: passwordFile('demo\n') } })).code).toBe(0);
    expect((await fleet(labels)).code).toBe(0);
  });
});

describe('FLEET_CREDENTIAL_COMMAND', () => {
  const withCommand = (command: string, world = service(), env: Readonly<Record<string, string>> = {}) =>
    shell(world.fetch, { FLEET_BASE_URL: baseUrl, FLEET_CREDENTIAL_COMMAND: command, ...env });
  const demo = JSON.stringify({ username: 'demo', password: 'demo' });

  test.each([
    ['the password', 'demo\n', { FLEET_USERNAME: 'demo' }],
    ['JSON', `${demo}\n`, {}],
    ['JSON over several lines', JSON.stringify(JSON.parse(demo), null, 2), {}],
    ['JSON with the password alone', '{"password":"demo"}', { FLEET_USERNAME: 'demo' }],
    ['JSON of the same user name', demo, { FLEET_USERNAME: 'demo' }],
  ])('%s: is run once for a login, and not for a stored session', async (_, text, env) => {
    const world = service();
    const { command, runs } = printing(text);
    const fleet = withCommand(command, world, env);
    for (let time = 0; time < 3; time++) expect(await fleet(labels)).toMatchObject({ code: 0, stderr: '' });
    expect([runs(), logins(world)]).toEqual([1, 1]);
    // The users of the login are not requested again either.
    expect(world.requests.filter(({ path }) => path === '/login/userinfo')).toHaveLength(1);
  });

  test('is run again when the session is over', async () => {
    let time = moment;
    const clock = { now: () => time };
    const world = service({ clock });
    const { command, runs } = printing(demo);
    const fleet = withCommand(command, world);
    expect((await fleet(labels, { clock })).code).toBe(0);
    time += 11 * HOUR;
    expect((await fleet(labels, { clock })).code).toBe(0);
    expect(runs()).toBe(1);
    time += 13 * HOUR;
    expect((await fleet(labels, { clock })).code).toBe(0);
    expect([runs(), logins(world)]).toEqual([2, 2]);
  });

  test('two commands have two sessions', async () => {
    const world = service();
    const fleet = withCommand(printing(demo).command, world);
    const other = printing(JSON.stringify({ username: 'limited', password: 'limited' })).command;
    const vehicles = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await fleet(['vehicles', 'list', '-o', 'json'], { env })).stdout).length;
    const all = await vehicles({});
    expect(await vehicles({ FLEET_CREDENTIAL_COMMAND: other })).toBeLessThan(all);
    expect(await vehicles({})).toBe(all);
    expect(logins(world)).toBe(2);
  });

  test.each([
    [() => 'exit 7', 4, 'ended with exit code 7'],
    [() => 'echo s3cret 1>&2 && exit 1', 4, 'ended with exit code 1'],
    [() => printing('s3cret'.repeat(20_000)).command, 4, 'printed more than 64 KiB'],
    [() => printing('s3cret\nsecond').command, 3, 'has more than one line'],
    [() => printing('\n').command, 3, 'is empty'],
    [() => printing('{"username":"s3cret"}').command, 3, 'is JSON without a password'],
    [() => printing('{"password":"s3cret"}').command, 3, 'gives a password and no user name'],
  ])('%s is told, and what it prints is not', async (commandOf, expectedCode, said) => {
    const command = commandOf();
    const world = service();
    for (const words of [
      [...labels, '--verbose'],
      [...labels, '-o', 'json'],
    ]) {
      const { code, stdout, stderr } = await withCommand(command, world)(words);
      expect({ code, stdout }).toEqual({ code: expectedCode, stdout: '' });
      expect(stderr).toContain(said);
      expect(stderr).not.toContain('s3cret');
      expect(stderr).not.toContain(command);
    }
    expect(world.requests).toEqual([]);
  });

  test('one that is no program is told', async () => {
    const { code, stderr } = await withCommand('no-such-program-here')(labels);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /The command of FLEET_CREDENTIAL_COMMAND ended with exit code \d+, so there is no password\./,
    );
  });

  test('one that gives another login than the named one is refused', async () => {
    const { code, stderr } = await withCommand(printing(demo).command, service(), { FLEET_USERNAME: 'multi' })(labels);
    expect(code).toBe(3);
    expect(stderr).toContain('FLEET_CREDENTIAL_COMMAND gives the login of "demo", not of "multi".');
  });

  test('one that hangs is ended after 30 seconds, or --timeout', async () => {
    const world = service();
    const waited: number[] = [];
    const sleep = async (ms: number) => void waited.push(ms);
    const { code, stderr } = await withCommand(hanging, world)(labels, { sleep });
    expect(code).toBe(4);
    expect(stderr).toContain('The command of FLEET_CREDENTIAL_COMMAND did not end within 30 s');
    expect((await withCommand(hanging)([...labels, '--timeout', '5s'], { sleep })).stderr).toContain('within 5 s');
    expect([waited, world.requests]).toEqual([[30_000, 5_000], []]);
  });

  test('Ctrl-C ends it', async () => {
    const interrupt = new AbortController();
    const ended = withCommand(hanging)(labels, {
      signal: interrupt.signal,
      // The command has started when its time limit begins.
      sleep: (_, signal) => {
        setImmediate(() => interrupt.abort());
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });

  test('a password in the environment wins over it', async () => {
    const { command, runs } = printing(demo);
    const env = { FLEET_USERNAME: 'demo', FLEET_PASSWORD_FILE: passwordFile('demo') };
    expect((await withCommand(command, service(), env)(labels)).code).toBe(0);
    expect(runs()).toBe(0);
  });

  test('the programs that a command starts do not see it', () => {
    const env = { FLEET_CREDENTIAL_COMMAND: 'echo s3cret', FLEET_PASSWORD: 's3cret', PATH: '/bin' };
    expect(childEnv(env)).toEqual({ PATH: '/bin' });
  });
});

describe('fleet login --credential-command', () => {
  test('saves the command with the profile, which logs in by itself from then on', async () => {
    let time = moment;
    const clock = { now: () => time };
    const world = service({ clock });
    const fleet = shell(world.fetch);
    const { command, runs } = printing('demo\n');
    const login = ['login', '--username', 'demo', '--credential-command', command];
    expect(await fleet(login, { clock })).toMatchObject({ code: 0, stdout: '' });
    expect(config(fleet).profiles.default).toMatchObject({ username: 'demo', 'credential-command': command });
    time += 13 * HOUR;
    expect(await fleet(labels, { clock })).toMatchObject({ code: 0, stderr: '' });
    expect([runs(), logins(world)]).toEqual([2, 2]);
    // Selecting a user or logging in again keeps the command.
    await fleet(['users', 'use', 'Demo Fleet'], { clock });
    expect((await fleet(['login'], { clock })).code).toBe(0);
    expect(config(fleet).profiles.default['credential-command']).toBe(command);
    expect(runs()).toBe(3);
  });

  test('the command may tell who logs in', async () => {
    const fleet = shell(service().fetch);
    const command = printing('{"username":"demo","password":"demo"}').command;
    expect((await fleet(['login', '--credential-command', command])).stderr).toContain('as demo.');
    expect(config(fleet).profiles.default.username).toBe('demo');
  });

  test('is for the service and the login of the profile only', async () => {
    const world = service();
    const fleet = shell(world.fetch, {});
    const { command, runs } = printing('demo\n');
    await fleet(['login', '--base-url', baseUrl, '--username', 'demo', '--credential-command', command]);
    await fleet(['logout']);
    expect(runs()).toBe(1);
    expect((await fleet([...labels, '--base-url', 'https://other.test'])).code).toBe(4);
    expect((await fleet(labels, { env: { FLEET_USERNAME: 'multi' } })).code).toBe(4);
    expect((await fleet(['login', '--username', 'multi'])).code).toBe(2);
    expect(runs()).toBe(1);
    expect((await fleet(labels)).code).toBe(0);
    expect(runs()).toBe(2);
  });

  test('an empty one removes it', async () => {
    const fleet = shell(service().fetch);
    await fleet(['login', '--username', 'demo', '--credential-command', printing('demo\n').command]);
    const words = ['login', '--credential-command', ''];
    expect((await fleet(words, { env: { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' } })).code).toBe(0);
    expect(config(fleet).profiles.default).not.toHaveProperty('credential-command');
  });

  test('a wrong password is the usual error, and saves nothing', async () => {
    const fleet = shell(service().fetch);
    const { code, stderr } = await fleet([
      'login',
      '--username',
      'demo',
      '--credential-command',
      printing('no').command,
    ]);
    expect(code).toBe(4);
    expect(stderr).toContain('the user name or the password is wrong');
    expect(existsSync(join(fleet.folder, 'config.json'))).toBe(false);
  });

  test('does not go with --password-stdin', async () => {
    const words = ['login', '--password-stdin', '--credential-command', 'x'];
    const { code, stderr } = await shell(service().fetch)(words, { input: 'demo' });
    expect(code).toBe(2);
    expect(stderr).toContain('Give either --password-stdin or --credential-command. Nothing was sent.');
  });
});

describe('which one is used is named', () => {
  const file = () => ({ FLEET_USERNAME: 'demo', FLEET_PASSWORD_FILE: passwordFile('demo') });
  const command = () => ({ FLEET_CREDENTIAL_COMMAND: printing('{"username":"demo","password":"demo"}').command });

  test.each([
    ['FLEET_USERNAME and FLEET_PASSWORD', () => ({ FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' })],
    ['FLEET_USERNAME and FLEET_PASSWORD_FILE', file],
    ['FLEET_CREDENTIAL_COMMAND', command],
  ])('%s', async (name, env) => {
    const fleet = shell(service().fetch, { FLEET_BASE_URL: baseUrl, ...env() });
    const checks: readonly { check: string; status: string; detail: string }[] = JSON.parse(
      (await fleet(['doctor', '-o', 'json'])).stdout,
    );
    expect(checks.find(({ check }) => check === 'login')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(`demo (${name}), tokens last 300 s`),
    });
    expect((await fleet(['status'], { terminal: 200 })).stdout).toContain(
      `never the password; that comes from ${name}`,
    );
    expect((await fleet([...labels, '--verbose'])).stderr).toContain(`credentials by ${name},`);
    expect((await fleet(['logout'])).stderr).toContain(`The next command will log in again, by ${name}.`);
  });

  test('that of the profile', async () => {
    const fleet = shell(service().fetch);
    await fleet(['login', '--username', 'demo', '--credential-command', printing('demo').command]);
    const { stdout } = await fleet(['doctor', '-o', 'json']);
    expect(stdout).toContain('demo (credential-command of the profile), tokens last 300 s');
  });

  test('doctor tells what is wrong with a file, although a session is stored', async () => {
    const path = passwordFile('demo');
    const fleet = shell(service().fetch, {
      FLEET_BASE_URL: baseUrl,
      FLEET_USERNAME: 'demo',
      FLEET_PASSWORD_FILE: path,
    });
    await fleet(labels);
    rmSync(path);
    const { code, stdout } = await fleet(['doctor', '-o', 'json']);
    expect(code).toBe(3);
    expect(stdout).toContain(`The password file ${path} cannot be read (ENOENT).`);
  });
});
