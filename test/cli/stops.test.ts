// The exact output of `fleet stops`.
import { describe, expect, test } from 'vitest';
import { type Outcome, type Place, service, shellOf } from './harness.js';

const golden = (name: string) => `golden/${name}.txt`;
const period = ['--from', '2026-03-02T04:00Z', '--to', '2026-03-02T07:00Z'];
const list = ['stops', 'list', 'Truck 01', ...period];

function fleet(words: readonly string[], place: Place = {}): Promise<Outcome> {
  return shellOf('demo', service({ vehicles: 8 }).fetch)(words, place);
}

describe('stops list', () => {
  test.each([80, 160])('of one vehicle and of all, on a terminal of %i columns', async (columns) => {
    const place = { terminal: columns, env: { NO_COLOR: '1' } };
    const one = await fleet(list, place);
    const all = await fleet(['stops', 'list', ...period, '--min', '20m'], place);
    expect([one.code, all.code]).toEqual([0, 0]);
    await expect(`${one.stdout}\n${all.stdout}`).toMatchFileSnapshot(golden(`stops-list.terminal-${columns}`));
  });

  test.each(['tsv', 'json', 'geojson', 'gpx', 'kml'])('in a pipe as %s', async (format) => {
    const { code, stdout, stderr } = await fleet([...list, '-o', format]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(golden(`stops-list.${format}`));
  });

  test('of several vehicles has their names and places, and a place of its own for each', async () => {
    const { stdout } = await fleet(['stops', 'list', 'Truck 01', 'Van 01', ...period, '-o', 'json']);
    const rows: readonly Record<string, unknown>[] = JSON.parse(stdout);
    expect(new Set(rows.map(({ vehicle }) => vehicle))).toEqual(new Set(['Truck 01', 'Van 01']));
    for (const row of rows) {
      expect(row).toHaveProperty('place');
      expect(row).toHaveProperty('nearestPlace');
      expect(row).toHaveProperty('nearestPlaceDistanceM');
      expect(row).toHaveProperty('driver');
    }
  });

  test('--min leaves out shorter stops, and --driver those of others', async () => {
    const rows = async (...more: string[]) =>
      JSON.parse((await fleet(['stops', 'list', ...period, ...more, '-o', 'json'])).stdout);
    const all: readonly { durationSeconds: number; driver: string }[] = await rows();
    const [driver = ''] = all.map((row) => row.driver).filter((name) => name !== '' && !name.includes(','));
    const isOf = (row: { readonly driver: string }) => row.driver.split(', ').includes(driver);
    expect(await rows('--min', '20m')).toEqual(all.filter(({ durationSeconds }) => durationSeconds >= 1200));
    expect(await rows('--driver', driver)).toEqual(all.filter(isOf));
    expect(all.filter(isOf).length).toBeLessThan(all.length);
    const trips = JSON.parse((await fleet(['trips', 'list', ...period, '--driver', driver, '-o', 'json'])).stdout);
    expect(trips.length).toBeGreaterThan(0);
    expect(trips.every(isOf)).toBe(true);
  });

  test('says when there are none', async () => {
    const words = ['stops', 'list', 'Truck 01', '--from', '2020-01-01', '--to', '2020-01-02', '--limit', '1'];
    const { code, stdout } = await fleet([...words, '--filter', 'durationSeconds<1', '-o', 'json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
  });

  test.each([
    [['stops', 'list'], '--on or --from is missing. Nothing was sent.\nhint: Which period? Add --on today, '],
    [[...list, '--min', '3m'], '--min 3m is less than five minutes, the shortest stop.'],
    [[...list, '--min', 'long'], '--min "long" is not a duration. Nothing was sent.\nhint: Write it as 20m or 1h.'],
    [[...list, '--sum-by', 'day'], "Unknown option '--sum-by'."],
    [['trips', ...list.slice(1), '--sum-by', 'day,day'], 'Give one or two of vehicle, driver, group, day, week, month'],
    [['trips', ...list.slice(1), '--sum-by', 'day,week,month'], 'Give one or two of vehicle, driver, group, day'],
    [['trips', ...list.slice(1), '--idle-cost', '3'], '--idle-cost is for sums.'],
    [['trips', ...list.slice(1), '--sum-by', 'day', '--fuel-price', '1,60'], 'Give an amount such as 2.5.'],
    [[...list, '--fields', 'duration'], 'Did you mean durationSeconds'],
  ])('%j is refused before anything is sent', async (words, said) => {
    const mock = service();
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(mock.requests).toEqual([]);
  });
});
