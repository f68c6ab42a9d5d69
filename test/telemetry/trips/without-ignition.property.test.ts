// Vehicles without a usable ignition give equal trips in any period, and one warning.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Fetch, FleetClient, type WarningEvent } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';
import { runs } from '../../runs.js';
import { clientOf, read } from './periods.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const vehicleId = '11111111-0000-5000-8000-000000000001';
const day = Date.parse('2026-03-02T00:00:00Z');

/** Drives at 8, 12 and 16 o'clock, 30 minutes at 60 km/h; a row in 20 s, parked one in 10 min. */
function rowsOfADay(ignition: object | null = null) {
  const rows: { readonly vehicleId: string; readonly timestamp: string; readonly [name: string]: unknown }[] = [];
  let km = 0;
  for (let time = day; time < day + 24 * HOUR; ) {
    const sinceDrive = (time - day) % (4 * HOUR);
    const isDriving = time >= day + 8 * HOUR && time < day + 20 * HOUR && sinceDrive < 30 * MINUTE;
    rows.push({
      vehicleId,
      timestamp: new Date(time).toISOString(),
      gps: { state: true, latitude: 50 + km / 111.195, longitude: 10, speed: isDriving ? 60 : 0 },
      ignition,
    });
    const step = isDriving ? 20 * SECOND : 10 * MINUTE;
    if (isDriving) km += (60 * step) / HOUR;
    time += step;
  }
  return rows;
}

test.each([
  ['null', null],
  ['always off', { engineStatus: false }],
])('the trips of a vehicle whose ignition is %s are the same in every period', async (_what, ignition) => {
  const rows = rowsOfADay(ignition);
  const fleet = clientOf(rows, day + 48 * HOUR);
  const within = (from: number, to: number) =>
    read(fleet.streamTrips({ vehicleId, from: new Date(from), to: new Date(to) }));
  const whole = await within(day, day + 24 * HOUR);
  expect(whole.map(({ tripsBy, endedBy, distanceKm }) => [tripsBy, endedBy, Math.round(distanceKm)])).toEqual(
    Array.from({ length: 3 }, () => ['movement', 'stop', 30]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 20 * 60 }),
      fc.integer({ min: 60, max: 240 }),
      async (minute, length) => {
        const [from, to] = [day + minute * MINUTE, day + (minute + length) * MINUTE];
        const closed = (await within(from, to)).filter(({ isOpen }) => !isOpen);
        const expected = whole.filter(
          ({ startedAt, endedAt }) =>
            Date.parse(endedAt ?? '') >= from &&
            Date.parse(startedAt) <= to &&
            Date.parse(endedAt ?? '') + 5 * MINUTE <= to,
        );
        expect(closed).toEqual(expected);
      },
    ),
    { numRuns: runs(100) },
  );
});

/** Returns a client of a service with these rows, at `now`, with its requests and warnings. */
function watchedClient(rows: readonly object[], now: number, isAsked: (row: object, variables: unknown) => boolean) {
  const requests: unknown[] = [];
  const warnings: Pick<WarningEvent, 'code' | 'message'>[] = [];
  const clock = { now: () => now };
  const { fetch } = createMockService({ vehicles: 1, clock });
  const answers: Fetch = (url, init) => {
    if (!url.endsWith('/graphql')) return fetch(url, init);
    const { variables } = JSON.parse(String(init.body));
    requests.push(variables);
    const getSnapshots = rows.filter((row) => isAsked(row, variables));
    return Promise.resolve(Response.json({ data: { getSnapshots } }));
  };
  const fleet = new FleetClient({
    baseUrl: 'https://fleet.test',
    credentials: { username: 'demo', password: 'demo' },
    fetch: answers,
    clock,
    hooks: { onWarning: ({ code, message }) => void warnings.push({ code, message }) },
  });
  return { fleet, requests, warnings };
}

test('a parked vehicle without ignition is not looked for in the week before, and told once', async () => {
  const isAsked = (row: object, variables: unknown) => {
    const { timestamp } = row as { timestamp: string };
    const { from, to } = variables as { from: string; to: string };
    return timestamp >= from && timestamp <= to;
  };
  const { fleet, requests, warnings } = watchedClient(rowsOfADay(), day + 48 * HOUR, isAsked);
  const [from, to] = [new Date(day + 7 * HOUR), new Date(day + 14 * HOUR)];
  expect(await read(fleet.streamTrips({ vehicleId, from, to }))).toHaveLength(2);
  expect(requests).toHaveLength(1);
  expect(warnings).toMatchObject([{ code: 'NO_IGNITION', message: expect.stringContaining(vehicleId) }]);
});

test('warns once of a device whose clock is ahead', async () => {
  const now = day - 400 * 24 * HOUR;
  const { fleet, warnings } = watchedClient(rowsOfADay({ engineStatus: false }), now, () => true);
  await read(fleet.streamTrips({ vehicleId, from: new Date(day), to: new Date(day + 24 * HOUR) }));
  const clockWarnings = warnings.filter(({ code }) => code === 'DEVICE_CLOCK');
  expect(clockWarnings).toMatchObject([{ message: expect.stringContaining('400 d ahead') }]);
});
