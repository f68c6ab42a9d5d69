// `fleet doctor` with a healthy service and with each possible problem.
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { turnKey, userById } from '../../src/auth/acting-user.js';
import { proxyFor } from '../../src/cli/doctor/proxy.js';
import { main } from '../../src/cli/run/main.js';
import { run } from '../../src/cli/run/run.js';
import type { Fetch } from '../../src/core/ports.js';
import { sdkVersion } from '../../src/core/version.js';
import { contractText } from '../../src/generated/contract-text.js';
import { operations } from '../../src/generated/operation-table.js';
import { turnFiles } from '../../src/locks/file-gate.js';
import { hostIdentity } from '../../src/locks/process-identity.js';
import { passingTimers } from '../request/passing-timers.js';
import { baseUrl, moment, type Outcome, service, shell, shellOf } from './harness.js';
import { Sink } from './sink.js';
import { withoutTotal } from './without-total.js';

passingTimers();

interface Row {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly next: string | null;
}

const rowsIn = ({ stdout }: Outcome): readonly Row[] => JSON.parse(stdout);
const rowOf = (outcome: Outcome, check: string) => rowsIn(outcome).find((row) => row.check === check);
const words = ['doctor', '-o', 'json'];
const withoutVersion = (text: string) => text.replaceAll(sdkVersion, '<version>');
const allChecks = [
  'config',
  'address',
  'proxy',
  'tls',
  'clock',
  'login',
  'users',
  'turn',
  'contract',
  'data',
  'packages',
];

/** Runs like shell() of the harness, but over real HTTP. */
async function overHttp(
  url: string,
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = words,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [stdout, stderr] = [new Sink(), new Sink()];
  const login = { FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo', FLEET_BASE_URL: url, FLEET_CONFIG_DIR: folder };
  const code = await run([...command, '--timeout', '20s'], {
    stdin: process.stdin,
    stdout,
    stderr,
    env: { ...login, ...env },
    signal: new AbortController().signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Starts a server that is closed after the test. */
async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port; // A server on a port, not on a pipe.
}

async function closedPort(): Promise<number> {
  const server = createHttp();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const pem = (name: string) => readFileSync(new URL(`../request/tls/${name}`, import.meta.url));

describe('a healthy service', () => {
  test('over HTTP: every check is ok, one row each', async () => {
    const world = service({ clock: Date });
    const server = await world.listen({ port: 0 });
    onTestFinished(() => server.close());
    const outcome = await overHttp(server.url);
    expect(outcome.stderr).toBe('');
    expect(outcome.code).toBe(0);
    const expectedLines = allChecks.map((check) => `${check} ok`);
    expect(rowsIn(outcome).map(({ check, status }) => `${check} ${status}`)).toEqual(expectedLines);
    expect(rowsIn(outcome).every(({ next }) => next === null)).toBe(true);
    expect(world.requests.filter(({ status }) => status === 429)).toEqual([]);
  });

  test('for people', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout, stderr } = await fleet(['doctor'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(withoutVersion(withoutTotal(stdout))).toMatchFileSnapshot('golden/doctor.terminal-80.txt');
  });

  test('with a failure, for people: the next step is below it, and nothing is shortened', async () => {
    const fleet = shellOf('multi', service().fetch);
    const { code, stdout, stderr } = await fleet(['doctor'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect(code).toBe(3);
    await expect(withoutVersion(stdout)).toMatchFileSnapshot('golden/doctor.failure.terminal-80.txt');
    await expect(stderr).toMatchFileSnapshot('golden/doctor.failure.stderr.txt');
  });

  test('in a pipe', async () => {
    const { code, stdout } = await shellOf('demo', service().fetch)(['doctor']);
    expect(code).toBe(0);
    await expect(withoutVersion(withoutTotal(stdout))).toMatchFileSnapshot('golden/doctor.tsv.txt');
  });

  test('--demo', async () => {
    const { code, stdout } = await shell(service().fetch, {})(['doctor', '--demo', '-o', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ status }: Row) => status)).toEqual([
      ...Array(4).fill('skipped'),
      'ok',
      'ok',
      'ok',
      'skipped',
      'ok',
      'ok',
      'ok',
    ]);
  });
});

describe('settings', () => {
  test('no address is 3, and the other checks are skipped', async () => {
    const outcome = await shell(service().fetch, {})(words);
    expect(outcome.code).toBe(3);
    expect(rowsIn(outcome)[0]).toEqual({
      check: 'config',
      status: 'fail',
      detail: 'The address of the service is not set.',
      next: expect.stringContaining('fleet login'),
    });
    expect(
      new Set(
        rowsIn(outcome)
          .slice(1, -1)
          .map(({ detail }) => detail),
      ),
    ).toEqual(new Set(['not checked: fix config first']));
    expect(JSON.parse(outcome.stderr).error).toMatchObject({ code: 'CONFIGURATION', exitCode: 3 });
  });

  test('a corrupt configuration and an unknown profile are 3', async () => {
    const fleet = shell(service().fetch);
    expect((await fleet([...words, '--profile', 'nope'])).code).toBe(3);
    writeFileSync(join(fleet.folder, 'config.json'), 'damaged');
    expect((await fleet(words)).code).toBe(3);
  });
});

describe('the connection', () => {
  test('a proxy that does not run is named, by every command too', async () => {
    const port = await closedPort();
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}` };
    const outcome = await overHttp('http://fleet.test', env);
    expect(rowOf(outcome, 'address')).toMatchObject({
      detail: `the proxy 127.0.0.1 does not accept connections on port ${port} (ECONNREFUSED)`,
      next: 'Correct HTTP_PROXY and HTTPS_PROXY, start the proxy, or name the service in NO_PROXY.',
    });
    const list = await overHttp('http://fleet.test', env, ['vehicles', 'list', '-o', 'json']);
    expect(list.code).toBe(8);
    expect(JSON.parse(list.stderr).error.message).toContain(
      `The proxy 127.0.0.1:${port} cannot be reached for the login`,
    );
  });

  // Even root cannot create files there.
  test.skipIf(process.platform !== 'linux')('a config folder that cannot be written is told', async () => {
    const world = service({ clock: Date });
    const server = await world.listen({ port: 0 });
    onTestFinished(() => server.close());
    const outcome = await overHttp(server.url, { FLEET_CONFIG_DIR: '/sys/kernel' });
    expect(rowOf(outcome, 'config')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/\/sys\/kernel cannot be written \(E\w+\), so no session is kept/),
    });
    expect(rowOf(outcome, 'login')).toEqual({
      check: 'login',
      status: 'warn',
      detail: 'demo (FLEET_USERNAME and FLEET_PASSWORD); the session could not be stored',
      next: 'Every command logs in again. Make the folder of the sessions writable, see the config check.',
    });
    const list = await overHttp(server.url, { FLEET_CONFIG_DIR: '/sys/kernel' }, ['vehicles', 'list', '-o', 'json']);
    expect(list).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Check that you have write access to /sys/kernel'),
    });
  });

  test('a port without a listener is 8', async () => {
    const port = await closedPort();
    const outcome = await overHttp(`http://127.0.0.1:${port}`);
    expect(outcome.code).toBe(8);
    expect(rowOf(outcome, 'address')).toEqual({
      check: 'address',
      status: 'fail',
      detail: `127.0.0.1 does not accept connections on port ${port} (ECONNREFUSED)`,
      next: 'No program listens on this port: check the port of the address, or start the service.',
    });
    expect(JSON.parse(outcome.stderr).error).toMatchObject({ code: 'NETWORK', exitCode: 8 });
  });

  test('an unknown host is 8', async () => {
    const outcome = await overHttp('http://no-such-host.invalid');
    expect(outcome.code).toBe(8);
    expect(rowOf(outcome, 'address')?.detail).toMatch(/^no-such-host\.invalid cannot be resolved to an address \(E/);
  });

  test('a web server that is not the service is 6, with a hint about the address', async () => {
    const port = await portOf(createHttp((_request, response) => response.writeHead(404).end('<html>')));
    const outcome = await overHttp(`http://127.0.0.1:${port}`);
    expect(outcome.code).toBe(6);
    expect(rowOf(outcome, 'login')).toMatchObject({ status: 'fail', next: expect.stringContaining('--base-url') });
  });

  test('an untrusted certificate is 8, with a hint', async () => {
    const port = await portOf(createHttps({ key: pem('server.key'), cert: pem('server.pem') }));
    const outcome = await overHttp(`https://127.0.0.1:${port}`);
    expect(outcome.code).toBe(8);
    expect(rowOf(outcome, 'tls')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/^the certificate is not trusted \([A-Z_]+\)$/),
      next: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  test('an invalid proxy is reported with the name of its variable only', async () => {
    const server = await service().listen({ port: 0 });
    onTestFinished(() => server.close());
    const outcome = await overHttp(server.url, { HTTP_PROXY: 'http://me:secret@' });
    expect(rowOf(outcome, 'proxy')).toMatchObject({ status: 'fail', detail: expect.stringContaining('HTTP_PROXY') });
    expect(outcome.code).not.toBe(0);
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain('secret');
  });

  test.each([
    ['http://fleet.test', { HTTP_PROXY: 'http://me:secret@proxy.test:3128' }, { host: 'proxy.test', port: 3128 }],
    ['https://fleet.test', { HTTP_PROXY: 'proxy.test' }, { host: 'proxy.test', port: 80 }],
    ['https://fleet.test', { https_proxy: 'https://proxy.test' }, { host: 'proxy.test', port: 443 }],
    ['https://fleet.test', { HTTPS_PROXY: 'proxy.test:1', NO_PROXY: 'other.test,fleet.test' }, null],
    ['https://eu.fleet.test', { HTTPS_PROXY: 'proxy.test:1', NO_PROXY: '.fleet.test' }, null],
    [
      'https://fleet.test',
      { HTTPS_PROXY: 'proxy.test:1', NO_PROXY: 'fleet.test:8443' },
      { host: 'proxy.test', port: 1 },
    ],
    ['https://fleet.test', { HTTPS_PROXY: 'proxy.test:1', NO_PROXY: '*' }, null],
    ['https://fleet.test', {}, null],
  ])('%s with %j goes through %j', (url, env, proxy) => {
    expect(proxyFor(env, new URL(url))).toEqual(proxy);
  });
});

describe('the clock', () => {
  const follows =
    ": ages, live status and times such as -2h use the service's clock, tokens and certificates use this machine's";
  const dated = (offsetSeconds: number): Fetch => {
    const { fetch } = service();
    return async (url, init) => {
      const answer = await fetch(url, init);
      const headers = { date: new Date(moment + offsetSeconds * 1000).toUTCString() };
      return new Response(await answer.text(), { status: answer.status, headers });
    };
  };

  test.each([
    [95, 'warn', `this machine is 1 min 35 s behind the service${follows}`],
    [-4000, 'warn', `this machine is 1 h 6 min ahead of the service${follows}`],
    [3.6 * 86_400, 'warn', `this machine is 3 d 14 h behind the service${follows}`],
    [20, 'ok', '20 s behind the service'],
    [0, 'ok', 'equal to the clock of the service'],
  ])('a difference of %i s is %s, not a failure', async (offset, status, detail) => {
    const outcome = await shellOf('demo', dated(offset))(words);
    expect(outcome.code).toBe(0);
    expect(rowOf(outcome, 'clock')).toMatchObject({ status, detail });
    if (status === 'warn') expect(rowOf(outcome, 'clock')?.next).toContain('NTP');
  });

  test.each([
    ['no Date', {}],
    ['a Date that is none', { date: 'yesterday' }],
    ['the Date of a cache', { date: new Date(moment).toUTCString(), age: '7' }],
  ])('%s gives no result', async (_what, headers) => {
    const { fetch } = service();
    const undated: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      return new Response(await answer.text(), { status: answer.status, headers: { ...headers } });
    };
    expect(rowOf(await shellOf('demo', undated)(words), 'clock')).toMatchObject({
      status: 'skipped',
      detail: 'the service does not send its time; ages and -2h use the clock of this machine',
    });
  });
});

describe('login and users', () => {
  test('a wrong password is 4, although a session is stored', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    expect((await fleet(['vehicles', 'list'])).code).toBe(0);
    const outcome = await fleet(words, { env: { FLEET_PASSWORD: 'not-the-one' } });
    expect(outcome.code).toBe(4);
    expect(rowOf(outcome, 'login')).toMatchObject({
      status: 'fail',
      detail: 'The service refused the login: the user name or the password is wrong.',
    });
    expect(`${outcome.stdout}${outcome.stderr}`).not.toContain('not-the-one');
  });

  test('without a login it is 4', async () => {
    const outcome = await shell(service().fetch)(words);
    expect(outcome.code).toBe(4);
    expect(rowOf(outcome, 'login')?.next).toContain('fleet login');
  });

  test('several users and none selected is 3, with their names; a named one is ok', async () => {
    const fleet = shellOf('multi', service().fetch);
    const outcome = await fleet(words);
    expect(outcome.code).toBe(3);
    expect(rowOf(outcome, 'users')).toMatchObject({ status: 'fail', detail: expect.stringContaining('South Fleet') });
    const named = await fleet([...words, '--user', 'South Fleet']);
    expect(named.code).toBe(0);
    expect(rowOf(named, 'users')?.detail).toBe('3 users; acting for multi · South Fleet, set by --user or FLEET_USER');
  });

  test('a selected user that the login no longer has is 3', async () => {
    const world = service();
    const fleet = shell(world.fetch);
    await fleet(['login', '--username', 'demo', '--password-stdin'], { input: 'demo' });
    const file = join(fleet.folder, 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"userId": "[^"]+"/, '"userId": "gone"'), { mode: 0o600 });
    const outcome = await fleet(words);
    expect(outcome.code).toBe(3);
    expect(rowOf(outcome, 'users')?.detail).toContain('is not among them');
  });

  test('reports the token lifetime of the service', async () => {
    const { fetch } = service();
    const short: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!url.endsWith('/login/token')) return answer;
      return Response.json({ ...JSON.parse(await answer.text()), expires_in: 60 });
    };
    const outcome = await shellOf('demo', short)(words);
    expect(rowOf(outcome, 'login')?.detail).toContain('tokens last 60 s by the answer of the service');
  });
});

describe('the turn across processes', () => {
  const held = async (holder: { readonly pid: number; readonly host: string }) => {
    const fleet = shellOf('demo', service().fetch);
    const [{ userId }] = JSON.parse((await fleet(['users', 'list', '-o', 'json'])).stdout);
    const { lease } = turnFiles(fleet.folder, turnKey(baseUrl, userById(userId)));
    mkdirSync(join(fleet.folder, 'turns'), { recursive: true });
    writeFileSync(lease, JSON.stringify({ id: 'somebody', ...holder }));
    return { fleet, free: () => rmSync(lease, { force: true }) };
  };
  /** Larger than any process id. */
  const dead = { pid: 2 ** 30, host: hostIdentity() };

  test('held by a process that has ended: a warning, and the next request takes it over', async () => {
    const { fleet } = await held(dead);
    const outcome = await fleet(words);
    expect(outcome.code).toBe(0);
    expect(rowOf(outcome, 'turn')).toEqual({
      check: 'turn',
      status: 'warn',
      detail: expect.stringMatching(/^held for \d+ s by process 1073741824, which has ended$/),
      next: 'Nothing to do: the next request takes the turn over.',
    });
    expect(rowOf(outcome, 'contract')?.status).toBe('ok');
    expect(rowOf(await fleet(words), 'turn')?.detail).toBe('free');
  });

  test('held by a running process: names it and counts the waiting ones', async () => {
    const { fleet, free } = await held({ pid: process.pid, host: hostIdentity() });
    const outcome = await fleet([...words, '--timeout', '200ms']);
    free();
    expect(rowOf(outcome, 'turn')?.detail).toMatch(
      new RegExp(`^held for \\d+ s by process ${process.pid}, which is running$`),
    );
    expect(outcome.code).toBe(8);
    expect(rowOf(outcome, 'contract')).toMatchObject({ status: 'fail' });
  });

  test('held by another machine, whose processes are not visible', async () => {
    const { fleet, free } = await held({ pid: 7, host: `not-${hostname()}` });
    const outcome = await fleet([...words, '--timeout', '200ms']);
    free();
    expect(rowOf(outcome, 'turn')?.detail).toContain('process 7 of another machine');
  });
});

test('a service with another schema is 6, with the broken operations', async () => {
  const moved = contractText.replace('\n  licensePlate: String\n', '\n');
  expect(moved).not.toBe(contractText);
  const introspection = introspectionFromSchema(buildSchema(moved, { assumeValidSDL: true }));
  const { fetch } = service();
  const drifted: Fetch = (url, init) =>
    init.body?.includes('__schema') ? Promise.resolve(Response.json({ data: introspection })) : fetch(url, init);
  const outcome = await shellOf('demo', drifted)(words);
  expect(outcome.code).toBe(6);
  expect(rowOf(outcome, 'contract')).toEqual({
    check: 'contract',
    status: 'fail',
    detail: `5 of ${Object.keys(operations).length} operations break: getActiveVehicles, getVehicleById, getVehicles, getVehiclesByVin, updateVehicle`,
    next: 'See `fleet schema check`.',
  });
});

describe('a service that is there, and answers nothing that was asked for', () => {
  const answering =
    (answer: () => Response): Fetch =>
    async (url, init) =>
      url.endsWith('/graphql') ? answer() : healthy(url, init);
  const { fetch: healthy } = service();
  const all = Object.keys(operations).length;

  test('another member in every answer is 6', async () => {
    const other = answering(() => Response.json({ data: { result: [] } }));
    const outcome = await shellOf('demo', other)(words);
    expect(outcome.code).toBe(6);
    expect(rowOf(outcome, 'contract')).toEqual({
      check: 'contract',
      status: 'fail',
      detail: `none of ${all} operations is answered as the contract says: the answer has the member result in data, and not getActiveVehicles`,
      next: 'Check that the address is that of the service, and ask its operator.',
    });
  });

  test('a service that does not describe itself, respects no @skip, and answers what was asked for is fine', async () => {
    const own: Fetch = async (url, init) => {
      const { query = '' }: { query?: string } = url.endsWith('/graphql') ? JSON.parse(init.body ?? '{}') : {};
      if (/__schema/.test(query)) return Response.json({ errors: [{ message: 'introspection is disabled' }] });
      const name = /^\s*query (\w+)/.exec(query)?.[1];
      return name === undefined ? healthy(url, init) : Response.json({ data: { [name]: null } });
    };
    const outcome = await shellOf('demo', own)(words);
    expect(rowOf(outcome, 'contract')).toMatchObject({ status: 'ok' });
  });

  test('an internal error in every answer is 6, and no contract that has changed', async () => {
    const errors = [{ message: 'Internal Server Error', extensions: { classification: 'INTERNAL_ERROR' } }];
    const outcome = await shellOf(
      'demo',
      answering(() => Response.json({ data: null, errors })),
    )(words);
    expect(outcome.code).toBe(6);
    expect(rowOf(outcome, 'contract')).toEqual({
      check: 'contract',
      status: 'fail',
      detail: `none of ${all} operations is answered as the contract says: Internal Server Error`,
      next: 'Check that the address is that of the service, and ask its operator.',
    });
  });

  /** Returns a fetch that describes the schema and replaces all other answers. */
  const described = (answer: (data: Readonly<Record<string, unknown>>) => Response): Fetch => {
    const { fetch } = service();
    return async (url, init) => {
      const whole = await fetch(url, init);
      const isQuestion = url.endsWith('/graphql') && !init.body?.includes('__schema');
      return isQuestion ? answer(JSON.parse(await whole.text()).data) : whole;
    };
  };

  test.each([
    ['another member', 6, 'does not follow', () => Response.json({ data: { result: [] } })],
    [
      'an internal error',
      6,
      'Internal error',
      () => Response.json({ data: null, errors: [{ message: 'Internal error' }] }),
    ],
    ['503', 8, 'HTTP 503', () => new Response('busy', { status: 503 })],
    [
      'objects in place of lists',
      6,
      'does not follow',
      (data: Readonly<Record<string, unknown>>) => {
        return Response.json({
          data: Object.fromEntries(Object.entries(data).map(([name, nodes]) => [name, { nodes }])),
        });
      },
    ],
  ])(
    'one that describes itself, and answers with %s, is no service that works: exit code %i',
    async (_, code, text, answer) => {
      // Only the 503 is retried until the timeout.
      const timeout = code === 8 ? '300ms' : '1m';
      const outcome = await shellOf('demo', described(answer))([...words, '--timeout', timeout]);
      expect(outcome.code).toBe(code);
      expect(rowOf(outcome, 'contract')).toMatchObject({ status: 'ok' });
      expect(rowOf(outcome, 'data')).toMatchObject({ status: 'fail', detail: expect.stringContaining(text) });
    },
  );

  test('lists that the user may not read are named, and no failure', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', operation: 'getPeople', message: 'Not for you.', times: 100 });
    const outcome = await shellOf('demo', world.fetch)(words);
    expect(outcome.code).toBe(0);
    expect(rowOf(outcome, 'data')).toEqual({
      check: 'data',
      status: 'warn',
      detail:
        '11 of 12 lists can be read; refused: getPeople. The service answered getPeople with an error. Not for you. (at getPeople)',
      next: 'If this user should see them, ask the administrator of the account.',
    });
  });

  test.each([
    ['/graphql', 503, 8, 'contract'],
    ['/login/userinfo', 503, 8, 'login'],
    ['/login/token', 502, 8, 'login'],
    ['/graphql', 429, 7, 'contract'],
    ['/graphql', 500, 6, 'contract'],
  ])('%s answered with HTTP %i is %i, as for every command', async (path, status, code, check) => {
    const world = service();
    world.faults.add({ kind: 'status', status, times: 100_000, path });
    const outcome = await shellOf('demo', world.fetch)([...words, '--timeout', '300ms']);
    expect(outcome.code).toBe(code);
    expect(rowOf(outcome, check)?.status).toBe('fail');
    expect(JSON.parse(outcome.stderr).error).toMatchObject({ exitCode: code });
  });
});

describe('an address that is nearly right', () => {
  test.each([
    [301, 'https://fleet.example.com/api/login/userinfo', 'https://fleet.example.com/api'],
    [308, '/v2/api/login/userinfo', 'SAME/v2/api'],
    [302, 'https://sso.example.com/start?state=geheim', null],
  ])('a redirect with %i to %s is told with the base URL to use', async (status, location, base) => {
    const server = createHttp((_request, response) => void response.writeHead(status, { location }).end());
    const url = `http://127.0.0.1:${await portOf(server)}`;
    const outcome = await overHttp(`${url}/api`);
    expect(outcome.code).toBe(6);
    const found = rowsIn(outcome).find((row) => row.status === 'fail');
    const target = base?.replace('SAME', url);
    expect(found?.detail).toBe(
      target
        ? `the service redirects every request to ${target}`
        : 'the service redirects requests to https://sso.example.com',
    );
    expect(found?.next).toContain(target ? `--base-url ${target}` : 'Check the address');
    expect(outcome.stdout + outcome.stderr).not.toContain('geheim');
  });

  test('http:// to a port that speaks TLS', async () => {
    const port = await portOf(createHttps({ key: pem('server.key'), cert: pem('server.pem') }));
    const outcome = await overHttp(`http://127.0.0.1:${port}/api`);
    expect(outcome.code).toBe(8);
    expect(rowsIn(outcome).find(({ status }) => status === 'fail')).toMatchObject({
      detail: `port ${port} speaks TLS, and the address begins with http://`,
      next: expect.stringContaining(`--base-url https://127.0.0.1:${port}/api`),
    });
  });

  test('https:// to a port that speaks no TLS', async () => {
    const port = await portOf(createHttp((_request, response) => void response.writeHead(404).end()));
    const outcome = await overHttp(`https://127.0.0.1:${port}/api`);
    expect(outcome.code).toBe(8);
    expect(rowOf(outcome, 'tls')).toMatchObject({
      status: 'fail',
      detail: `port ${port} speaks plain HTTP and no TLS, and the address begins with https://`,
      next: expect.stringContaining(`--base-url http://127.0.0.1:${port}/api`),
    });
    const silent = await portOf(createTcp((socket) => void socket.on('error', () => undefined).end('hello\r\n')));
    const other = await overHttp(`https://127.0.0.1:${silent}`);
    expect(rowOf(other, 'tls')?.detail).toMatch(/^no TLS connection can be made \(\w+\)$/);
  });
});

describe('whatever answers, every check is told of', () => {
  const answerOf = (body: string, head = '') =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const answers = {
    cut: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"data":{',
    'bad gzip': answerOf('notgzip', 'content-encoding: gzip\r\n'),
    'bad brotli': answerOf('notgzip', 'content-encoding: br\r\n'),
    101: 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'a wrong member': answerOf(JSON.stringify({ data: { __schema: { types: 3 } }, access_token: 3 })),
    'constant errors': answerOf(JSON.stringify({ errors: [{ message: 'no' }] })),
    'not HTTP': 'hello\r\n\r\n',
  };
  const good: Readonly<Record<string, string>> = {
    '/login/token': answerOf(JSON.stringify({ access_token: 'a', refresh_token: 'r', scope: 's' })),
    '/login/userinfo': answerOf(
      JSON.stringify([{ userId: '3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65', userName: 'x', fleetName: 'y' }]),
    ),
  };

  /** Returns the URL of a server that answers normally except on this path. */
  async function serverWith(path: string, bad: string): Promise<string> {
    const server = createTcp((socket) => {
      let text = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        // Closes a TLS handshake at once, because a silent port takes two seconds.
        if (text.startsWith('\u0016')) return void socket.end();
        const [, requestedPath = ''] = text.split(' ');
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (head < 0 || text.length < head + 4 + length) return;
        text = '';
        const isBad = requestedPath === path || !(requestedPath in good);
        socket.write(isBad ? bad : (good[requestedPath] ?? ''));
        if (isBad) socket.end();
      });
    });
    return `http://127.0.0.1:${await portOf(server)}`;
  }

  const failing = { '/login/userinfo': ['clock', 'login'], '/login/token': ['login'], '/graphql': ['contract'] };
  test.each(
    Object.entries(failing).flatMap(([path, checks]) =>
      Object.entries(answers).map(([what, bad]) => [what, path, bad, checks] as const),
    ),
  )('%s of %s', async (_what, path, bad, checks) => {
    const outcome = await overHttp(await serverWith(path, bad));
    expect(outcome.code, outcome.stderr).toBeGreaterThan(1);
    expect(rowsIn(outcome).map(({ check }) => check)).toEqual(allChecks);
    const failed = rowsIn(outcome).filter(({ status }) => status === 'fail');
    expect(checks).toContain(failed[0]?.check);
    expect(failed[0]?.detail).not.toContain('Unexpected');
  });

  test('a command that Node ends while it waits for nothing does not end with 0', async () => {
    const process = Object.assign(new EventEmitter(), {
      argv: ['node', 'fleet', 'login', '--username', 'demo', '--password-stdin', '--base-url', baseUrl],
      stdin: new PassThrough(),
      stdout: new Sink(),
      stderr: new Sink(),
      env: {},
      exitCode: undefined as number | undefined,
    });
    // The members of a process that main uses.
    void main(process as unknown as NodeJS.Process);
    await vi.waitFor(() => expect(process.listenerCount('beforeExit')).toBe(1), { timeout: 20_000 });
    process.emit('beforeExit');
    expect(process.exitCode).toBe(1);
    expect(process.stderr.text).toBe('error: The command stopped before it was done. Please report this.\n');
  });
});
