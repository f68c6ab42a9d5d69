// Texts of SDK errors: they name flags and commands, never options and properties of the SDK.
import { describe, expect, test } from 'vitest';
import { refreshNotSentError } from '../../src/auth/session-error.js';
import { commandFailureOf } from '../../src/cli/errors/exit-codes.js';
import {
  AmbiguousMutationError,
  AuthenticationError,
  GraphQLResponseError,
  HttpError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  ResponseTooLargeError,
  TimeoutError,
  TransportError,
  UserSelectionError,
} from '../../src/core/errors.js';
import { service, shell, shellOf } from './harness.js';

/** SDK terms that must not appear. */
const jargon =
  /timeoutMs|error\.(serviceErrors|data|choices|cause)|idempotent|share:|sessionKey|tokenStore|token store|the client|maxResponseBytes|streamSnapshots/;
const list = ['vehicles', 'list', '-o', 'json'];
const said = (stderr: string): { message: string; hint: string } => JSON.parse(stderr).error;
const failureOf = (error: Error, timeoutMs?: number) => commandFailureOf(error, false, timeoutMs);

describe('a timeout', () => {
  const call = { operation: 'getVehicles', attempts: 1 };

  test('after the request was sent', () => {
    const late = new TimeoutError('The time for getVehicles (timeoutMs) ran out before the answer arrived.', call);
    expect(failureOf(late, 2_000)).toMatchObject({
      exitCode: 8,
      message: 'The service did not answer getVehicles within 2s.',
      hint: 'Allow more time, for example --timeout 2m.',
    });
    expect(failureOf(late, 120_000).message).toContain('within 2m.');
    expect(failureOf(late, 150).message).toContain('within 150ms.');
    expect(failureOf(late).message).toBe('The service did not answer getVehicles in time.');
  });

  test('before anything was sent: says what the call waited for', () => {
    const waitedFor = 'others of the same user were still taking their turn';
    expect(
      failureOf(new TimeoutError('in the words of the SDK', { ...call, attempts: 0, waitedFor }), 2_000).message,
    ).toBe(`getVehicles could not be sent within 2s: ${waitedFor}.`);
    expect(failureOf(new TimeoutError('in the words of the SDK', { ...call, attempts: 0 }), 2_000).message).toBe(
      'getVehicles could not be sent within 2s.',
    );
  });

  test('during the login', async () => {
    const silent = () => new Promise<never>(() => undefined);
    const { code, stderr } = await shellOf('demo', silent)([...list, '--timeout', '50ms']);
    expect(code).toBe(8);
    expect(said(stderr).message).toContain('within 50ms');
    expect(stderr).not.toMatch(jargon);
    const login = new TimeoutError('The service did not answer the login request in time (timeoutMs).', {
      operation: 'login',
      attempts: 1,
    });
    expect(failureOf(login, 50).message).toBe('The service did not answer the login within 50ms.');
  });
});

test('429: does not mention the SDK', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  // Logged in before, so that the timeout applies only to the refused requests.
  expect((await fleet(['login'])).code).toBe(0);
  world.faults.add({ kind: 'status', status: 429, times: 10_000, path: '/graphql' });
  const { code, stderr } = await fleet([...list, '--timeout', '300ms']);
  expect(code).toBe(7);
  expect(said(stderr)).toMatchObject({
    message: 'The service still refuses getVehicles (HTTP 429): another request of the same user is active.',
    hint: expect.stringContaining('--timeout'),
  });
});

test('a change with an unknown outcome: how to check the current state', async () => {
  const world = service();
  world.faults.add({ kind: 'reset', times: 1, path: '/graphql' });
  const change = 'mutation remove { deleteGroup(groupId: "00000000-0000-4000-8000-000000000000") }';
  const { code, stderr } = await shellOf('demo', world.fetch)(['api', change, '-o', 'json']);
  expect(code).toBe(9);
  expect(said(stderr)).toMatchObject({
    message: 'remove was sent, but no complete answer arrived: the change may or may not have been made.',
    hint: expect.stringContaining('Check the current state'),
  });
});

test.each([
  ['groups', ['create', '--name', 'Winter roster'], 'createGroup', 'fleet groups list'],
  ['people', ['create', '--first-name', 'Anna'], 'createPerson', 'fleet people list'],
  ['drivers', ['assign', 'Van 01', 'Liis Tamm', '--yes'], 'assignDriver', 'fleet drivers assignments'],
])(
  'a change that is answered with 503 says what arrived, and names the command of the noun: %s',
  async (noun, words, operation, command) => {
    const world = service();
    world.faults.add({ kind: 'status', status: 503, times: 10_000, operation });
    const { code, stderr } = await shellOf('demo', world.fetch)([noun, ...words, '-o', 'json']);
    expect(code).toBe(9);
    expect(said(stderr)).toMatchObject({
      message: `${operation} was answered with HTTP 503, so it is not known whether the change was made.`,
      hint: `Check the current state, for example with \`${command}\`, and repeat the command only if the change is missing.`,
    });
  },
);

describe('HTTP', () => {
  test.each([
    [403, /fleet users list/],
    [503, /try again later/],
    [404, /Check the address/],
    [413, /input of the command/],
  ])('%i has a matching hint', async (status, hint) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    world.faults.add({ kind: 'status', status, times: 10_000, path: '/graphql' });
    const { code, stderr } = await fleet([...list, '--timeout', '150ms']);
    // A temporarily unavailable gateway counts as an unreachable service.
    expect(code).toBe(status === 503 ? 8 : 6);
    expect(said(stderr).message).toContain(`The service answered getVehicles with HTTP ${status}.`);
    expect(said(stderr).hint).toMatch(hint);
    expect(stderr).not.toMatch(jargon);
  });

  // The address of a query, which ends in /graphql, or of another program.
  test.each([404, 405, 501])('%i to a login says which part of the address is wanted', async (status) => {
    const world = service();
    world.faults.add({ kind: 'status', status, times: 10_000, path: '/login/token' });
    const { code, stderr } = await shellOf('demo', world.fetch)(list);
    expect(code).toBe(6);
    expect(said(stderr).hint).toContain('it is the part before /login/token and /graphql');
    expect(stderr).not.toMatch(jargon);
  });

  test('403 explains itself', () => {
    expect(failureOf(new HttpError('…', 403, { operation: 'getVehicles' }))).toMatchObject({
      message: expect.stringContaining('The login may not act for this user, or has no permission for this.'),
      hint: expect.not.stringContaining('address'),
    });
  });
});

describe('authentication', () => {
  test('a session that is not renewed, because it could not be stored', () => {
    expect(failureOf(refreshNotSentError())).toMatchObject({
      message: 'The session was not renewed: its new tokens could not be stored, so nothing was sent.',
      hint: expect.stringContaining('writable'),
    });
  });

  test('a wrong password: check it, do not log in again', async () => {
    const words = ['login', '--username', 'demo', '--password-stdin', '-o', 'json'];
    const { code, stderr } = await shell(service().fetch)(words, { input: 'wrong' });
    expect(code).toBe(4);
    expect(said(stderr)).toMatchObject({
      message: 'The service refused the login: the user name or the password is wrong.',
      hint: expect.stringMatching(/^Check the user name and the password/),
    });
    expect(stderr).not.toContain('fleet login');
  });

  test('a refused session: log in again', () => {
    expect(failureOf(new AuthenticationError('…', { operation: 'getVehicles', attempts: 2 }))).toMatchObject({
      message: 'The service refused getVehicles with the session, and again with a renewed one.',
      hint: expect.stringContaining('fleet login'),
    });
  });

  test('no login at all', () => {
    expect(failureOf(new AuthenticationError('… Give the client credentials.'))).toMatchObject({
      message: 'You are not logged in.',
      hint: expect.stringContaining('fleet login'),
    });
  });
});

test.each([
  new AmbiguousMutationError('{ idempotent: true }', { operation: 'request' }),
  new AuthenticationError('Give the client credentials, or sessionKey.'),
  new GraphQLResponseError('What it said is in error.serviceErrors, what arrived in error.data.', [], null),
  new HttpError('what it said, if anything, is in error.serviceErrors.', 400, { operation: 'userinfo' }),
  new RateLimitError("(share: 'machine')", null, { operation: 'refresh' }),
  new ResponseTooLargeError('raise maxResponseBytes', 1, { operation: 'getVehicles' }),
  new TimeoutError('(timeoutMs)', { operation: null }),
  new TransportError('error.cause is what was thrown', { operation: 'getVehicles' }),
  new UserSelectionError('error.choices', []),
])('$name keeps the words of the SDK to itself', (error) => {
  const { message, hint } = failureOf(error);
  expect(`${message} ${hint}`).not.toMatch(jargon);
  expect(message).toMatch(/^[A-Z].*\.$/);
});

describe('the network', () => {
  const lost = (code: string | null, operation = 'getVehicles', attempts = 1) =>
    failureOf(
      new NetworkError('in the words of the SDK: check the base URL', {
        operation,
        attempts,
        ...(code === null ? {} : { cause: Object.assign(new Error(code), { code }) }),
      }),
    );

  test.each([
    ['ECONNREFUSED', 'The service cannot be reached for getVehicles: connection refused (ECONNREFUSED).'],
    ['ENOTFOUND', 'The service cannot be reached for getVehicles: unknown host name (ENOTFOUND).'],
    ['ETIMEDOUT', 'The service cannot be reached for getVehicles: connection timed out (ETIMEDOUT).'],
    [
      'CERT_HAS_EXPIRED',
      "No trusted connection could be made for getVehicles: the service's certificate has expired (CERT_HAS_EXPIRED).",
    ],
    ['ECONNRESET', 'The connection ended before the answer to getVehicles was complete (ECONNRESET).'],
    [null, 'The connection ended before the answer to getVehicles was complete.'],
  ])('%s', (code, message) => {
    const failure = lost(code);
    expect(failure).toMatchObject({ exitCode: 8, code: 'NETWORK', message });
    expect(failure.hint).toContain('fleet doctor');
  });

  test('an invalid request was not sent', () => {
    expect(lost('ERR_INVALID_CHAR')).toMatchObject({
      message: 'getVehicles could not be made into a valid HTTP request (ERR_INVALID_CHAR); nothing was sent.',
      hint: expect.stringContaining('--user'),
    });
  });

  test('gives the number of attempts, and describes the login', () => {
    expect(lost('ECONNREFUSED', 'login', 4).message).toBe(
      'The service cannot be reached for the login: connection refused (ECONNREFUSED) (4 attempts).',
    );
    expect(lost('DEPTH_ZERO_SELF_SIGNED_CERT').hint).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('with a real fetch that fails', async () => {
    const refused = () =>
      Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }));
    const { code, stderr } = await shellOf('demo', refused)([...list, '--timeout', '1m']);
    expect(code).toBe(8);
    expect(said(stderr).message).toContain('connection refused');
    expect(stderr).not.toMatch(jargon);
    expect(stderr).not.toContain('base URL');
  });
});

test('an answer of another service: described, with a hint', async () => {
  for (const operation of ['login', 'userinfo', 'getVehicles', 'IntrospectionQuery']) {
    const failure = failureOf(new ProtocolError('The base URL is wrong', { operation, attempts: 1 }));
    expect(failure).toMatchObject({ exitCode: 6, code: 'PROTOCOL', hint: expect.stringContaining('--base-url') });
    expect(failure.message).toMatch(
      /^The answer to (the [a-z ]+|getVehicles) does not follow the service's contract: /,
    );
  }
  const html = () => Promise.resolve(new Response('<html>', { status: 200 }));
  const { code, stderr } = await shellOf('demo', html)(list);
  expect(code).toBe(6);
  expect(said(stderr).message).toContain('The answer to the login does not follow');
  expect(stderr).not.toContain('base URL');
});

test('an exception in the transport: exit code 1, and with --verbose its name and stack', async () => {
  const bug = new TypeError('agent is not a constructor');
  const fleet = shellOf('demo', () => Promise.reject(bug));
  const quiet = await fleet(['vehicles', 'list']);
  expect(quiet).toMatchObject({ code: 1, stdout: '' });
  expect(quiet.stderr).toContain('An exception in this program ended the login; it is not a network failure.');
  expect(quiet.stderr).toContain('--verbose');
  expect(quiet.stderr).not.toContain('agent');
  const verbose = await fleet(['vehicles', 'list', '--verbose']);
  expect(verbose.stderr).toMatch(/TypeError\n +at .*error-messages\.test\.ts/);
  expect(verbose.stderr).not.toContain('agent');
});
