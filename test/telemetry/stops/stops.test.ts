// Stops row by row: noise, gaps, manoeuvres, silent devices, unknown engines, clipped periods.
import { describe, expect, test } from 'vitest';
import { FleetClient, InvalidInputError, type Stop, type StopOptions } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { clientOf } from '../trips/periods.js';

const begin = Date.parse('2026-03-02T08:00:00Z');
const vehicleId = '11111111-0000-5000-8000-000000000001';
const time = (minutes: number) => new Date(begin + minutes * 60_000);

type Row = readonly [
  minutes: number,
  metres: number | null,
  speed: number | null,
  isOn?: boolean | null,
  driver?: string,
];

function snapshot([minutes, metres, speed, isOn = false, driverId = undefined]: Row) {
  return {
    vehicleId,
    timestamp: time(minutes).toISOString(),
    gps: metres === null ? null : { latitude: 59 + metres / 111_195, longitude: 24, speed },
    ignition: isOn === null ? null : { engineStatus: isOn },
    canBus: metres === null ? { canSpeed: speed } : null,
    driver: driverId === undefined ? null : { driverId },
  };
}

const before: Row = [-5, -5000, 60, true];
const after: Row = [200, 5000, 60, true];

async function stopsOf(rows: readonly Row[], options: StopOptions = {}, [from, to] = [-60, 300]): Promise<Stop[]> {
  const fleet = clientOf([before, ...rows].map(snapshot), time(600).getTime());
  const found: Stop[] = [];
  for await (const stop of fleet.streamStops({ vehicleId, from: time(from), to: time(to) }, options)) found.push(stop);
  return found;
}

const minutesOf = ({ startedAt, endedAt }: Stop) =>
  [startedAt, endedAt].map((at) => (at === null ? null : (Date.parse(at) - begin) / 60_000));
const spans = async (rows: readonly Row[], options?: StopOptions) => (await stopsOf(rows, options)).map(minutesOf);

describe('a stop', () => {
  test('has the engine on in one part, and off in the other', async () => {
    const [stop, ...others] = await stopsOf([
      [0, 0, 0, true, 'anna'],
      [4, 0, 0, true],
      [5, 0, 0, false],
      [12, 0, 0, true, 'ben'],
      [13, 0, 0, true],
      [14, 400, 40, true],
    ]);
    expect(others).toEqual([]);
    expect(stop).toEqual({
      id: `${vehicleId}@${time(0).toISOString()}`,
      vehicleId,
      ...{ startedAt: time(0).toISOString(), endedAt: time(13).toISOString(), lastSeenAt: time(13).toISOString() },
      ...{ isOpen: false, endedBy: 'departure', isStartKnown: true, driverIds: ['anna', 'ben'] },
      ...{ durationSeconds: 780, idleSeconds: 360, unseenSeconds: 0 },
      position: { latitude: 59, longitude: 24 },
    });
  });

  test('has the drivers of the snapshots in which it stands there, not the one who leaves', async () => {
    const left = await stopsOf([
      [0, 0, 0, false, 'anna'],
      [10, 1_100, 60, true, 'ben'],
    ]);
    expect(left.map(({ driverIds }) => driverIds)).toEqual([['anna']]);
    const manoeuvre: readonly Row[] = [
      [0, 0, 0, false, 'anna'],
      [10, 20, 8, true, 'ben'],
    ];
    const [away] = await stopsOf([...manoeuvre, [11, 1_100, 60, true]]);
    expect(away?.driverIds).toEqual(['anna']);
    const [continued] = await stopsOf([...manoeuvre, [11, 20, 0, true], after]);
    expect(continued?.driverIds).toEqual(['anna', 'ben']);
  });

  test('is not changed by the engine of the snapshot that ends it', async () => {
    for (const isOn of [true, false, null]) {
      const [stop] = await stopsOf([
        [0, 0, 0, false],
        [10, 1_100, 60, isOn],
      ]);
      expect([stop?.idleSeconds, stop?.unseenSeconds, stop?.durationSeconds]).toEqual([0, 0, 600]);
    }
  });

  const cases: readonly (readonly [name: string, rows: readonly Row[], expected: readonly (number | null)[][]])[] = [
    ['lasts five minutes at least', [[0, 0, 0, true], [4.9, 0, 0, true], after], []],
    ['that is exactly as long counts', [[0, 0, 0, true], [5, 0, 0, true], after], [[0, 5]]],
    [
      'goes on when positions jump at speed 0',
      [
        [0, 0, 0],
        [3, 180, 0],
        [6, -90, 0],
        [7, 900, 50, true],
      ],
      [[0, 7]],
    ],
    ['goes on through a manoeuvre within 50 m', [[0, 0, 0, true], [3, 40, 8, true], [6, 30, 0, true], after], [[0, 6]]],
    ['has ended when the manoeuvre leads away', [[0, 0, 0, true], [6, 0, 0, true], [7, 40, 8, true], after], [[0, 6]]],
    [
      'is not a crawl',
      [
        [0, 0, 1],
        [2, 60, 1],
        [4, 120, 1],
        [6, 180, 1],
        [8, 240, 1],
        [9, 999, 30, true],
      ],
      [],
    ],
    [
      'is known by positions alone',
      [
        [0, 0, null, null],
        [3, 20, null, null],
        [6, -20, null, null],
        [7, 90, 30],
      ],
      [[0, 6]],
    ],
    [
      'is known by speeds alone',
      [
        [0, null, 0, true],
        [6, null, 0, true],
        [7, null, 30, true],
      ],
      [[0, 6]],
    ],
    [
      'goes on where rows are missing',
      [
        [0, 0, 0],
        [120, 10, 0],
        [121, 900, 50, true],
      ],
      [[0, 121]],
    ],
    [
      'ends with the last row there, before a gap with the engine on',
      [[0, 0, 0, true], [6, 0, 0, true], [60, 500, 0, true], [66, 500, 0, true], after],
      [
        [0, 6],
        [60, 66],
      ],
    ],
    [
      'of a silent parked vehicle lasts until the next row',
      [
        [0, 0, 0],
        [90, 500, 30, true],
      ],
      [[0, 90]],
    ],
    [
      'of a silent parked vehicle that is next seen far away is unknown',
      [
        [0, 0, 0],
        [90, 9000, 30, true],
      ],
      [],
    ],
    [
      'does not go on where it stands without a position after it moved',
      [
        [0, 0, 0, true],
        [6, 0, 0, true],
        [7, null, 40, true],
        [20, null, 0, true],
        [21, 9000, 40, true],
      ],
      [[0, 6]],
    ],
    ['is open at the end', [[0, 0, 0]], [[0, null]]],
  ];
  test.each(cases)('%s', async (_, rows, expected) => {
    expect(await spans(rows)).toEqual(expected);
  });

  test('that is open lasts until the end of the period, and tells when it was seen last', async () => {
    const [stop] = await stopsOf([[0, 0, 0, true]]);
    expect(stop).toMatchObject({ durationSeconds: 300 * 60, idleSeconds: 0, unseenSeconds: 0, isOpen: true });
    expect(stop?.lastSeenAt).toBe(time(0).toISOString());
  });

  test('without a known engine has no idle time, instead of 0', async () => {
    const fleet = clientOf([[0, 0, 0, null] as const, [9, 0, 0, null] as const].map(snapshot), time(60).getTime());
    for await (const stop of fleet.streamStops({ vehicleId, from: time(-10), to: time(30) })) {
      expect(stop).toMatchObject({ idleSeconds: null, isStartKnown: false });
    }
  });

  test('has its real start in every period, and its part in a clipped one', async () => {
    const rows: readonly Row[] = [[0, 0, 0, true], [40, 0, 0, false], [100, 0, 0, false], after];
    const [whole] = await stopsOf(rows);
    expect(await stopsOf(rows, {}, [60, 300])).toEqual([whole]);
    const [part] = await stopsOf(rows, { clip: true }, [60, 90]);
    expect(part).toMatchObject({ id: whole?.id, endedBy: 'period', isOpen: false, durationSeconds: 30 * 60 });
    expect(part && minutesOf(part)).toEqual([60, 90]);
  });

  test('that is shorter than minMs is left out', async () => {
    const rows: readonly Row[] = [
      [0, 0, 0, true],
      [19, 0, 0, true],
      [20, 900, 30, true],
    ];
    expect(await spans(rows, { minMs: 1_140_000 })).toEqual([[0, 19]]);
    expect(await spans(rows, { minMs: 1_140_001 })).toEqual([]);
  });
});

test('options that cannot be used are refused', () => {
  const fleet = clientOf([], begin);
  const period = { vehicleId, from: time(0), to: time(1) };
  expect(() => fleet.streamStops(period, { minMs: 60_000 })).toThrow(InvalidInputError);
  expect(() => fleet.streamStops(period, { closeAfterMs: 60_000 } as StopOptions)).toThrow(/closeAfterMs/);
});

test('several vehicles have the stops that each of them has alone', async () => {
  const clock = { now: () => Date.parse('2026-03-03T12:00:00Z') };
  const service = createMockService({ vehicles: 6, clock });
  const credentials = { username: 'demo', password: 'demo' };
  const fleet = new FleetClient({ baseUrl: 'https://fleet.test', credentials, fetch: service.fetch, clock });
  const vehicleIds = (await fleet.getVehicles()).flatMap(({ id }) => id ?? []);
  const period = { from: '2026-03-02T06:00:00Z', to: '2026-03-02T12:00:00Z' };
  const together: Stop[] = [];
  for await (const stop of fleet.streamStops({ vehicleIds, ...period })) together.push(stop);
  const alone: Stop[] = [];
  for (const id of vehicleIds) {
    for await (const stop of fleet.streamStops({ vehicleId: id, ...period })) alone.push(stop);
  }
  const inOrder = (stops: readonly Stop[]) => stops.toSorted((a, b) => a.id.localeCompare(b.id));
  expect(inOrder(together)).toEqual(inOrder(alone));
  expect(together.length).toBeGreaterThan(10);
});
