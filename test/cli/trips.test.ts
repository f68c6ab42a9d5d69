// The exact output of `fleet trips`.
import { beforeAll, describe, expect, test } from 'vitest';
import { altered, rowsWith } from '../../packages/sync/test/altered.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';
import { mockClient } from './sum-client.js';

const golden = (name: string) => `golden/${name}.txt`;
const period = ['--from', '2026-03-02T04:00Z', '--to', '2026-03-02T09:30Z'];
const list = ['trips', 'list', 'Truck 01', ...period];

function fleet(words: readonly string[], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', service().fetch)(words, place);
}

describe('trips list', () => {
  test.each([80, 160])('on a terminal of %i columns', async (columns) => {
    const { code, stdout, stderr } = await fleet(list, { terminal: columns, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot(golden(`trips-list.terminal-${columns}`));
    expect(stderr).toContain(columns === 80 ? 'Columns left out' : '');
  });

  test.each(['tsv', 'json'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await fleet([...list, '-o', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`trips-list.${format}`));
  });

  test('accepts the flags of every list, and --close-after', async () => {
    const all = JSON.parse((await fleet([...list, '-o', 'json'])).stdout);
    const long = JSON.parse(
      (await fleet([...list, '-o', 'json', '--filter', 'distanceKm>20', '--sort', '-distanceKm'])).stdout,
    );
    const distances = all.map((trip: { distanceKm: number }) => trip.distanceKm).filter((km: number) => km > 20);
    expect(long.map((trip: { distanceKm: number }) => trip.distanceKm)).toEqual(
      distances.sort((a: number, b: number) => b - a),
    );
    // Only one stop is shorter. With a longer time the first trip would have begun days ago, and
    // all of them would be read.
    const joined = JSON.parse((await fleet([...list, '-o', 'json', '--close-after', '351s'])).stdout);
    expect(joined).toHaveLength(all.length - 1);
    const { stdout } = await fleet([...list, '--fields', 'startedAt,distanceKm', '--limit', '1', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual([{ startedAt: all[0].startedAt, distanceKm: all[0].distanceKm }]);
  });

  describe('of a device with quirks', () => {
    const rowsOf = (change: (row: Readonly<Record<string, unknown>>) => object) =>
      shellOf(
        'demo',
        altered(
          service(),
          rowsWith('getSnapshots', (rows) => rows.map(change)),
        ),
      );

    test('~ marks a distance that another source contradicts', async () => {
      const doubted = rowsOf((row) => {
        const canDistance: unknown = Reflect.get(Object(row.canBus), 'canDistance');
        if (typeof canDistance !== 'number') return row;
        return { ...row, canBus: { ...Object(row.canBus), canDistance: canDistance * 0.7 } };
      });
      const { stdout } = await doubted(list, { terminal: 120, env: { NO_COLOR: '1' } });
      expect(stdout).toMatch(/ ~\d+\.\d km /);
      expect((await fleet(list, { terminal: 120, env: { NO_COLOR: '1' } })).stdout).not.toContain('~');
    });

    test('trips without an ignition are by movement, with one warning', async () => {
      const { code, stdout, stderr } = await rowsOf((row) => ({ ...row, ignition: null }))([...list, '-o', 'json']);
      expect(code).toBe(0);
      const by = JSON.parse(stdout).map(({ tripsBy }: { tripsBy: string }) => tripsBy);
      expect(new Set(by)).toEqual(new Set(['movement']));
      expect(stderr.match(/ignition/g)).not.toBeNull();
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  });

  describe('over midnight', () => {
    // Midnight in Kolkata is 18:30 UTC.
    const zone = ['-o', 'json', '--time-zone', 'Asia/Kolkata'];
    const before = ['--on', '2026-02-27', ...zone];
    const after = ['--on', '2026-02-28', ...zone];
    const both = ['--from', '2026-02-27 00:00', '--to', '2026-03-01 00:00', ...zone];
    const world = service({ vehicles: 2 });
    beforeAll(async () => {
      await using client = mockClient(world);
      const at = (longitude: number) => ({ latitude: 50, longitude });
      const stop = (minutes: number) => ({ kind: 'stop', minutes }) as const;
      const drive = (to: number) => ({ kind: 'move', minutes: 40, everySeconds: 60, to: at(to) }) as const;
      for (const { id } of await client.getVehicles()) {
        // Drives over the midnights at both ends of 28 February, and once between them.
        const steps = [stop(370), drive(24.5), stop(660), drive(24), stop(700), drive(24.5), stop(60)];
        world.telemetry.script(id ?? '', { from: '2026-02-27T12:00:00Z', start: at(24), steps });
      }
    });
    const tripsIn = (words: readonly string[], ...more: string[]) =>
      shellOf('demo', world.fetch)(['trips', 'list', 'Truck 01', ...words, ...more]);
    const kilometres = (trips: readonly { distanceKm: number }[]) =>
      Math.round(trips.reduce((sum, { distanceKm }) => sum + distanceKm, 0) * 1000) / 1000;

    test('two days count more kilometres than the whole period, and each warns of it', async () => {
      const parts = await Promise.all([tripsIn(before), tripsIn(after)]);
      const whole = JSON.parse((await tripsIn(both)).stdout);
      expect(kilometres(parts.flatMap(({ stdout }) => JSON.parse(stdout)))).toBeGreaterThan(kilometres(whole));
      for (const { code, stderr } of parts) {
        expect(code).toBe(0);
        expect(stderr).toMatch(
          /^warning: (1 trip goes|\d trips go) beyond this period, and the neighbouring period counts (it|them) too\. --clip /,
        );
      }
    });

    test('the warning counts only trips that are shown', async () => {
      const none = await tripsIn(after, '--filter', 'startedAt>2026-02-28 06:00', '--filter', 'isOpen=false');
      expect({ ...none, stdout: JSON.parse(none.stdout).length > 0 }).toEqual({ code: 0, stdout: true, stderr: '' });
      const first = await tripsIn(after, '--sort', 'startedAt', '--limit', '1', '--fields', 'distanceKm');
      expect(first.stderr).toContain('warning: 1 trip goes beyond this period');
    });

    test('--clip gives each day its part, and the parts add up', async () => {
      const parts = await Promise.all([tripsIn(before, '--clip'), tripsIn(after, '--clip')]);
      expect(parts.map(({ stderr }) => stderr)).toEqual(['', '']);
      const whole = await tripsIn(both, '--clip');
      const [first, second] = parts.map(({ stdout }) => JSON.parse(stdout));
      expect(kilometres([...first, ...second])).toBe(kilometres(JSON.parse(whole.stdout)));
      expect(first.at(-1)).toMatchObject({ endedAt: '2026-02-27T18:30:00.000Z', endedBy: 'period', isOpen: false });
      expect(second[0]).toMatchObject({ id: first.at(-1).id, startedAt: '2026-02-27T18:30:00.000Z' });
      const several = JSON.parse((await tripsIn(['Van 01', ...before], '--clip')).stdout);
      expect(kilometres(several.filter(({ vehicle }: { vehicle: string }) => vehicle === 'Truck 01'))).toBe(
        kilometres(first),
      );
    });
  });

  test('--filter and --sort accept a table heading whose values equal those of the field', async () => {
    const by = async (field: string) =>
      (await fleet([...list, '-o', 'json', '--filter', `${field}>60`, '--sort', `-${field}`])).stdout;
    expect(JSON.parse(await by('top')).length).toBeGreaterThan(0);
    expect(await by('top')).toBe(await by('topSpeedKmh'));
    // The column shows minutes, the field has seconds.
    const { code, stderr } = await fleet([...list, '--filter', 'duration>60']);
    expect(code).toBe(2);
    expect(stderr).toContain('hint: Did you mean durationSeconds?');
  });

  test('says when there are no trips', async () => {
    const words = ['trips', 'list', 'Truck 01', '--from', '2020-01-01', '--to', '2020-01-02'];
    expect(await fleet(words, { terminal: 80 })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'There is no trip on Wednesday, 2020-01-01.\n',
    });
    expect((await fleet([...words, '-o', 'json'])).stdout).toBe('[]\n');
  });

  test.each([
    [
      ['trips', 'list', 'Truck 01'],
      '--on or --from is missing. Nothing was sent.\nhint: Which period? Add --on today, ',
    ],
    [['trips', 'list', 'Truck 01', '--from', 'someday'], 'is not a time'],
    [['trips', 'list', 'Truck 01', '--from', 'now', '--to', '-1h'], '--from is after --to'],
    [['trips', 'list', 'Truck 01', '--from', '+1h'], 'hint: Give a --from in the past, or a later --to.'],
    [['trips', 'list', 'Truck 01', '--on', '31.11.2025'], 'the calendar has no such day'],
    [[...list, '--close-after', 'soon'], 'is not a duration'],
    [[...list, '--fields', 'distance'], 'Did you mean distanceKm'],
    [[...list, '--sort', 'nope'], 'there is no field "nope"'],
  ])('%j is refused before anything is sent', async (words, said) => {
    const mock = service();
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(mock.requests).toEqual([]);
  });

  test('an unknown vehicle is 5', async () => {
    const { code, stderr } = await fleet(['trips', 'list', 'Truck 99', ...period]);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no vehicle "Truck 99".');
  });
});
