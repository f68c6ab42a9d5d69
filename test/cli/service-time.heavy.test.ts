// A service whose clock differs from this machine's: ages and periods use the service's clock.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import type { MockService } from '../../src/mock/service.js';
import { baseUrl, clock, moment, type Place, service, shell, shellOf } from './harness.js';
import { handClock, seen, watching } from './watching.js';

const day = 86_400_000;
const hour = day / 24;

/** Machines whose clock is wrong by days, in both directions. */
const machines = [
  ['ahead', { now: () => moment + 3.6 * day }],
  ['behind', { now: () => moment - 3.6 * day }],
] as const;

/** Returns the output of a command on a machine, and the variables and paths it sends. */
async function runOn(words: readonly string[], place: Place, world: MockService = service()) {
  const sent: Record<string, unknown>[] = [];
  const fetch: Fetch = (url, init) => {
    if (url.endsWith('/graphql')) sent.push(JSON.parse(init.body ?? '{}').variables);
    return world.fetch(url, init);
  };
  const outcome = await shellOf('demo', fetch)(words, { env: { NO_COLOR: '1', TZ: 'UTC' }, ...place });
  return { ...outcome, sent, paths: world.requests.map(({ path }) => path) };
}

async function idOf(name: string): Promise<string> {
  const { stdout } = await shellOf('demo', service().fetch)(['vehicles', 'get', name, '-o', 'json']);
  return JSON.parse(stdout).id;
}

/** Within half a second. */
const nearly = (time: number) => ({
  asymmetricMatch: (value: unknown) => Math.abs(Date.parse(String(value)) - time) <= 500,
});

describe.each(machines)('on a machine that is %s', (_where, machine) => {
  test.each([
    ['vehicles', 'status'],
    ['vehicles', 'list'],
    ['vehicles', 'get', 'Van 01'],
    ['snapshots', 'latest'],
    ['drivers', 'assignments', '--vehicle', 'Van 01'],
  ])('%s %s uses the service’s clock', async (...words) => {
    const here = await runOn(words, { terminal: 160, clock: machine });
    const there = await runOn(words, { terminal: 160, clock });
    expect(here.stdout).toBe(there.stdout);
    expect(here.stdout).not.toBe('');
    expect(here.paths).toEqual(there.paths);
  });

  test.each([
    ['snapshots', 'by name', 'Van 01', [`-2h`], moment - 2 * hour, moment],
    ['snapshots', 'by id', null, ['-2h'], moment - 2 * hour, moment],
    ['snapshots', 'by id', null, ['yesterday', '--to', 'today'], moment - 33.5 * hour, moment - 9.5 * hour],
    ['snapshots', 'by id', null, ['2026-03-02T08:00Z'], moment - 1.5 * hour, moment],
    ['snapshots', 'by id', null, ['2026-03-01', '--to', '2026-03-02'], moment - 33.5 * hour, moment - 9.5 * hour],
  ] as const)('%s list %s, %s: --from %j', async (noun, _by, name, times, from, to) => {
    const words = [noun, 'list', name ?? (await idOf('Van 01')), '--from', ...times];
    const here = await runOn(words, { clock: machine });
    expect(here).toMatchObject({ code: 0, stderr: '' });
    // A period is requested in parts.
    const parts = here.sent.filter((variables) => 'from' in variables);
    expect({ from: parts[0]?.from, to: parts.at(-1)?.to }).toEqual({ from: nearly(from), to: nearly(to) });
    expect(here.paths).toEqual((await runOn(words, { clock })).paths);
  });

  test('trips list requests the period by the service’s clock', async () => {
    const words = ['trips', 'list', await idOf('Van 01'), '--from', '-7d', '-o', 'json'];
    const [here, there] = [await runOn(words, { clock: machine }), await runOn(words, { clock })];
    expect(here.code).toBe(0);
    expect(JSON.parse(here.stdout).length).toBeGreaterThan(0);
    expect(here.sent.at(-1)).toMatchObject({ to: nearly(moment) });
    expect(JSON.parse(here.stdout).map(({ id }: { id: string }) => id)).toEqual(
      JSON.parse(there.stdout).map(({ id }: { id: string }) => id),
    );
    expect(here.paths).toEqual(there.paths);
  });

  test('a stored session tells the time to the next command, which sends no extra request', async () => {
    const world = service();
    const fleet = shell(world.fetch, { FLEET_BASE_URL: baseUrl });
    const login = await fleet(['login', '--username', 'demo', '--password-stdin'], { input: 'demo\n', clock: machine });
    expect(login.code).toBe(0);
    const id = await idOf('Van 01');
    world.clearRequests();
    const { code, stdout } = await fleet(['snapshots', 'list', id, '--from', '-2h', '--fields', 'timestamp'], {
      clock: machine,
    });
    const times = stdout.trim().split('\n').slice(1).map(Date.parse);
    expect(code).toBe(0);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(moment - 2 * hour);
    expect(Math.max(...times)).toBeLessThanOrEqual(moment + 500);
    expect(new Set(world.requests.flatMap(({ path, operations }) => [path, ...operations]))).toEqual(
      new Set(['/graphql', 'getSnapshots']),
    );
  });

  test.each([
    [['--from', '-1h'], { startTimestamp: nearly(moment - hour) }],
    [['--to', '+1h'], { endTimestamp: nearly(moment + hour) }],
    [['--from', '2026-02-21T09:31:00Z'], { startTimestamp: '2026-02-21T09:31:00.000Z' }],
  ])('drivers assign %j', async (times, expected) => {
    const here = await runOn(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--yes', ...times], { clock: machine });
    expect(here).toMatchObject({ code: 0 });
    expect(here.sent).toContainEqual({ assignDriverInput: expect.objectContaining(expected) });
  });

  test('drivers assign checks the times by the service’s clock, before anything is changed', async () => {
    const words = ['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', '2026-02-20T09:29:00Z'];
    const here = await runOn(words, { clock: machine });
    expect(here).toMatchObject({ code: 2, sent: [] });
    expect(here.stderr).toContain('more than 10 days ago');
  });

  test('drivers unassign --at -10m', async () => {
    const here = await runOn(['drivers', 'unassign', 'Van 01', '--yes', '--at', '-10m'], { clock: machine });
    expect(here).toMatchObject({ code: 0 });
    expect(here.sent).toContainEqual({
      unassignDriverInput: expect.objectContaining({ timestamp: nearly(moment - hour / 6) }),
    });
  });

  test('status measures the session on this machine’s clock', async () => {
    const { stdout } = await runOn(['status'], { terminal: 160, clock: machine });
    expect(stdout).toContain('(in 5 min)');
    expect(stdout).toContain('(in 12 h)');
  });
});

test('--watch uses the service’s clock', async () => {
  const local = handClock();
  const world = service({ clock: { now: () => local.now() - 3.6 * day } });
  const window = { columns: 100, rows: 24 };
  const { parts } = await watching(['vehicles', 'status', '--watch'], world.fetch, local, { window });
  // 3.6 days are 86 hours and 24 minutes.
  expect(seen(parts.at(-1) ?? '')).toContain('19:06:00Z  6 vehicles');
  expect(seen(parts.at(-1) ?? '')).not.toContain('6 offline');
});

test('an invalid time is reported before anything is sent', async () => {
  const [, machine] = machines[0];
  const { code, sent, paths } = await runOn(['snapshots', 'list', 'Van 01', '--from', 'soon'], { clock: machine });
  expect({ code, sent, paths }).toEqual({ code: 2, sent: [], paths: [] });
});

describe('a service clock that jumped after the login', () => {
  const vehicle = 'Van 01';
  test.each([
    ['vehicles', 'status'],
    ['vehicles', 'list'],
    ['snapshots', 'list', vehicle, '--from', '-1h'],
    ['trips', 'list', vehicle, '--from', '-1h'],
    ['drivers', 'assignments', '--vehicle', vehicle],
    ['map', '--file', '{folder}/map.html', '--from', '-1h'],
    ['sync', '{folder}/fleet.db', '--only', 'trips', '--since', '-1h'],
    ['sync', '{folder}/fleet.db', '--dry-run'],
  ])('is told by %s %s', async (...words) => {
    const world = service();
    let ahead = 0;
    const fetch: Fetch = async (url, init) => {
      const answer = await world.fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.set('date', new Date(moment + ahead).toUTCString());
      return new Response(await answer.text(), { status: answer.status, headers });
    };
    const fleet = shell(fetch, { FLEET_BASE_URL: baseUrl });
    await fleet(['login', '--username', 'demo', '--password-stdin'], { input: 'demo\n' });
    const command = () =>
      words.map((word) => word.replace('{folder}', fleet.folder).replace('map.html', `${ahead}.html`));
    expect((await fleet(command())).stderr).not.toContain("service's clock");
    ahead = day;
    const { stderr } = await fleet(command());
    expect(stderr.match(/The service's clock is 1 d ahead of the clock of this machine/g)).toHaveLength(1);
  });
});
