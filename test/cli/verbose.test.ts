// --verbose prints each request on stderr, without secrets, and keeps the error the last line.
import { describe, expect, test } from 'vitest';
import { requestHooks } from '../../src/cli/connection/verbose.js';
import { moment, service, shell, shellOf } from './harness.js';

/** Removes what differs between runs: times, waits and random pauses. */
const steady = (stderr: string, folder: string) =>
  stderr
    .replaceAll(folder, '<folder>')
    .replaceAll(/in \d+ ms/g, 'in N ms')
    .replaceAll(/ \(waited \d+ ms in the queue\)|, waited \d+ ms in the queue/g, '')
    .replaceAll('retrying at once', 'retrying in N ms')
    .replaceAll(/[\d,]+ bytes/g, 'N bytes');

const list = ['vehicles', 'list'];

test('prints the settings, each request and its result', async () => {
  const fleet = shellOf('multi', service().fetch);
  const { code, stderr } = await fleet([...list, '--user', 'West Fleet', '--verbose']);
  expect(code).toBe(0);
  expect(steady(stderr, fleet.folder)).toBe(
    [
      '* https://fleet.test, login multi, credentials by FLEET_USERNAME and FLEET_PASSWORD, config in <folder>',
      '> login',
      '< login: 200 in N ms, N bytes',
      '* session: logged in',
      '> userinfo',
      '< userinfo: 200 in N ms, N bytes',
      '> getVehicles',
      '< getVehicles: 200 in N ms, N bytes',
      '',
    ].join('\n'),
  );
});

test('prints a failed attempt and the next one', async () => {
  const world = service();
  world.faults.add({ kind: 'status', status: 503, times: 1, operation: 'getVehicles' });
  const fleet = shellOf('demo', world.fetch);
  const { stderr } = await fleet([...list, '--verbose']);
  expect(steady(stderr, fleet.folder)).toContain(
    [
      '> getVehicles',
      '< getVehicles: 503 in N ms, N bytes',
      '! getVehicles: 503, retrying in N ms',
      '> getVehicles (attempt 2)',
      '< getVehicles: 200 in N ms, N bytes',
    ].join('\n'),
  );
});

test('without --verbose, people are told once what a command waits for', async () => {
  const world = service();
  world.faults.add({ kind: 'status', status: 503, times: 2, operation: 'getVehicles' });
  let now = moment;
  // Each answer takes 6 seconds.
  const slow: typeof world.fetch = (url, init) => {
    now += 6_000;
    return world.fetch(url, init);
  };
  const said = async (terminal: number | null) => {
    const words = [...list, '--fields', 'name'];
    const { code, stderr } = await shellOf('demo', slow)(words, { terminal, clock: { now: () => now } });
    expect(code).toBe(0);
    return stderr.match(/Waiting for the service.*?give up\./gs) ?? [];
  };
  const [output = '', ...more] = await said(60);
  expect(more).toEqual([]);
  expect(output.replace(/Trying again (at once|in .*?);/s, 'Trying again;')).toMatch(
    /^Waiting for the service: getVehicles has failed for 6 s\s\(503\)\.\sTrying\sagain;\s--timeout\ssays\swhen\sto\sgive\sup\.$/,
  );
  for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  world.faults.add({ kind: 'status', status: 503, times: 2, operation: 'getVehicles' });
  // No message for a program.
  expect(await said(null)).toEqual([]);
});

test('counts merged calls, and names the operations of the request', () => {
  const lines: string[] = [];
  const { io } = { io: { stderr: { write: (text: string) => lines.push(text) } } };
  // Only stderr is checked here.
  const output = requestHooks({ io, globals: {} } as unknown as Parameters<typeof requestHooks>[0]);
  const which = { requestId: 'a-1', label: 'a', user: null, callIds: [], attempt: 1 };
  const event = { ...which, operations: ['getVehicleById', 'getVehicleById', 'getRoles'], kind: 'query' } as const;
  output.onRequest?.({ ...event, merged: 3, waitMs: 41.6 });
  output.onResponse?.({
    ...event,
    merged: 3,
    waitMs: 41.6,
    status: null,
    durationMs: 5.2,
    bytes: null,
    responseId: null,
  });
  output.onRequest?.({ ...which, operations: ['deleteGroup'], kind: 'mutation', merged: 1, waitMs: 0 });
  output.onSession?.({ how: 'adopt', label: 'a' });
  expect(lines).toEqual([
    '> 2 x getVehicleById, getRoles (3 calls merged, waited 42 ms in the queue)\n',
    '< 2 x getVehicleById, getRoles: no answer in 5 ms\n',
    '> deleteGroup (mutation)\n',
    '* session: used the token that another process obtained\n',
  ]);
});

describe('with -o json', () => {
  test('an error is still one line of JSON, and the last one', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout, stderr } = await fleet(['api', '{ nope }', '-o', 'json', '--verbose']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '').error).toMatchObject({ exitCode: 6 });
    expect(lines.slice(0, -1).every((line) => /^[*<>!] /.test(line))).toBe(true);
  });

  test('stdout has only the data', async () => {
    const { stdout } = await shellOf('demo', service().fetch)([...list, '-o', 'json', '--verbose']);
    expect(JSON.parse(stdout)).toHaveLength(6);
  });
});

test('has no password, no token and no value of a variable', async () => {
  const world = service();
  const fleet = shell(world.fetch);
  const login = await fleet(['login', '--username', 'demo', '--password-stdin', '--verbose'], { input: 'demo' });
  expect(login.stderr).toContain('> login');
  const document = 'query ($id: UUID!) { getVehicleById(id: $id) { id } }';
  const value = '00000000-0000-4000-8000-00000000feed';
  const { stderr } = await fleet(['api', document, '-v', `id=${value}`, '--verbose']);
  expect(stderr).toContain('> ');
  expect(`${login.stderr}${stderr}`).not.toMatch(/feed|Bearer|eyJ|password/i);
});
