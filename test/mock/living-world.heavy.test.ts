// At any time some vehicle is driving, one is idling, one is parked and one device has been silent
// for days. LIVING_WORLD_TABLE=1 prints the statuses at every hour of a week.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';
import type { VehicleRecord } from '../../src/mock/store/tables.js';
import { telemetryVehicleOf } from '../../src/mock/store/telemetry-vehicle.js';
import { regions, type TripTruth } from '../../src/mock/telemetry/telemetry.js';
import { shellOf } from '../cli/harness.js';
import { isFullRun, runs } from '../runs.js';
import { caller } from './caller.js';
import {
  day,
  drivesBetween,
  fleetOf,
  hour,
  isInUse,
  latestSnapshot,
  minute,
  type StatusCounts,
  statusCountsAt,
  statusCountsByClient,
  tripsBetween,
} from './living-world.js';

const monday = Date.UTC(2026, 2, 2);
const demo = fleetOf();
const inUse = demo.vehicles.filter(isInUse);
const iso = (time: number): string => new Date(time).toISOString();

/** Expects the minimum of each status for a fleet of this size. */
function expectAlive(counts: StatusCounts, size: number, when: string): void {
  const blocks = Math.floor(size / 25);
  expect(counts.moving, `moving ${when}`).toBeGreaterThanOrEqual(Math.floor((3 * size) / 25));
  expect(counts.idling, `idling ${when}`).toBeGreaterThanOrEqual(blocks);
  expect(counts.parked, `parked ${when}`).toBeGreaterThanOrEqual(1);
  expect(counts.silent, `silent ${when}`).toBeGreaterThanOrEqual(blocks);
}

describe('through a week', () => {
  test('a client always sees the default fleet alive', async () => {
    const countsAt = statusCountsByClient();
    const table: string[] = [];
    const movingInOfficeHours: number[] = [];
    const perHour = isFullRun ? 4 : 1;
    for (let at = monday; at < monday + 7 * day; at += hour / perHour) {
      const counts = await countsAt(at);
      const when = iso(at);
      expectAlive(counts, 25, when);
      // The vehicle without a device.
      expect(counts.unknown, when).toBe(1);
      // The deactivated vehicle, one or two failing devices, and a third that has just failed.
      expect(counts.offline, when).toBeGreaterThanOrEqual(2);
      expect(counts.offline, when).toBeLessThanOrEqual(3);
      const weekday = (at - monday) / day;
      const hourOfDay = new Date(at).getUTCHours();
      // From 9:00 in Madrid to 16:00 in Tallinn.
      if (weekday < 5 && hourOfDay >= 8 && hourOfDay < 14) movingInOfficeHours.push(counts.moving);
      if (at % hour === 0) {
        const { moving, idling, parked, offline, unknown, silent } = counts;
        const cells = [when.slice(0, 13), moving, idling, parked, offline, unknown, silent];
        table.push(cells.map((cell) => String(cell).padStart(10)).join(''));
      }
    }
    expect(table).toHaveLength(7 * 24);
    // About a third of the fleet is moving in office hours.
    expect(movingInOfficeHours).toHaveLength(5 * 6 * perHour);
    const share = movingInOfficeHours.reduce((sum, moving) => sum + moving) / movingInOfficeHours.length / 25;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.4);
    expect(Math.min(...movingInOfficeHours)).toBeGreaterThanOrEqual(4);
    if (process.env.LIVING_WORLD_TABLE === undefined) return;
    const title = ['hour (UTC)', 'moving', 'idling', 'parked', 'offline', 'no device', 'silent'];
    process.stdout.write(`${[title.map((cell) => cell.padStart(10)).join(''), ...table].join('\n')}\n`);
  });

  test('half of the vehicles in use have driven in the last 24 hours, and all in the last 7 days', () => {
    const trips = new Map(
      inUse.map((vehicle) => [vehicle, tripsBetween(demo, vehicle, monday - 7 * day, monday + 7 * day)]),
    );
    const hasTrip = (vehicle: VehicleRecord, from: number, to: number): boolean =>
      trips.get(vehicle)?.some(({ start, end }) => end >= from && start <= to) ?? false;
    for (let at = monday; at < monday + 7 * day; at += 15 * minute) {
      const recent = inUse.filter((vehicle) => hasTrip(vehicle, at - day, at));
      expect(recent.length, iso(at)).toBeGreaterThanOrEqual(inUse.length / 2);
      for (const vehicle of inUse) {
        expect(hasTrip(vehicle, at - 7 * day, at), `${vehicle.name} ${iso(at)}`).toBe(true);
      }
    }
  });
});

describe('at any time', () => {
  const since = Date.UTC(2025, 3, 1);
  const anyTime = fc.integer({ min: since / 1000, max: Date.UTC(2090, 0, 1) / 1000 }).map((second) => second * 1000);

  test('the default fleet is alive', () => {
    fc.assert(
      fc.property(anyTime, (at) => expectAlive(statusCountsAt(demo, at), 25, iso(at))),
      { numRuns: runs(3000) },
    );
  });

  test('fleets of other seeds and sizes are alive and have driven recently', () => {
    const sizes = fc.constantFrom(8, 12, 25, 31, 50, 110);
    fc.assert(
      fc.property(fc.nat(), sizes, fc.array(anyTime, { minLength: 20, maxLength: 20 }), (seed, size, times) => {
        const fleet = fleetOf(seed, size);
        const vehicles = fleet.vehicles.filter(isInUse);
        for (const at of times) {
          const when = `${iso(at)} seed ${seed} size ${size}`;
          expectAlive(statusCountsAt(fleet, at), size, when);
          const recent = vehicles.filter((vehicle) => drivesBetween(fleet, vehicle, at - day, at));
          expect(recent.length, when).toBeGreaterThanOrEqual(vehicles.length / 2);
          for (const vehicle of vehicles) {
            expect(drivesBetween(fleet, vehicle, at - 7 * day, at), `${vehicle.name} ${when}`).toBe(true);
          }
        }
      }),
      { numRuns: runs(12) },
    );
  });

  test.each(['2026-03-29', '2026-10-25', '2027-03-28', '2040-10-28'])(
    'the default fleet is alive while the clocks change on %s',
    (date) => {
      const step = isFullRun ? minute : 15 * minute;
      for (let at = Date.parse(date) - 6 * hour; at < Date.parse(date) + 36 * hour; at += step) {
        expectAlive(statusCountsAt(demo, at), 25, iso(at));
      }
    },
  );

  test('the newest row of a truck has its ignition and its speed', () => {
    const trucks = inUse.filter(({ kind }) => kind === 'truck');
    fc.assert(
      fc.property(fc.constantFrom(...trucks), anyTime, (vehicle, at) => {
        const row = latestSnapshot(demo, vehicle, at);
        expect(row?.ignition).not.toBeNull();
        expect(row?.gps?.speed ?? row?.canBus?.canSpeed).toBeTypeOf('number');
      }),
      { numRuns: runs(2000) },
    );
  });
});

test('a working day begins by local time, also when the clocks change', () => {
  const timeZoneOf = (vehicle: VehicleRecord): string =>
    regions.find(({ name }) => name === vehicle.region)?.timeZone ?? 'none';
  const localHour = (vehicle: VehicleRecord, time: number): number => {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timeZoneOf(vehicle),
      hour: '2-digit',
      minute: '2-digit',
    });
    const [hours = 0, minutes = 0] = format.format(time).split(':').map(Number);
    return hours + minutes / 60;
  };
  const earliest = { car: 7.5, van: 6.5, truck: 4.8 };
  const latest = { car: 9, van: 8, truck: 6.2 };
  const firstOfDay = (trips: readonly TripTruth[]): readonly TripTruth[] =>
    trips.filter(({ start }, i) => i > 0 && start - (trips[i - 1]?.end ?? 0) > 8 * hour);
  const fleet = fleetOf(5, 110);
  // Cars and vans that work by day.
  const vehicles = fleet.vehicles.filter(
    (vehicle) => isInUse(vehicle) && vehicle.kind !== 'truck' && vehicle.place % 25 !== 5,
  );
  for (const date of ['2026-03-29', '2026-10-25', '2026-06-14', '2026-12-13']) {
    let onThatDay = 0;
    for (const vehicle of vehicles) {
      const from = Date.parse(date) - 2 * day;
      for (const { start } of firstOfDay(tripsBetween(fleet, vehicle, from, from + 5 * day))) {
        if (Math.abs(start - Date.parse(date)) < day) onThatDay++;
        const begins = localHour(vehicle, start);
        const when = `${vehicle.name} ${iso(start)}`;
        expect(begins, when).toBeGreaterThan(earliest[vehicle.kind] - 0.02);
        expect(begins, when).toBeLessThan(latest[vehicle.kind] + 0.02);
      }
    }
    expect(onThatDay).toBeGreaterThan(20);
  }
});

test('a device that fails is silent for three and a half days without a trip, and then sends again', () => {
  const cars = demo.vehicles.filter(({ place, kind }) => place >= 10 && place % 5 !== 1 && kind === 'car');
  expect(cars).toHaveLength(3);
  for (const vehicle of cars) {
    const rows = [...demo.telemetry.snapshots(telemetryVehicleOf(vehicle), monday, monday + 35 * day)];
    const silences = rows.flatMap((row, i) => {
      const before = rows[i - 1];
      return before !== undefined && row.timestamp - before.timestamp > 12 * hour ? [{ before, row }] : [];
    });
    for (const { before, row } of silences) {
      const silentMs = row.timestamp - before.timestamp;
      expect(silentMs).toBeGreaterThanOrEqual(84 * hour);
      expect(silentMs).toBeLessThan(92 * hour);
      expect(row.odometerKm).toBe(before.odometerKm);
      expect(drivesBetween(demo, vehicle, before.timestamp + minute, row.timestamp - 1)).toBe(false);
      // In the middle of the silence the newest row is the last one before it.
      expect(latestSnapshot(demo, vehicle, before.timestamp + silentMs / 2)).toEqual(before);
    }
    expect(silences.length, vehicle.name).toBeGreaterThanOrEqual(1);
  }
});

describe('a deactivated vehicle', () => {
  const [deactivated] = demo.vehicles.filter((vehicle) => vehicle.deactivated);
  if (deactivated === undefined || deactivated.deactivatedAt === null) throw new Error('no vehicle is deactivated');
  const end = deactivated.deactivatedAt;

  test('has trips before, and no rows after', () => {
    expect(demo.vehicles.filter((vehicle) => vehicle.deactivated)).toHaveLength(1);
    expect(tripsBetween(demo, deactivated, 0, end).length).toBeGreaterThan(0);
    expect([...demo.telemetry.snapshots(telemetryVehicleOf(deactivated), end + 1, end + 20 * day)]).toHaveLength(0);
    expect(tripsBetween(demo, deactivated, end, end + 300 * day)).toHaveLength(0);
    const last = latestSnapshot(demo, deactivated, end);
    expect(last?.timestamp).toBeLessThanOrEqual(end);
    expect(latestSnapshot(demo, deactivated, end + 300 * day)).toEqual(last);
  });

  test('does not report the trip that was in progress', () => {
    const [van] = inUse;
    if (van === undefined) throw new Error('no vehicle');
    const trip = tripsBetween(demo, van, monday, monday + day)[3];
    if (trip === undefined) throw new Error('no trip');
    const cut = { ...telemetryVehicleOf(van), deviceUntil: trip.end - minute };
    expect([...demo.telemetry.trips(cut, trip.start, monday + day)]).toEqual([]);
    expect([...demo.telemetry.snapshots(cut, trip.start, monday + day)]).toEqual([]);
    expect(demo.telemetry.latest(cut, trip.end)?.timestamp).toBeLessThan(trip.start);
  });

  test('sends nothing from its deactivation until its activation', async () => {
    const noon = Date.UTC(2026, 2, 4, 12);
    const service = createMockService({ clock: { now: () => noon } });
    const call = await caller(service.fetch);
    const [truck] = inUse.filter(({ kind }) => kind === 'truck');
    const setDeactivated = (value: boolean) =>
      call.data('mutation ($v: UUID!, $i: VehicleInput!) { updateVehicle(vehicleId: $v, vehicleInput: $i) { id } }', {
        v: truck?.id,
        i: { deactivated: value },
      });
    const lastTimestamp = async (): Promise<number> => {
      const query = 'query ($v: UUID!) { getVehicleById(id: $v) { lastData { timestamp } } }';
      const { getVehicleById } = await call.data(query, { v: truck?.id });
      return Date.parse(getVehicleById.lastData.timestamp);
    };
    await setDeactivated(true);
    service.clock.advance(4 * minute);
    expect(await lastTimestamp()).toBeLessThanOrEqual(noon);
    await setDeactivated(false);
    expect(await lastTimestamp()).toBeGreaterThan(noon);
  });
});

describe('a service at a given time', () => {
  test('shows the same whether its clock was handed in or set', async () => {
    const sunday = Date.UTC(2026, 2, 1, 0, 45);
    const withSetClock = createMockService();
    withSetClock.clock.freeze(true);
    withSetClock.clock.set(sunday);
    const withOwnClock = createMockService({ clock: { now: () => sunday } });
    const query = '{ getVehicles { name lastOdometer lastData { timestamp gps { speed } } } }';
    const [first, second] = [await caller(withSetClock.fetch), await caller(withOwnClock.fetch)];
    expect(await first.data(query)).toEqual(await second.data(query));
  });

  test.each(['2026-03-02T09:30:00Z', '2026-03-01T00:45:00Z', '2026-03-01T18:00:00Z', '2026-12-25T03:00:00Z'])(
    'has vehicles of each status for the command line at %s',
    async (time) => {
      const clock = { now: () => Date.parse(time) };
      const fleet = shellOf('demo', createMockService({ clock }).fetch);
      const { stdout } = await fleet(['vehicles', 'status', '-o', 'json'], { clock });
      const rows: readonly { status: string }[] = JSON.parse(stdout);
      for (const status of ['moving', 'idling', 'stopped', 'offline', 'unknown'])
        expect(rows.filter((row) => row.status === status).length, status).toBeGreaterThanOrEqual(
          status === 'moving' ? 3 : 1,
        );
    },
  );

  test('has the trips on a Sunday that the README shows', () => {
    const truck = demo.vehicles.find(({ name }) => name === 'Truck 02');
    if (truck === undefined) throw new Error('no Truck 02');
    expect(tripsBetween(demo, truck, Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)).length).toBeGreaterThanOrEqual(2);
  });
});
