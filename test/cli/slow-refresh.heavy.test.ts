// Messages about a slow or failed refresh, over HTTP, with a refused token and with a valid one.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { serve } from '../request/http-server.js';
import { createDeferred } from '../request/setup.js';
import { Sink } from './sink.js';

/** The clock of this machine; the service's clock is `ahead` milliseconds ahead. */
let time: { now: number; ahead: number };
let service: MockService;
/** A refresh reaches the service when this settles. */
let mayRefresh: Promise<unknown>;
let fleet: (
  words: readonly string[],
  stdin?: string,
) => { readonly stdout: Sink; readonly stderr: Sink; done: Promise<number> };

beforeEach(async () => {
  time = { now: Date.parse('2026-03-02T10:00:00Z'), ahead: 0 };
  service = createMockService({
    seed: 1,
    vehicles: 6,
    clock: { now: () => time.now + time.ahead },
    variant: { refreshTokens: 'rotate' },
  });
  const behind = await service.listen({ port: 0 });
  onTestFinished(() => behind.close());
  mayRefresh = Promise.resolve();
  const server = await serve(async (incoming, outgoing) => {
    if (incoming.url?.endsWith('/login/refresh')) await mayRefresh;
    const { method, headers } = incoming;
    const forwarded = request(`${behind.url}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  });
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(tmpdir(), 'fleet-refresh-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  fleet = (words, input = '') => {
    const stdin = new PassThrough();
    stdin.end(input);
    const [stdout, stderr] = [new Sink(), new Sink()];
    const env = { FLEET_CONFIG_DIR: folder, FLEET_BASE_URL: server.url, TZ: 'UTC' };
    const clock = { now: () => time.now };
    const done = run(words, { stdin, stdout, stderr, env, signal: new AbortController().signal, clock });
    return { stdout, stderr, done };
  };
  expect(await fleet(['login', '--username', 'demo', '--password-stdin'], 'demo\n').done).toBe(0);
  // From here on the user of the login is known.
  expect(await fleet(['vehicles', 'list']).done).toBe(0);
  service.clearRequests();
});

const statusesOf = (path: string) =>
  service.requests.filter((entry) => entry.path.endsWith(path)).map(({ status }) => status);
const list = ['vehicles', 'list', '-o', 'json'];
const errorOf = (stderr: Sink) => JSON.parse(stderr.text).error;

/** Returns the answered refreshes at each write; the refresh waits for the text `end`. */
function refreshesAt(stream: Sink, end: string): readonly number[] {
  const counts: number[] = [];
  const refresh = createDeferred();
  mayRefresh = refresh.promise;
  const write = stream._write.bind(stream);
  stream._write = (chunk, encoding, done) => {
    counts.push(statusesOf('/login/refresh').length);
    write(chunk, encoding, done);
    if (stream.text.endsWith(end)) refresh.resolve();
  };
  return counts;
}

describe('a token that the service refuses', () => {
  beforeEach(() => {
    // By the clock of this machine the token is valid.
    time.ahead = 400_000;
  });

  test('and a refresh that is slow: the time-out is told while the refresh goes on, whose tokens are kept', async () => {
    const command = fleet([...list, '--timeout', '1s']);
    const refreshCounts = refreshesAt(command.stderr, '}\n');
    expect(await command.done).toBe(8);
    expect(refreshCounts).toEqual([0]);
    expect(errorOf(command.stderr)).toMatchObject({
      code: 'TIMEOUT',
      message: 'getVehicles could not be sent within 1s: the service had not answered the refresh request.',
      exitCode: 8,
    });
    expect(statusesOf('/graphql')).toEqual([401]);
    expect(await fleet(list).done).toBe(0);
    expect(statusesOf('/login/refresh')).toEqual([200]);
  });

  test.each([
    [{ kind: 'status', status: 503 }, 8, 'HTTP', 'The service answered the renewal of the session with HTTP 503.'],
    [{ kind: 'status', status: 429 }, 7, 'RATE_LIMIT', /^The service still refuses the renewal of the session/],
    [{ kind: 'reset' }, 8, 'NETWORK', /^The connection ended before the answer to the renewal of the session/],
  ] as const)('and a refresh with the fault %j to the end: exit code %i', async (fault, code, name, message) => {
    service.faults.add({ ...fault, path: '/login/refresh', times: 10_000 });
    const command = fleet([...list, '--timeout', '1s']);
    expect(await command.done).toBe(code);
    const error = errorOf(command.stderr);
    expect(error).toMatchObject({ code: name, exitCode: code, operation: 'refresh' });
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
    expect(statusesOf('/graphql')).toEqual([401]);
  });
});

describe.each([
  ['JSON', { kind: 'status', status: 403 }],
  ['a page', { kind: 'html', status: 403 }],
] as const)('a 403 with %s of a gateway', (_, fault) => {
  test('to the refresh sends to `fleet login`, and not to the users', async () => {
    time.ahead = 400_000;
    service.faults.add({ ...fault, path: '/login/refresh', times: 10_000 });
    const command = fleet(list);
    await command.done;
    const { message, hint } = errorOf(command.stderr);
    expect(message).not.toContain('may not act');
    expect(hint).toContain('fleet login');
    expect(hint).not.toContain('fleet users');
  });

  test('to the login and to the list of users is no matter of the user', async () => {
    for (const [path, words] of [
      ['/login/token', ['login', '--username', 'demo', '--password-stdin']],
      ['/login/userinfo', ['users', 'list']],
    ] as const) {
      service.faults.add({ ...fault, path, times: 10_000 });
      const command = fleet([...words, '-o', 'json'], 'demo\n');
      expect(await command.done).toBeGreaterThan(0);
      const { message, hint } = errorOf(command.stderr);
      expect(message).not.toContain('may not act');
      expect(hint).not.toContain('fleet users');
    }
  });
});

test('a token that is still good is used at once while its refresh is slow, whose tokens are kept', async () => {
  time.now += 241_000;
  const command = fleet(list);
  const printed = refreshesAt(command.stdout, ']\n');
  expect(await command.done).toBe(0);
  expect(new Set(printed)).toEqual(new Set([0]));
  expect(statusesOf('/login/refresh')).toEqual([200]);
  time.now += 200_000;
  expect(await fleet(list).done).toBe(0);
  expect(statusesOf('/login/refresh')).toEqual([200]);
});
