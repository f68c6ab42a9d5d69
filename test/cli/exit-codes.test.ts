// One test per exit code, with its message and an empty stdout.
import { createServer } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commandFailureOf } from '../../src/cli/errors/exit-codes.js';
import { version } from '../../src/cli/run/version.js';
import { NetworkError } from '../../src/index.js';
import { type Place, service, shell, shellOf } from './harness.js';

/** Runs the command twice: with JSON errors and with text errors. */
async function failing(fleet: ReturnType<typeof shell>, words: readonly string[], place: Place = {}) {
  const json = await fleet([...words, '-o', 'json'], place);
  expect(json.stdout).toBe('');
  expect(json.stderr.split('\n')).toHaveLength(2);
  const { error } = JSON.parse(json.stderr);
  expect(Object.keys(error).filter((key) => key !== 'choices')).toEqual([
    'code',
    'message',
    'operation',
    'exitCode',
    'hint',
  ]);
  expect(error.exitCode).toBe(json.code);
  return { code: json.code, name: error.code, error };
}

const list = ['vehicles', 'list'];

describe('exit code', () => {
  test('0: done', async () => {
    expect((await shellOf('demo', service().fetch)(list)).code).toBe(0);
  });

  test('0: help and version, on stdout', async () => {
    const fleet = shell(service().fetch);
    for (const words of [[], ['--help'], ['help'], ['vehicles'], ['vehicles', '--help'], ['help', 'vehicles', 'get']]) {
      const { code, stdout, stderr } = await fleet(words);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: fleet/);
      expect(stdout).toContain('Examples:');
    }
    expect((await fleet(['help', 'vehicles', 'get'])).stdout).toMatch(/^Usage: fleet vehicles get /);
    for (const words of [['--version'], ['-V']]) {
      expect(await fleet(words)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  test.each([502, 503, 504])('8: HTTP %i to the deadline', async (status) => {
    const world = service();
    world.faults.add({ kind: 'status', status, times: 10_000, path: '/graphql' });
    const { code, name } = await failing(shellOf('demo', world.fetch), [...list, '--timeout', '150ms']);
    expect({ code, name }).toEqual({ code: 8, name: 'HTTP' });
  });

  test('8: a proxy that does not run is named', async () => {
    const error = new NetworkError('…', {
      operation: 'login',
      attempts: 5,
      cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    });
    expect(commandFailureOf(error, false, undefined, 'proxy.test:3128')).toMatchObject({
      exitCode: 8,
      message:
        'The proxy proxy.test:3128 cannot be reached for the login: connection refused (ECONNREFUSED) (5 attempts).',
      hint: 'It is set by HTTP_PROXY or HTTPS_PROXY: correct it, or name the service in NO_PROXY.',
    });
  });

  test('1: unexpected', async () => {
    const broken = { kind: 'no error of ours' };
    expect(commandFailureOf(new Error('a bug'), false)).toMatchObject({ exitCode: 1, code: 'UNEXPECTED' });
    expect(commandFailureOf(broken, false)).toMatchObject({ exitCode: 1, code: 'UNEXPECTED' });
  });

  test.each([
    ['an unknown command', ['vehicels'], 'Did you mean vehicles?'],
    ['a slip of help', ['hepl'], 'Did you mean help?'],
    ['a slip of help before a noun', ['hlep', 'vehicles'], 'Did you mean help?'],
    ['an unknown verb', ['vehicles', 'lst'], 'Did you mean list?'],
    ['a move without its origin', ['vehicles', 'move', 'Van 01', '--to', 'Service'], 'Add --from <group>'],
    [
      'a filter for a document',
      ['api', '{ getRoles { id } }', '--filter', 'name=x'],
      'select and filter in the document, or with --jq',
    ],
    ['fields for a document', ['api', '{ getRoles { id } }', '--fields', 'id'], 'select and filter in the document'],
    ['help about an unknown command', ['help', 'vehicels'], 'Did you mean vehicles?'],
    ['help about a command like no other', ['help', 'nope'], '`fleet --help` lists the commands'],
    ['a command like no other', ['zqzqzq'], '`fleet --help` lists the commands'],
    ['help as a verb', ['vehicles', 'help'], '`fleet <command> --help`'],
    ['an unknown command with --help', ['vehicels', '--help'], 'Did you mean vehicles?'],
    ['help about an unknown verb', ['help', 'vehicles', 'lst'], 'Did you mean list?'],
    ['an unknown flag', ['vehicles', 'list', '--activ'], 'Did you mean --active?'],
    ['a flag without its value', ['vehicles', 'list', '--user'], 'Add --help'],
    ['one argument too many', ['vehicles', 'list', 'x'], 'Did you mean `fleet vehicles get x`?'],
    ['one argument too many for another verb', ['users', 'use', 'x', 'y'], 'Add --help'],
    ['completion for no shell', ['completion'], 'one of bash, zsh, fish, powershell'],
    ['a duration that is none', ['vehicles', 'list', '--timeout', 'soon'], 'Add --help'],
  ])('2: %s', async (_what, words, hint) => {
    const { code, name, error } = await failing(shell(service().fetch), words);
    expect({ code, name }).toEqual({ code: 2, name: 'USAGE' });
    expect(error.hint).toContain(hint);
  });

  test('2: an unknown output format', async () => {
    const fleet = shell(service().fetch);
    expect((await fleet([...list, '-o', 'pdf'])).code).toBe(2);
    expect(
      (await fleet(list, { env: { FLEET_OUTPUT: 'pdf', FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' } })).code,
    ).toBe(2);
  });

  test('3: no address, and no user among several', async () => {
    expect(await failing(shell(service().fetch, {}), list)).toMatchObject({ code: 3, name: 'CONFIGURATION' });
    const several = await failing(shellOf('multi', service().fetch), list);
    expect(several).toMatchObject({ code: 3, name: 'USER_SELECTION' });
    expect(several.error.choices).toEqual(
      ['North Fleet', 'South Fleet', 'West Fleet'].map((fleetName) => expect.objectContaining({ fleetName })),
    );
  });

  test('3: a port that is in use', async () => {
    const busyServer = createServer();
    await new Promise<void>((resolve) => busyServer.listen(0, '127.0.0.1', resolve));
    const address = busyServer.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const outcome = await failing(shell(service().fetch), ['mock', '--port', port]);
    busyServer.close();
    expect(outcome).toMatchObject({ code: 3, name: 'CONFIGURATION' });
    expect(outcome.error.message).toBe(`Port ${port} on 127.0.0.1 is already in use.`);
  });

  test('4: not logged in, and a refused login', async () => {
    expect(await failing(shell(service().fetch), list)).toMatchObject({ code: 4, name: 'AUTHENTICATION' });
    const wrong = { env: { FLEET_PASSWORD: 'wrong' } };
    expect(await failing(shellOf('demo', service().fetch), list, wrong)).toMatchObject({
      code: 4,
      name: 'AUTHENTICATION',
    });
  });

  test('5: not found', async () => {
    const result = await failing(shellOf('demo', service().fetch), ['vehicles', 'get', 'nothing']);
    expect(result).toMatchObject({ code: 5, name: 'NOT_FOUND' });
  });

  test('6: the service answers with an error, or with an invalid answer', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    world.faults.add({ kind: 'graphqlError', times: 1, operation: 'getVehicles', message: 'no\u001b luck' });
    const refused = await failing(fleet, list);
    expect(refused).toMatchObject({ code: 6, name: 'GRAPHQL', error: { operation: 'getVehicles' } });
    expect(refused.error.message).toContain('luck');
    const [{ id }] = JSON.parse((await fleet([...list, '-o', 'json'])).stdout);
    world.faults.add({ kind: 'graphqlError', times: 1, operation: 'getVehicleById', message: 'no luck' });
    expect((await failing(fleet, ['vehicles', 'get', id])).code).toBe(6);
    world.faults.add({ kind: 'status', status: 404, times: 1, path: '/graphql' });
    expect(await failing(fleet, list)).toMatchObject({ code: 6, name: 'HTTP' });
  });

  test('6: another service answers', async () => {
    const other = async () => new Response('<h1>Welcome</h1>');
    expect(await failing(shellOf('demo', other), list)).toMatchObject({ code: 6, name: 'PROTOCOL' });
  });

  test('6: an incomplete answer is printed', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const document = '{ getLabels { name } getVehicles { name } }';
    world.faults.add({ kind: 'graphqlError', times: 1, operation: 'getVehicles', message: 'out of order' });
    const { code, stdout, stderr } = await fleet(['api', document]);
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ getLabels: expect.any(Array), getVehicles: null });
    expect(stderr).toContain('out of order');
  });

  test('7: still 429 after the timeout', async () => {
    const world = service();
    world.faults.add({ kind: 'status', status: 429, times: 10_000, path: '/graphql' });
    const result = await failing(shellOf('demo', world.fetch), [...list, '--timeout', '150ms']);
    expect(result).toMatchObject({ code: 7, name: 'RATE_LIMIT' });
  });

  test('8: a network failure, and a timeout', async () => {
    const unreachable = () => Promise.reject(Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' }));
    const gone = await failing(shellOf('demo', unreachable), [...list, '--timeout', '300ms']);
    expect(gone.code).toBe(8);
    const silent = () => new Promise<never>(() => undefined);
    expect(await failing(shellOf('demo', silent), [...list, '--timeout', '50ms'])).toMatchObject({
      code: 8,
      name: 'TIMEOUT',
    });
  });

  test('9: a change with an unknown outcome', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    world.faults.add({ kind: 'reset', times: 1, path: '/graphql' });
    const change = 'mutation { deleteGroup(groupId: "00000000-0000-4000-8000-000000000000") }';
    expect(await failing(fleet, ['api', change])).toMatchObject({ code: 9, name: 'AMBIGUOUS_MUTATION' });
  });

  test('130: interrupted', async () => {
    const interrupt = new AbortController();
    const silent = () => {
      interrupt.abort();
      return new Promise<never>(() => undefined);
    };
    const place = { signal: interrupt.signal };
    expect(await shellOf('demo', silent)(list, place)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'error: Interrupted.\n',
    });
  });

  test('130: interrupted during a change, which may have been made', async () => {
    const interrupt = new AbortController();
    const world = service();
    const fetch: typeof world.fetch = async (input, init) => {
      const answer = await world.fetch(input, init);
      if (!world.requests.some(({ operations }) => operations.includes('createGroup'))) return answer;
      interrupt.abort();
      return new Promise<never>(() => undefined);
    };
    const { code, stdout, stderr } = await shellOf('demo', fetch)(
      ['groups', 'create', '--name', 'Depot', '-o', 'json'],
      {
        signal: interrupt.signal,
      },
    );
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'ABORTED',
      message:
        'Interrupted. createGroup was sent, but no complete answer arrived: the change may or may not have been made.',
      operation: 'createGroup',
      hint: expect.stringContaining('repeat the command only if the change is missing'),
    });
  });
});

test('what the service calls the request is in the error, as text and as JSON, and in the lines of --verbose', async () => {
  const world = service();
  const fetch: typeof world.fetch = async (url, init) => {
    const answer = await world.fetch(url, init);
    if (!String(url).endsWith('/graphql')) return answer;
    return new Response('', { status: 404, headers: { 'x-request-id': 'edge/4711' } });
  };
  const fleet = shellOf('demo', fetch);
  const text = await fleet([...list, '--verbose'], { env: { NO_COLOR: '1' } });
  expect(text.stderr).toMatch(/^error: .*HTTP 404.* Request id: edge\/4711\.$/m);
  expect(text.stderr).toMatch(/^< .*: 404 in .*, request id edge\/4711$/m);
  const json = await fleet([...list, '-o', 'json']);
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'HTTP', responseId: 'edge/4711' });
});

describe('an interrupted prompt', () => {
  const env = { NO_COLOR: '1' };

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-C behind half an answer', 'dem\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('by %s ends with 130, with the message on a line of its own', async (_how, key) => {
    const { code, stdout, stderr } = await shell(service().fetch)(['login'], { answers: [['User name: ', key]], env });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stripVTControlCharacters(stderr)).toMatch(/^User name: (dem)?\nerror: Interrupted\.\n$/);
  });

  test('by a signal: the message is on a line of its own', async () => {
    const interrupt = new AbortController();
    // Never typed, because the expected prompt does not appear.
    const answers = [['no such prompt', '']] as const;
    const onError = (text: string) => {
      if (stripVTControlCharacters(text) === 'User name: ') setImmediate(() => interrupt.abort());
    };
    const place = { answers, env, signal: interrupt.signal, onError };
    const { code, stderr } = await shell(service().fetch)(['login'], place);
    expect(code).toBe(130);
    expect(stripVTControlCharacters(stderr)).toBe('User name: \nerror: Interrupted.\n');
  });

  test('at a choice', async () => {
    const place = { answers: [['Act for which user? [1-3] ', '\u0003']] as const, env };
    const words = ['login', '--username', 'multi'];
    const { code, stderr } = await shellOf('multi', service().fetch)(words, place);
    expect(code).toBe(130);
    expect(stripVTControlCharacters(stderr)).toMatch(/Act for which user\? \[1-3\] \nerror: Interrupted\.\n$/);
  });

  test('at a password: with one line end, not two', async () => {
    const place = { answers: [['Password: ', '\u0003']] as const, env };
    expect(await shell(service().fetch)(['login', '--username', 'demo'], place)).toEqual({
      code: 130,
      stdout: '',
      stderr: 'Password: \nerror: Interrupted.\n',
    });
  });
});

describe('a mock', () => {
  test('prints its address, users and IDE on stderr, and ends with 0 when it is interrupted', async () => {
    const interrupt = new AbortController();
    const running = shell(service().fetch)(['mock', '--port', '0', '--seed', '7', '--time', '2026-03-01T08:00:00Z'], {
      signal: interrupt.signal,
      answers: [],
    });
    interrupt.abort();
    const { code, stdout, stderr } = await running;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(
      /^Reference service at http:\/\/127\.0\.0\.1:\d+ \(seed 7, 25 vehicles\)\. Press\sCtrl-C\sto\sstop\.\n/,
    );
    expect(stderr).toContain('demo/demo · multi/multi');
    expect(stderr).toMatch(/http:\/\/127\.0\.0\.1:\d+\/graphiql\?path=\/graphql/);
  });

  test('prints nothing with --quiet, except its address with --port 0', async () => {
    const signal = AbortSignal.abort();
    const free = await shell(service().fetch)(['mock', '--port', '0', '--quiet'], { signal });
    expect(free).toEqual({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/), stderr: '' });
    const { port } = new URL(free.stdout.trim());
    expect(await shell(service().fetch)(['mock', '--port', port, '--quiet'], { signal })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('--users-file sets other logins, and prints no password', async () => {
    const users = [
      { username: 'ada', password: 'planted-password', entries: [{ fleet: 'Depot', group: 'Deliveries' }] },
    ];
    const { code, stdout, stderr } = await shell(service().fetch)(['mock', '--port', '0', '--users-file', '-'], {
      input: JSON.stringify(users),
      signal: AbortSignal.abort(),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/ {2}users {3}ada\n/);
    expect(stderr).toMatch(/fleet login --base-url \S+ --username ada\n/);
    expect(stderr).not.toContain('planted-password');
  });

  test.each([
    ['{', 'it is not JSON'],
    ['[]', 'it is not a list of logins'],
    ['[{"username":"ada","password":"","entries":[{"fleet":"F"}]}]', 'login 1: password is missing or not a text'],
    ['[{"username":"ada","password":"p","entries":[]}]', 'login 1 has no list of entries'],
    [
      '[{"username":"ada","password":"p","entries":[{"fleet":"F","colour":"red"}]}]',
      'login 1, entry 1 has an unknown member',
    ],
    [
      '[{"username":"ada","password":"p","entries":[{"fleet":"F","group":"Nobodies"}]}]',
      'users[0].entries[0].group must be one of Deliveries, City deliveries',
    ],
  ])('a users file of %s is 2', async (input, why) => {
    const outcome = await shell(service().fetch)(['mock', '--port', '0', '--users-file', '-'], { input });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(why);
  });

  test.each([
    ['--port', '70000'],
    ['--port', 'x'],
    ['--vehicles', '-1'],
    ['--latency', 'long'],
    ['--time', 'yesterday'],
    ['--time', '0000-01-01'],
    ['--host', '203.0.113.1'],
  ])('%s %s is 2', async (...flag) => {
    expect((await shell(service().fetch)(['mock', '--port', '0', ...flag])).code).toBe(2);
  });
});
