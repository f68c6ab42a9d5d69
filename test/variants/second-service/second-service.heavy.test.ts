// The SDK and the command line on a service that shares no code with the reference service: what the contract does not show is
// otherwise there, and all that it shows has to do.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shell } from '../../cli/harness.js';
import { moment } from '../../moment.js';
import { clientOf, journeys, type Station } from '../journeys.js';
import { type SecondService, startSecondService } from './server.js';

let service: SecondService;
beforeEach(async () => {
  service = await startSecondService(Date.parse(moment));
});
afterEach(() => service.close());

const station = (): Station => ({
  baseUrl: service.url,
  fetch: globalThis.fetch,
  usesOwnConnections: true,
  clock: service.clock,
  advance: (ms) => service.advance(ms),
  member: (name) => name,
});

const run = async (name: string): Promise<unknown> => journeys.find((journey) => journey.name === name)?.run(station());

describe('the journeys', () => {
  test.each(journeys.map(({ name }) => name).filter((name) => name !== 'schema check'))(
    '%s ends well',
    async (name) => {
      expect(JSON.stringify(await run(name))).not.toMatch(/"(?:[A-Z]+(?:_[A-Z]+)*|exit \d): /);
    },
  );

  test('a trip of every hour is found, with its distance', async () => {
    const trips = (await run('trips')) as readonly (readonly [string, string, string])[];
    // The period begins when one ends.
    expect(trips).toHaveLength(1 + 9 * 24);
    expect(trips[1]).toEqual(['2026-02-21T10:00:00.000Z', '2026-02-21T10:30:00.000Z', '33.4']);
  });

  test('the session goes on: JWTs tell their end, and refresh tokens are replaced', async () => {
    expect(await run('session')).toEqual([1, 1, 1, 1, 1]);
  });

  test('the schema check says which assumptions are wrong, and that nothing breaks', async () => {
    const report = (await run('schema check')) as Readonly<Record<string, unknown>>;
    expect(report).toMatchObject({ source: 'introspection', breaks: [] });
    expect(report.refuted).toEqual(expect.arrayContaining(['scalar Version', 'WorkSchedulePeriod.weekday']));
    expect(report.refuted).not.toContain('Gps.state');
  });
});

test('many calls at once share the one active request', async () => {
  await using fleet = clientOf(station());
  const calls = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? fleet.getVehicles() : fleet.getRoles()));
  expect((await Promise.all(calls)).map((rows) => rows.length)).toEqual(
    Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 3 : 1)),
  );
});

describe('commands', () => {
  const corners = [[13, 52], [13.1, 52], [13.1, 52.1], [13, 52]]; // biome-ignore format: one shape
  const yard = JSON.stringify({ type: 'Polygon', coordinates: [corners] });
  const period = ['--from', '2026-03-02T08:00:00Z', '--to', '2026-03-02T09:00:00Z'];

  test.each<readonly string[]>([
    ['users', 'list'],
    ['users', 'info'],
    ['vehicles', 'list'],
    ['vehicles', 'list', '--active'],
    ['vehicles', 'get', 'VIN00000000000001'],
    ['vehicles', 'types'],
    ['vehicles', 'fields', 'Lorry A'],
    ['vehicles', 'sensors', 'Lorry A'],
    ['vehicles', 'groups', 'Lorry A'],
    ['vehicles', 'status'],
    ['devices', 'get', '--serial', 'S-1'],
    ['drivers', 'assignments', '--vehicle', 'Lorry A'],
    ['geofences', 'list'],
    ['geofences', 'get', 'Depot'],
    ['groups', 'list'],
    ['people', 'list'],
    ['people', 'get', 'Grace Hopper'],
    ['people', 'fields', 'Grace Hopper'],
    ['labels', 'list'],
    ['roles', 'list'],
    ['sensors', 'list'],
    ['rules', 'list'],
    ['rules', 'get', 'Speeding'],
    ['schedules', 'list'],
    ['schedules', 'get', 'Days'],
    ['snapshots', 'latest', 'Lorry A'],
    ['snapshots', 'list', 'Lorry A', ...period],
    ['trips', 'list', 'Lorry A', ...period],
    ['reports', 'list'],
    ['api', '{ getRoles { name } }'],
    ['schema', 'pull'],
  ])('%s %s %s reads', async (...words) => {
    const call = shell(globalThis.fetch, environment());
    const { code, stdout, stderr } = await call([...words, '-o', 'json'], { clock: service.clock });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  test('the changing ones change, one after the other', async () => {
    const call = shell(globalThis.fetch, environment());
    const steps: readonly (readonly [readonly string[], string?])[] = [
      [['groups', 'create', '--name', 'Night']],
      [['groups', 'update', 'Night', '--name', 'Day']],
      [['vehicles', 'groups', 'Lorry A', '--add', 'Day']],
      [['vehicles', 'move', 'Lorry A', '--from', 'Day', '--to', 'South']],
      [['vehicles', 'update', 'Lorry A', '--plate', 'XX 1']],
      [['vehicles', 'set-field', 'Lorry A', 'Cost centre', '7']],
      [['geofences', 'create', '--name', 'Yard', '--geojson', '-'], yard],
      [['geofences', 'update', 'Yard', '--name', 'Old yard']],
      [['geofences', 'groups', 'Old yard', '--add', 'South']],
      [['people', 'create', '--first-name', 'Ada', '--last-name', 'Byron', '--is-driver']],
      [['people', 'update', 'Ada Byron', '--last-name', 'Lovelace']],
      [['people', 'set-field', 'Ada Lovelace', 'Shirt size', 'S']],
      [['people', 'set-roles', 'Ada Lovelace', 'Clerk']],
      [['tokens', 'create', 'Ada Lovelace', 'CARD-1']],
      [['tokens', 'update', 'CARD-1', '--value', 'CARD-2']],
      [['drivers', 'assign', 'Lorry A', 'Ada Lovelace']],
      [['drivers', 'unassign', 'Lorry A']],
      [['tokens', 'delete', 'CARD-2', '--yes']],
      [['people', 'delete', 'Ada Lovelace', '--yes']],
      [['geofences', 'delete', 'Old yard', '--yes']],
      [['groups', 'delete', 'Day', '--yes']],
    ];
    for (const [words, input] of steps) {
      const { code, stderr } = await call(words, { clock: service.clock, ...(input === undefined ? {} : { input }) });
      expect([words.join(' '), code, stderr.includes('error')]).toEqual([words.join(' '), 0, false]);
    }
    const { stdout } = await call(['vehicles', 'get', 'Lorry A', '-o', 'json'], { clock: service.clock });
    expect(JSON.parse(stdout)).toMatchObject({
      licensePlate: 'XX 1',
      customFields: [{ name: 'Cost centre', value: '7' }],
    });
    const groups = await call(['groups', 'list', '-o', 'json', '--fields', 'name'], { clock: service.clock });
    expect(JSON.parse(groups.stdout)).toEqual([{ name: 'North' }, { name: 'South' }]);
  });
});

const environment = () => ({ FLEET_BASE_URL: service.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' });
