// `fleet today`: its parts come from other commands; its table, its watch, and past days.
import { describe, expect, test } from 'vitest';
import { type Place, service, shellOf } from './harness.js';
import { handClock, seen, watching } from './watching.js';

const plain = { NO_COLOR: '1' };

const fleet = service({ vehicles: 4 });

function today(words: readonly string[] = [], place: Place = {}) {
  return shellOf('demo', fleet.fetch)(['today', ...words], place);
}

interface Row {
  readonly name: string;
  readonly status: string | null;
  readonly distanceKm: number;
  readonly trips: number;
  readonly timesParked: number;
  readonly hours: readonly (number | null)[];
}

describe('fleet today', () => {
  test('is made of the same sums as the trips of the day, and asks for nothing twice', async () => {
    const before = fleet.requests.length;
    const shell = shellOf('demo', fleet.fetch);
    const rows: readonly Row[] = JSON.parse((await shell(['today', '-o', 'json'])).stdout);
    const sentOperations = fleet.requests.slice(before).flatMap(({ operations }) => operations);
    expect(sentOperations.filter((name) => name !== 'getSnapshots').sort()).toEqual([
      'getGeofences',
      'getPeople',
      'getVehicles',
    ]);
    const words = ['trips', 'list', '--on', 'today', '--sum-by', 'vehicle', '-o', 'json'];
    const sums: readonly { readonly vehicle: string; readonly distanceKm: number; readonly trips: number }[] =
      JSON.parse((await shell(words)).stdout);
    const of = (name: string) => sums.find(({ vehicle }) => vehicle === name);
    for (const { name, distanceKm, trips, hours, timesParked } of rows) {
      expect({ distanceKm, trips }).toEqual({ distanceKm: of(name)?.distanceKm, trips: of(name)?.trips });
      expect(hours).toHaveLength(24);
      expect(timesParked).toBeLessThanOrEqual(trips);
    }
    expect(rows.some(({ trips }) => trips > 0)).toBe(true);
    const moving = rows.map(({ status }) => status === 'moving');
    expect(moving.lastIndexOf(true)).toBeLessThan(moving.indexOf(false));
  });

  test('as a table in a pipe it is a plain one', async () => {
    const { stdout, stderr } = await today(['-o', 'table']);
    expect(stderr).toBe('');
    await expect(stdout).toMatchFileSnapshot('golden/today.table.txt');
  });

  test('shows as many vehicles as the screen has room for, and says how many more there are', async () => {
    const place = { terminal: 120, rows: 15, env: plain };
    const { stdout, stderr } = await today([], place);
    expect(stdout.split('\n').length).toBeLessThan(15);
    expect(stderr).toContain('1 more vehicle does not fit the screen; --limit 4 shows all of them.\n');
    const all = await today(['--limit', '4'], place);
    expect(all.stdout.split('\n').length).toBe(stdout.split('\n').length + 1);
    expect(all.stderr).not.toContain('more vehicle');
  });

  test('of a day that is over it says nothing of now', async () => {
    const { stdout } = await today(['--on', 'yesterday'], { terminal: 120, rows: 40, env: plain });
    expect(stdout).toMatch(/^Day +Sunday, 2026-03-01\nDriven +\d/);
    expect(stdout).not.toMatch(/NOW|Silent|moving/);
  });

  test('--filter chooses rows, and the lines above stay those of the fleet', async () => {
    const place = { terminal: 120, rows: 40, env: plain };
    const { stdout } = await today(['--filter', 'trips=0'], place);
    const [above = '', table = ''] = stdout.split('\n\n');
    expect(above).toMatch(/Now +4 vehicles: .*\nDriven +\d{3}/);
    expect(table).not.toMatch(/ km /);
  });

  test('--watch asks for the status at each pause, and for the trips every five minutes', async () => {
    const clock = handClock();
    const moving = service({ vehicles: 1, clock });
    const words = ['today', '--watch', '--every', '150s'];
    const window = { columns: 120, rows: 20 };
    const { parts } = await watching(words, moving.fetch, clock, { window, steps: [() => undefined, () => undefined] });
    const sentOperations = moving.requests.flatMap(({ operations }) => operations);
    const count = (name: string) => sentOperations.filter((one) => one === name).length;
    expect(count('getVehicles')).toBe(3);
    // The second frame reuses the trips of the first one.
    const second = seen(parts[1] ?? '');
    expect(second).toMatch(/^09:32:30Z {2}1 vehicle: /);
    expect(second).toMatch(/Day +Monday, 2026-03-02, until 09:32:30Z, trips until 09:30:00Z/);
    expect(seen(parts[2] ?? '')).toMatch(/Day +Monday, 2026-03-02, until 09:35:00Z\n/);
  });
});
