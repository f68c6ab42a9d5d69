// `fleet trips list --sum-by`: the sums match the trips of the list and the SDK, for every key.
import { describe, expect, test } from 'vitest';
import type { FleetClient } from '../../src/index.js';
import { type Outcome, type Place, service, shellOf } from './harness.js';
import { mockClient } from './sum-client.js';

const mock = service({ vehicles: 4 });
const plain = { NO_COLOR: '1' };
/** Midnight in Anchorage is 09:00 UTC, when all vehicles but one drive. */
const period = ['--from', '2026-03-02T06:30Z', '--to', '2026-03-02T09:30Z', '--time-zone', 'America/Anchorage'];
/** For tests of texts only. */
const hours = ['--from', '2026-03-02T07:30Z', '--to', '2026-03-02T09:30Z'];
const fleet = (words: readonly string[], place: Place = {}): Promise<Outcome> =>
  shellOf('demo', mock.fetch)(['trips', 'list', ...words], place);

type Row = Readonly<Record<string, unknown>>;

async function json(words: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout } = await fleet([...words, '-o', 'json']);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const measures = ['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds', 'fuelUsed'];
const thousandths = (rows: readonly Row[], field: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[field] ?? 0) * 1000), 0);
const sumsOf = (rows: readonly Row[]) => Object.fromEntries(measures.map((field) => [field, thousandths(rows, field)]));

describe('sums', () => {
  test.each(['vehicle', 'driver', 'day'])('by %s equal the sums of the listed trips', async (by) => {
    const [trips, sums] = await Promise.all([json([...period, '--clip']), json([...period, '--sum-by', by])]);
    expect(trips.length).toBeGreaterThan(5);
    expect(sums.length).toBeGreaterThan(1);
    expect(sumsOf(sums)).toEqual(sumsOf(trips));
    // A trip over midnight is in two days.
    expect(sums.reduce((sum, row) => sum + Number(row.trips), 0)).toBe(trips.length + (by === 'day' ? 1 : 0));
    const tops = (rows: readonly Row[]) => Math.max(...rows.map(({ topSpeedKmh }) => Number(topSpeedKmh ?? 0)));
    expect(tops(sums)).toBe(tops(trips));
  });

  test('are of what lies inside the period, so that days add up to it whatever they are summed up by', async () => {
    const zone = ['Van 02', '--time-zone', 'America/Anchorage'];
    const days = ['2026-02-26', '2026-02-27'];
    const both = [...zone, '--from', '2026-02-26', '--to', '2026-02-28'];
    const keys = ['vehicle', 'driver', 'day'];
    const sums = await Promise.all(keys.map((by) => json([...both, '--sum-by', by])));
    const alone = await Promise.all(days.map((day) => json([...zone, '--on', day, '--sum-by', 'vehicle'])));
    const clipped = sumsOf(await json([...both, '--clip']));
    expect(sumsOf(await json(both))).not.toEqual(clipped);
    for (const rows of [...sums, alone.flat()]) expect(sumsOf(rows)).toEqual(clipped);
    expect(sums[2]?.map(({ day }) => day)).toEqual(days);
    expect(sums[2]?.map((row) => sumsOf([row]))).toEqual(alone.map(sumsOf));
  });

  test.each([[['--sum-by', 'day', '--clip'], '--clip has no effect with --sum-by']])(
    '%j is refused before anything is sent',
    async (flags, message) => {
      const before = mock.requests.length;
      const { code, stderr } = await fleet([...period, ...flags]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
      expect(mock.requests).toHaveLength(before);
    },
  );

  test('by two keys of time have a row for each day, week and month of the period', async () => {
    const span = ['Van 01', '--from', '2026-02-25', '--to', '2026-03-02', '--time-zone', 'UTC', '--sum-by'];
    const [days, weeks] = await Promise.all([json([...span, 'week,day']), json([...span, 'month,week'])]);
    expect(days.map(({ week, day }) => [week, day])).toEqual([
      ['2026-W09', '2026-02-25'],
      ['2026-W09', '2026-02-26'],
      ['2026-W09', '2026-02-27'],
      ['2026-W09', '2026-02-28'],
      ['2026-W09', '2026-03-01'],
    ]);
    expect(weeks.map(({ month, week }) => [month, week])).toEqual([
      ['2026-02', '2026-W09'],
      ['2026-03', '2026-W09'],
    ]);
    expect(sumsOf(days)).toEqual(sumsOf(weeks));
  });

  test('by day are those of the zone of the machine, whatever TZ says', async () => {
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    const words = ['Truck 01', '--from', '2026-02-26', '--to', '2026-02-28', '--sum-by', 'day', '-o', 'json'];
    const ofZone = await fleet([...words, '--time-zone', timeZone]);
    for (const TZ of ['', 'JST-9', 'CET-1CEST']) {
      const { code, stdout } = await fleet(words, { env: { TZ } });
      expect({ TZ, code, stdout }).toEqual({ TZ, code: 0, stdout: ofZone.stdout });
    }
  });

  test('have no total that counts vehicles whose rows are missing', async () => {
    const [truck] = await json(['Truck 01', ...hours, '--fields', 'vehicleId']);
    const failing: typeof globalThis.fetch = async (input, init) => {
      const body = String(init?.body);
      if (!body.includes('getSnapshots') || !body.includes(String(truck?.vehicleId))) return mock.fetch(input, init);
      return Response.json({
        errors: [{ message: 'Broken.', extensions: { classification: 'DataFetchingException' } }],
      });
    };
    const words = ['trips', 'list', ...hours, '--sum-by', 'vehicle,day'];
    const { code, stdout } = await shellOf('demo', failing)(words, { terminal: 100, env: plain });
    expect(code).toBe(6);
    expect(stdout).toContain('Van 01');
    expect(stdout).not.toContain('Truck 01');
    expect(stdout).not.toContain('Total');
  });

  test('costs are those of idle hours and of litres, and a warning counts what has no litres', async () => {
    const words = [...hours, '--sum-by', 'vehicle', '--idle-cost', '3.2', '--fuel-price', '1.6'];
    const rows = await json(words);
    for (const { idleSeconds, idleCost, fuelUsed, fuelCost } of rows) {
      expect(idleCost).toBeCloseTo((Number(idleSeconds) / 3600) * 3.2, 1);
      expect(fuelCost).toBe(fuelUsed === null ? null : Math.round(Number(fuelUsed) * 16_000) / 10_000);
    }
    const refused = await fleet([...words, '--fields', 'vehicle,fuelCost']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('idleCost is not shown') });
    const chart = await fleet([...words, '--fields', 'idleCost,fuelCost', '-o', 'chart']);
    expect(chart).toMatchObject({ code: 0, stdout: expect.stringContaining('IDLE COST') });
  });

  test('a remark counts the trips over midnight', async () => {
    const span = ['--from', '2026-02-26', '--to', '2026-02-28', '--time-zone', 'America/Anchorage'];
    const { stderr } = await fleet(['Van 01', '--sum-by', 'day', ...span]);
    expect(stderr).toMatch(
      /\d+ trips go over midnight and count in several rows;|1 trip goes over midnight and counts in several rows;/,
    );
  });

  test('equal the trips of the SDK for each vehicle, and a vehicle without a trip has 0', async () => {
    const sums = await json([...period, '--sum-by', 'vehicle']);
    await using client: FleetClient = mockClient(mock);
    const vehicleIds = sums.map(({ vehicleId }) => String(vehicleId));
    const bySdk = new Map<string, Row[]>(vehicleIds.map((id) => [id, []]));
    const [from, to] = ['2026-03-02T06:30:00Z', '2026-03-02T09:30:00Z'];
    for await (const trip of client.streamTrips({ vehicleIds, from, to }, { clip: true }))
      bySdk.get(trip.vehicleId)?.push({ ...trip });
    for (const row of sums) {
      const trips = bySdk.get(String(row.vehicleId)) ?? [];
      expect(sumsOf([row])).toEqual(sumsOf(trips));
      expect(row.trips).toBe(trips.length);
    }
    expect(sums.map(({ vehicle }) => vehicle)).toEqual(['Car 01', 'Truck 01', 'Van 01', 'Van 02']);
    expect(sums[0]).toMatchObject({ trips: 0, distanceKm: 0, topSpeedKmh: null, fuelUsed: null });
  });

  test('by group count a vehicle in several groups in each, and the total once', async () => {
    const { stdout, stderr } = await fleet([...hours, '--sum-by', 'group'], { terminal: 100, env: plain });
    expect(stderr).toContain('in several groups and counts in each of them; the total has each trip once.');
    await expect(stdout).toMatchFileSnapshot('golden/trips-sum.group.txt');
    const [byVehicle] = (await fleet([...hours, '--sum-by', 'vehicle'], { terminal: 100, env: plain })).stdout
      .split('\n')
      .slice(-2);
    expect(/\d+\.\d km/.exec(stdout.split('\n').at(-2) ?? '')?.[0]).toBe(/\d+\.\d km/.exec(byVehicle ?? '')?.[0]);
  });

  test.each([[['Van 01']], [['--group', 'Winter roster']], [['--vehicle-filter', 'name=Van 01']]])(
    'by group report that only a part of a group was requested: %j',
    async (flags) => {
      const words = [...hours, ...flags, '--sum-by', 'group'];
      const rows = await json(words);
      const all = await json([...hours, '--sum-by', 'group']);
      const { stdout } = await fleet(words, { terminal: 120, env: plain });
      const chart = await fleet([...words, '-o', 'chart'], { terminal: 120, env: plain });
      for (const { group, vehiclesAsked, vehiclesInGroup } of rows) {
        const whole = all.find((row) => row.group === group);
        expect(vehiclesInGroup).toBe(whole?.vehiclesAsked);
        const label = vehiclesAsked === vehiclesInGroup ? '' : ` (${vehiclesAsked} of ${vehiclesInGroup} vehicles)`;
        for (const text of [stdout, chart.stdout])
          expect(text).toMatch(new RegExp(`^ *${group}${label.replace(/[()]/g, '\\$&')}  `, 'm'));
      }
      expect(rows.some((row) => row.vehiclesAsked !== row.vehiclesInGroup)).toBe(true);
      expect(all.every((row) => row.vehiclesAsked === row.vehiclesInGroup)).toBe(true);
    },
  );

  test.each([60, 80, 100, 160])('by vehicle on a terminal of %i columns', async (terminal) => {
    const { stdout } = await fleet([...hours, '--sum-by', 'vehicle'], { terminal, env: plain });
    await expect(stdout).toMatchFileSnapshot(`golden/trips-sum.vehicle-${terminal}.txt`);
  });

  test.each(['tsv', 'csv', 'html', 'chart'])('by vehicle in a pipe as %s', async (format) => {
    const { stdout } = await fleet([...hours, '--sum-by', 'vehicle', '-o', format]);
    await expect(stdout).toMatchFileSnapshot(`golden/trips-sum.${format}.txt`);
  });

  test.each([60, 80, 100, 160])('as a chart on a terminal of %i columns', async (terminal) => {
    const words = [...hours, '--sum-by', 'vehicle', '-o', 'chart', '--sort', '-distanceKm'];
    const { stdout } = await fleet(words, { terminal, env: plain });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(terminal);
    await expect(stdout).toMatchFileSnapshot(`golden/trips-sum.chart-${terminal}.txt`);
  });

  test('a chart in a locale without UTF-8 is of ASCII, and --fields names what is drawn', async () => {
    const words = [...hours, '--sum-by', 'vehicle', '-o', 'chart', '--fields', 'trips'];
    const { stdout } = await fleet(words, { env: { LC_ALL: 'C' } });
    expect(stdout).toMatch(/^TRIPS\n/);
    expect(stdout).toMatch(/^Truck 01 +#+ +\d+$/m);
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test('a total counts the shown rows, and is left out when --limit has cut rows', async () => {
    const words = [...hours, '--sum-by', 'vehicle'];
    const filtered = await fleet([...words, '--filter', 'vehicle=Van*'], { terminal: 100, env: plain });
    const vans = await json([...words, '--filter', 'vehicle=Van*']);
    expect(filtered.stdout).toContain(`${(thousandths(vans, 'distanceKm') / 1000).toFixed(1)} km`);
    const cut = await fleet([...words, '--limit', '2'], { terminal: 100, env: plain });
    expect(cut.stdout).not.toContain('Total');
    const byDay = await fleet([...hours, '--sum-by', 'driver', '--filter', 'trips>0'], { terminal: 100, env: plain });
    expect(byDay.stdout).not.toContain('Total');
  });
});

describe('a table with --limit', () => {
  test('has the first rows of the whole table and reads no vehicle that it does not show', async () => {
    const [, , , last] = await json([...hours, '--sum-by', 'vehicle']);
    const read = async (words: readonly string[]) => {
      const bodies: string[] = [];
      const shell = shellOf('demo', (url, init) => {
        bodies.push(String(init?.body ?? ''));
        return mock.fetch(url, init);
      });
      const { stdout } = await shell(['trips', 'list', ...hours, ...words], { terminal: 160, env: plain });
      const rows = stdout.split('\n').filter((line) => /^(Car|Truck|Van)/.test(line));
      return { rows, readsLast: bodies.some((body) => body.includes(String(last?.vehicleId))) };
    };
    const all = await read([]);
    const few = await read(['--limit', '3']);
    const starts = (rows: readonly string[]) => rows.map((row) => row.slice(0, 26));
    expect(starts(few.rows)).toEqual(starts(all.rows).slice(0, 3));
    expect([all.readsLast, few.readsLast]).toEqual([true, false]);
  });
});
