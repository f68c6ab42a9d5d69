// `--driver`: only the part of one driver, of trips, stops, visits, snapshots, sums and the day.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Outcome, service, shellOf } from './harness.js';

type Row = Readonly<Record<string, unknown>>;

const mock = service({ vehicles: 2 });
const period = ['--from', '2026-03-02T02:30Z', '--to', '2026-03-02T07:00Z'];
const vehicle = 'Truck 01';
let names: readonly string[] = [];

const fleet = (words: readonly string[]): Promise<Outcome> => shellOf('demo', mock.fetch)(words);

async function json(words: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

const sumOf = (rows: readonly Row[], field: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[field] ?? 0) * 1000), 0);

/** Hands the truck over at 03:10 and 06:20, while it drives or stands. */
beforeEach(async () => {
  if (names.length > 0) return;
  const people = await json(['people', 'list', '--drivers', '--fields', 'firstName,lastName', '--limit', '2']);
  names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const [anna = '', bert = ''] = names;
  const assign = (name: string, from: string, to: string) =>
    fleet(['drivers', 'assign', vehicle, name, '--from', `2026-03-02T${from}Z`, '--to', `2026-03-02T${to}Z`, '--yes']);
  for (const [name, from, to] of [
    [anna, '00:00', '03:10'],
    [bert, '03:10', '06:20'],
    [anna, '06:20', '08:50'],
  ] as const) {
    expect((await assign(name, from, to)).code).toBe(0);
  }
});

const measures = ['distanceKm', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'fuelUsed', 'snapshots'];

describe('trips list', () => {
  test.each([[[]], [['--clip']]])('has the parts of each driver, which add up to the trips: %j', async (clip) => {
    const words = ['trips', 'list', vehicle, ...period, ...clip];
    const whole = await json(words);
    const parts = await Promise.all(names.map((name) => json([...words, '--driver', name])));
    expect(whole.some(({ driverIds }) => Array.isArray(driverIds) && driverIds.length > 1)).toBe(true);
    const other = whole.filter(({ driverIds }) => JSON.stringify(driverIds) === '[]' || isOfOthers(driverIds, parts));
    for (const field of measures) {
      expect(sumOf([...parts.flat(), ...other], field)).toBe(sumOf(whole, field));
    }
    for (const row of parts.flat()) {
      expect(row).not.toHaveProperty('details');
      expect(row.driverIds).toHaveLength(1);
      expect(Date.parse(String(row.startedAt))).toBeLessThan(Date.parse(String(row.lastSeenAt)));
    }
    expect(parts.flat().filter(({ endedBy }) => endedBy === 'period').length).toBeGreaterThan(0);
  });

  test('leaves out the parts of shared trips that lie outside of the period', async () => {
    // From ten minutes after a handover in a trip until five minutes before the next one.
    const words = ['trips', 'list', vehicle, '--from', '2026-03-02T03:15Z', '--to', '2026-03-02T06:15Z'];
    const whole = await json(words);
    expect(whole.some(({ startedAt }) => String(startedAt) < '2026-03-02T03:10')).toBe(true);
    expect(await json([...words, '--driver', names[0] ?? ''])).toEqual([]);
    const parts = await json([...words, '--driver', names[1] ?? '']);
    expect(parts.length).toBe(whole.length);
    expect(parts.every(({ isOpen, endedAt }) => isOpen === (endedAt === null))).toBe(true);
    expect(await json([...words, '--driver', names[0] ?? '', '--sum-by', 'driver'])).toEqual([]);
  });

  test('draws only the part of the driver', async () => {
    const words = ['trips', 'list', vehicle, ...period];
    const [whole, part] = await Promise.all([
      fleet([...words, '-o', 'geojson']),
      fleet([...words, '--driver', names[1] ?? '', '-o', 'geojson']),
    ]);
    const pointsOf = ({ stdout }: Outcome) =>
      JSON.parse(stdout).features.flatMap((feature: Row) => Object(feature.geometry).coordinates.flat());
    expect(pointsOf(part).length).toBeGreaterThan(10);
    expect(pointsOf(part).length).toBeLessThan(pointsOf(whole).length);
  });

  test('the sums are the row of the driver in --sum-by driver', async () => {
    const rows = await json(['trips', 'list', ...period, '--sum-by', 'driver']);
    for (const name of names) {
      const { driver, driverId, ...sums } = rows.find((row) => row.driver === name) ?? {};
      const [own, ...others] = await json(['trips', 'list', ...period, '--sum-by', 'driver', '--driver', name]);
      expect([own, others]).toEqual([{ driver, driverId, ...sums }, []]);
      const days = await json(['trips', 'list', ...period, '--sum-by', 'day', '--driver', name]);
      expect(sumOf(days, 'distanceKm')).toBe(sumOf([sums], 'distanceKm'));
      expect(days[0]?.fuelUsed).toBe(sums.fuelUsed);
      // Two vehicles of a driver are one day at work.
      expect(sumOf(days, 'workSeconds')).toBe(sumOf([sums], 'workSeconds'));
    }
  });
});

function isOfOthers(driverIds: unknown, parts: readonly (readonly Row[])[]): boolean {
  const own = new Set(parts.flat().flatMap((row) => row.driverIds as readonly string[]));
  return Array.isArray(driverIds) && !driverIds.some((id) => own.has(id));
}

test('stops list cuts a stop where another driver is identified', async () => {
  const words = ['stops', 'list', vehicle, ...period, '--clip'];
  const whole = await json(words);
  const parts = (await Promise.all(names.map((name) => json([...words, '--driver', name])))).flat();
  const idsIn = (rows: readonly Row[]) => rows.flatMap(({ driverIds }) => driverIds as readonly string[]);
  const own = new Set(idsIn(parts));
  const shared = whole.filter((stop) => idsIn([stop]).length > 0 && idsIn([stop]).every((id) => own.has(id)));
  expect(shared.length).toBeLessThan(parts.length);
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  for (const field of ['durationSeconds', 'idleSeconds', 'unseenSeconds']) {
    expect(sumOf(parts, field)).toBe(sumOf(shared, field));
  }
  for (const part of parts) expect(part).not.toHaveProperty('segments');
});

test('geofences visits cut a visit in the same way, and filters match each name', async () => {
  const words = ['geofences', 'visits', '--vehicle', vehicle, ...period];
  const whole = await json(words);
  const parts = (await Promise.all(names.map((name) => json([...words, '--driver', name])))).flat();
  const shared = whole.filter(({ driverIds }) => Array.isArray(driverIds) && driverIds.length > 0);
  expect(sumOf(parts, 'dwellSeconds')).toBe(sumOf(shared, 'dwellSeconds'));
  expect(parts.length).toBeGreaterThan(0);
  for (const name of names) {
    const found = await json([...words, '--filter', `driver=${name}`]);
    expect(found).toEqual(whole.filter(({ driver }) => String(driver).split(', ').includes(name)));
  }
});

test('snapshots list has the rows of the driver, the others in neither list', async () => {
  const words = ['snapshots', 'list', vehicle, ...period];
  const [whole, ...parts] = await Promise.all([
    json(words),
    ...names.map((name) => json([...words, '--driver', name])),
  ]);
  const idsIn = (rows: readonly Row[] | undefined) =>
    new Set((rows ?? []).flatMap(({ driver }) => (driver === null ? [] : [Object(driver).driverId])));
  for (const part of parts) {
    expect(part.length).toBeGreaterThan(100);
    expect([...idsIn(part)].filter(Boolean)).toHaveLength(1);
  }
  expect(parts.flat().length).toBeLessThanOrEqual(whole.length);
  const slim = await json([...words, '--driver', names[0] ?? '', '--fields', 'timestamp']);
  expect(slim).toEqual(parts[0]?.map(({ timestamp }) => ({ timestamp })));
});

test('today has only the vehicles of the driver, with the part of each trip', async () => {
  const [name = ''] = names;
  const day = ['today', '--on', '2026-03-02', '--time-zone', 'UTC'];
  const rows = await json([...day, '--driver', name]);
  const [sums] = await json([
    'trips',
    'list',
    '--on',
    '2026-03-02',
    '--time-zone',
    'UTC',
    '--sum-by',
    'driver',
    '--driver',
    name,
  ]);
  expect(rows.map((row) => row.name)).toContain(vehicle);
  expect(rows).toHaveLength(1);
  for (const field of ['distanceKm', 'movingSeconds', 'idleSeconds']) {
    expect(sumOf(rows, field)).toBe(sumOf([sums ?? {}], field));
  }
});

test.each([
  [['today', '--driver', 'Nobody Known']],
  [['snapshots', 'list', vehicle, ...period, '--driver', 'Nobody Known']],
  [['geofences', 'visits', ...period, '--driver', 'Nobody Known']],
])('a name that matches nobody is an error: %j', async (words) => {
  const { code, stdout, stderr } = await fleet(words);
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toContain('Nobody Known');
});
