// Times for people: tables, and csv on request, in the zone of the run; the other formats in UTC.
import { describe, expect, test, vi } from 'vitest';
import { localTime } from '../../src/cli/time/format-time.js';
import { expectGolden } from './golden.js';
import { type Place, service, shellOf } from './harness.js';

const trips = ['trips', 'list', 'Van 01', '--from', '2026-02-26', '--limit', '3'];
const snapshots = ['snapshots', 'list', 'Van 01', '--from', '2026-03-01 08:00', '--limit', '3'];

async function lines(words: readonly string[], place: Place = {}) {
  const fleet = shellOf('demo', service().fetch);
  const { code, stdout, stderr } = await fleet(words, { ...place, env: { NO_COLOR: '1', ...place.env } });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd().split(/\r?\n/);
}
const table = (words: readonly string[], zone: string) => lines(words, { terminal: 160, env: { TZ: zone } });

describe('a table', () => {
  test('shows the times of TZ, with the offset in its headings', async () => {
    const [utc, tallinn, newYork] = await Promise.all(
      ['UTC', 'Europe/Tallinn', 'America/New_York'].map((zone) => table(snapshots.with(4, '2026-03-01T08:00Z'), zone)),
    );
    expect(utc?.[0]).toMatch(/^TIME \(UTC\) /);
    expect(tallinn?.[0]).toMatch(/^TIME \(UTC\+02:00\) /);
    expect(newYork?.[0]).toMatch(/^TIME \(UTC-05:00\) /);
    const moments = (rows: readonly string[] | undefined, offset: string) =>
      rows?.slice(1).map((row) => Date.parse(`${row.slice(0, 10)}T${row.slice(11, 19)}${offset}`));
    expect(utc?.[1]).toMatch(/^2026-03-01 0\d:\d\d:\d\d {2}/);
    expect(moments(tallinn, '+02:00')).toEqual(moments(utc, 'Z'));
    expect(moments(newYork, '-05:00')).toEqual(moments(utc, 'Z'));
  });

  test('--time-zone, FLEET_TIME_ZONE and TZ win over each other in this order', async () => {
    const env = { TZ: 'Asia/Tokyo', FLEET_TIME_ZONE: 'America/New_York' };
    const head = async (...flags: readonly string[]) =>
      (await lines([...trips, ...flags], { terminal: 160, env }))[0]?.slice(0, 19).trim();
    expect(await head('--time-zone', 'europe/tallinn')).toBe('STARTED (UTC+02:00)');
    expect(await head('--time-zone', 'UTC')).toMatch(/^STARTED \(UTC\)/);
    expect(await head()).toBe('STARTED (UTC-05:00)');
    expect((await table(trips, 'Asia/Tokyo'))[0]).toMatch(/^STARTED \(UTC\+09:00\)/);
  });

  test('reads what is typed in the zone that it shows', async () => {
    const day = ['snapshots', 'list', 'Van 01', '--on', '2026-03-01', '--time-zone', 'Australia/Lord_Howe'];
    const [head, ...rows] = await lines(day, { terminal: 160 });
    expect(head).toMatch(/^TIME \(UTC\+11:00\) /);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => !row.startsWith('2026-03-01 '))).toEqual([]);
    const [, first] = await lines(['--time-zone', 'Asia/Tokyo', ...snapshots], { terminal: 160 });
    expect(first).toMatch(/^2026-03-01 0[89]:/);
  });

  test('whose rows lie on both sides of a change of daylight saving gives each time its own offset', async () => {
    const change = ['snapshots', 'list', 'Van 01', '--from', '2025-10-25T12:00Z', '--to', '2025-10-27T12:00Z'];
    const [head, ...rows] = await table(change, 'Europe/Tallinn');
    expect(head).toMatch(/^TIME {2,}/);
    expect(rows[0]).toMatch(/^2025-10-25 \d\d:\d\d:\d\d\+03:00 /);
    expect(rows.at(-1)).toMatch(/^2025-10-27 \d\d:\d\d:\d\d\+02:00 /);
  });

  test('of chosen fields has local times too; --filter reads them alike', async () => {
    const words = ['vehicles', 'list', '--fields', 'name,lastData.timestamp', '--time-zone', 'Europe/Tallinn'];
    const [head, first] = await lines(words, { terminal: 160 });
    expect(head).toMatch(/lastData\.timestamp \(UTC\+02:00\)$/);
    expect(first).toMatch(/ 2026-03-0\d \d\d:\d\d:\d\d$/);
    const since = (text: string) => lines([...words, '--filter', `lastData.timestamp>=${text}`], { terminal: 160 });
    expect(await since('2026-03-02 11:00')).toEqual(await since('2026-03-02T09:00Z'));
  });
});

test('a record shows the offset of each time', async () => {
  const shown = (zone: string) => table(['vehicles', 'get', 'Van 01'], zone);
  expect((await shown('Europe/Tallinn')).join('\n')).toMatch(/^Last seen .* 2026-03-0\d \d\d:\d\d:\d\d\+02:00 \(/m);
  expect((await shown('UTC')).join('\n')).toMatch(/^Last seen .* 2026-03-0\d \d\d:\d\d:\d\dZ \(/m);
});

describe('formats for programs', () => {
  test.each(['json', 'ndjson', 'tsv', 'yaml'])('%s stays in UTC', async (format) => {
    const words = [...snapshots.with(4, '2026-03-01T08:00Z'), '-o', format];
    const plain = await lines(words);
    expect(await lines([...words, '--time-zone', 'Asia/Tokyo'])).toEqual(plain);
    expect(await lines(words, { env: { TZ: 'Asia/Tokyo', FLEET_TIME_ZONE: 'Asia/Tokyo' } })).toEqual(plain);
    expect(plain.join('\n')).toMatch(/2026-03-01T0\d:\d\d:\d\d\.\d{3}Z/);
  });

  test('csv has local times only when a flag asks for them', async () => {
    const words = [...trips, '--fields', 'startedAt,distanceKm', '-o', 'csv'];
    const plain = await lines([...words]);
    expect(plain[0]).toBe('startedAt,distanceKm');
    expect(plain[1]).toMatch(/^2026-02-2\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
    const local = await lines([...words, '--time-zone', 'Europe/Tallinn']);
    expect(local[0]).toBe('startedAt (Europe/Tallinn),distanceKm');
    expect(local[1]).toMatch(/^2026-02-2\d \d\d:\d\d:\d\d,/);
    const utc = await lines([...words, '--time-zone', 'UTC']);
    expect(utc[0]).toBe('startedAt (UTC),distanceKm');
    expect(utc[1]).toMatch(/^2026-02-2\d \d\d:\d\d:\d\d,/);
  });

  test('csv: the title is the same all year, and only the hour that comes twice carries its offset', async () => {
    const span = ['--from', '2025-10-25T12:00Z', '--to', '2025-10-27T12:00Z', '--fields', 'timestamp', '-o', 'csv'];
    const words = ['snapshots', 'list', 'Van 01', ...span, '--time-zone', 'Europe/Tallinn'];
    const rows = await lines(words);
    expect(rows[0]).toBe('timestamp (Europe/Tallinn)');
    expect(rows[1]).toMatch(/^2025-10-25 \d\d:\d\d:\d\d$/);
    expect(rows.at(-1)).toMatch(/^2025-10-27 \d\d:\d\d:\d\d(\.\d{3})?$/);
    const bare = await lines([...words, '--no-headers']);
    expect(bare[0]).toMatch(/^2025-10-25 .*\+03:00$/);
    expect(bare.at(-1)).toMatch(/^2025-10-27 .*\+02:00$/);
    // Clocks go back from 04:00 to 03:00 at 01:00 UTC.
    const mock = service();
    const hours = ['2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z', '2025-10-26T02:30:00Z'].map((createdAt) => ({
      createdAt,
    }));
    const fleet = shellOf('demo', async (input, init) =>
      String(input).endsWith('/graphql') ? Response.json({ data: { getLabels: hours } }) : mock.fetch(input, init),
    );
    const labels = ['labels', 'list', '--fields', 'createdAt', '-o', 'csv', '--time-zone', 'Europe/Tallinn'];
    expect((await fleet(labels)).stdout.split('\n').slice(1, -1)).toEqual([
      '2025-10-26 03:30:00',
      '2025-10-26 03:30:00+02:00',
      '2025-10-26 04:30:00',
    ]);
  });
});

test.each([
  [['--time-zone', 'Tallinn'], {}, '--time-zone "Tallinn" is not a time zone.', 'Did you mean Europe/Tallinn?'],
  [['--time-zone', 'Europe/Talinn'], {}, 'is not a time zone', 'Europe/Tallinn'],
  [[], { FLEET_TIME_ZONE: 'Nowhere/At_All' }, 'FLEET_TIME_ZONE "Nowhere/At_All" is not', 'Write it as'],
  [[], { TZ: 'Nonsense/Zone' }, 'TZ "Nonsense/Zone" is not a time zone.', 'Write it as'],
  [[], { TZ: ':Europe/Talinn' }, 'TZ "Europe/Talinn" is not a time zone.', 'Did you mean Europe/Tallinn?'],
] as const)('%j %j is refused before anything is sent', async (flags, env, message, hint) => {
  const fetch = vi.fn();
  const { code, stdout, stderr } = await shellOf('demo', fetch)(['vehicles', 'list', ...flags], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  'CET-1CEST',
  '<+03>-3',
  'EST5EDT,M3.2.0,M11.1.0',
  'right/Europe/Berlin',
  ':/etc/localtime',
  'localtime',
  'utc',
  '',
])('TZ=%s is taken as the machine takes it', async (TZ) => {
  const { code } = await shellOf('demo', service().fetch)(['labels', 'list'], { env: { TZ } });
  expect(code).toBe(0);
});

test('the offsets of all zones are written', () => {
  const at = (zone: string, time: string) => localTime(Date.parse(time), 'minute', { zone, offset: null });
  expect(at('Asia/Kolkata', '2026-03-02T07:41:59Z')).toBe('2026-03-02 13:11+05:30');
  expect(at('America/St_Johns', '2026-03-02T07:41:59Z')).toBe('2026-03-02 04:11-03:30');
  expect(at('UTC', '2026-03-02T07:41:59Z')).toBe('2026-03-02 07:41Z');
  expect(at('Europe/Tallinn', '1850-01-01T00:00:00Z')).toMatch(/^1850-01-01 01:39\+01:39(:00)?$/);
  expect(localTime(8.64e15, 'second', { zone: 'Asia/Tokyo', offset: null })).toContain('+275760-09-13');
});

test('trips in the zone of Tallinn', () =>
  expectGolden('trips-list.tallinn', [...trips, '--time-zone', 'Europe/Tallinn']));
