// Whatever the moment, somebody drives, somebody idles, somebody is parked and one device has been silent for days.
// LIVING_WORLD_TABLE=1 prints what the vehicles do at every hour of a week.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { telemetryOf } from '../../src/mock/graphql/context.js';
import { createMockService } from '../../src/mock/service.js';
import type { VehicleRecord } from '../../src/mock/store/records.js';
import { regions, type TripTruth } from '../../src/mock/telemetry/telemetry.js';
import { shellOf } from '../cli/harness.js';
import { caller } from './caller.js';
import {
  type Counts,
  countsAt,
  day,
  drives,
  fleetOf,
  hour,
  inUse,
  minute,
  newest,
  watchedService,
} from './living-world.js';

const monday = Date.UTC(2026, 2, 2);
const demo = fleetOf();
const active = demo.vehicles.filter(inUse);

/** The least of each that a fleet of this size shows at any moment. */
function expectAlive(counts: Counts, size: number, when: string): void {
  const blocks = Math.floor(size / 25);
  expect(counts.moving, `moving ${when}`).toBeGreaterThanOrEqual(Math.floor((3 * size) / 25));
  expect(counts.idle, `idle ${when}`).toBeGreaterThanOrEqual(blocks);
  expect(counts.parked, `parked ${when}`).toBeGreaterThanOrEqual(1);
  expect(counts.silent, `silent ${when}`).toBeGreaterThanOrEqual(blocks);
}

describe('every quarter of an hour of a week', () => {
  test('the default fleet is alive, as a client of the service sees it', async () => {
    const service = watchedService();
    const rows: string[] = [];
    const office: number[] = [];
    for (let at = monday; at < monday + 7 * day; at += 15 * minute) {
      const counts = await service.at(at);
      const when = new Date(at).toISOString();
      expectAlive(counts, 25, when);
      // Nothing is known of the vehicle without a device, and of no other.
      expect(counts.unknown, when).toBe(1);
      // The deactivated one, the one or two that fail for days, and a third in its first hours.
      expect(counts.offline, when).toBeGreaterThanOrEqual(2);
      expect(counts.offline, when).toBeLessThanOrEqual(3);
      const weekday = (at - monday) / day;
      const time = new Date(at).getUTCHours();
      // From nine in Madrid to four in Tallinn.
      if (weekday < 5 && time >= 8 && time < 14) office.push(counts.moving);
      if (at % hour === 0) {
        const { moving, idle, parked, offline, unknown, silent } = counts;
        const line = [when.slice(0, 13), moving, idle, parked, offline, unknown, silent];
        rows.push(line.map((cell) => String(cell).padStart(10)).join(''));
      }
    }
    expect(rows).toHaveLength(7 * 24);
    // About a third is under way in working hours.
    expect(office).toHaveLength(5 * 6 * 4);
    const share = office.reduce((sum, moving) => sum + moving) / office.length / 25;
    expect(share).toBeGreaterThan(0.27);
    expect(share).toBeLessThan(0.4);
    expect(Math.min(...office)).toBeGreaterThanOrEqual(4);
    if (process.env.LIVING_WORLD_TABLE === undefined) return;
    const title = ['hour (UTC)', 'moving', 'idle', 'parked', 'offline', 'no device', 'silent'];
    process.stdout.write(`${[title.map((cell) => cell.padStart(10)).join(''), ...rows].join('\n')}\n`);
  });

  test('half of what is in use drove in the last 24 hours, and all of it in the last 7 days', () => {
    for (let at = monday; at < monday + 7 * day; at += 15 * minute) {
      const lately = active.filter((vehicle) => drives(demo, vehicle, at - day, at));
      expect(lately.length, new Date(at).toISOString()).toBeGreaterThanOrEqual(active.length / 2);
      for (const vehicle of active)
        expect(drives(demo, vehicle, at - 7 * day, at), `${vehicle.name} ${new Date(at).toISOString()}`).toBe(true);
    }
  });
});

describe('any moment', () => {
  const since = Date.UTC(2025, 3, 1);
  const anyMoment = fc.integer({ min: since / 1000, max: Date.UTC(2090, 0, 1) / 1000 }).map((second) => second * 1000);

  test('of the default fleet', () => {
    fc.assert(
      fc.property(anyMoment, (at) => expectAlive(countsAt(demo, at), 25, new Date(at).toISOString())),
      { numRuns: 3000 },
    );
  });

  test('of other seeds and sizes, with trips in the last 24 hours and 7 days', () => {
    const sizes = fc.constantFrom(8, 12, 25, 31, 50, 110);
    fc.assert(
      fc.property(fc.nat(), sizes, fc.array(anyMoment, { minLength: 20, maxLength: 20 }), (seed, size, moments) => {
        const fleet = fleetOf(seed, size);
        const used = fleet.vehicles.filter(inUse);
        for (const at of moments) {
          const when = `${new Date(at).toISOString()} seed ${seed} size ${size}`;
          expectAlive(countsAt(fleet, at), size, when);
          const lately = used.filter((vehicle) => drives(fleet, vehicle, at - day, at));
          expect(lately.length, when).toBeGreaterThanOrEqual(used.length / 2);
          for (const vehicle of used)
            expect(drives(fleet, vehicle, at - 7 * day, at), `${vehicle.name} ${when}`).toBe(true);
        }
      }),
      { numRuns: 12 },
    );
  });

  test.each(['2026-03-29', '2026-10-25', '2027-03-28', '2040-10-28'])(
    'of the day %s, when the clocks change',
    (date) => {
      for (let at = Date.parse(date) - 6 * hour; at < Date.parse(date) + 36 * hour; at += minute)
        expectAlive(countsAt(demo, at), 25, new Date(at).toISOString());
    },
  );

  test('the newest row of a vehicle that drives says what it is doing', () => {
    const trucks = active.filter(({ kind }) => kind === 'truck');
    fc.assert(
      fc.property(fc.constantFrom(...trucks), anyMoment, (vehicle, at) => {
        const row = newest(demo, vehicle, at);
        expect(row?.ignition).not.toBeNull();
        expect(row?.gps?.speed ?? row?.canBus?.canSpeed).toBeTypeOf('number');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('local time', () => {
  const zoneOf = (vehicle: VehicleRecord): string =>
    regions.find(({ name }) => name === vehicle.region)?.timeZone ?? 'none';
  const localHours = (vehicle: VehicleRecord, time: number): number => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zoneOf(vehicle), hour: '2-digit', minute: '2-digit' });
    const [hours = 0, minutes = 0] = clock.format(time).split(':').map(Number);
    return hours + minutes / 60;
  };
  const earliest = { car: 7.5, van: 6.5, truck: 4.8 };
  const latest = { car: 9, van: 8, truck: 6.2 };
  const firstOfDay = (trips: readonly TripTruth[]): readonly TripTruth[] =>
    trips.filter(({ start }, i) => i > 0 && start - (trips[i - 1]?.end ?? 0) > 8 * hour);

  test('the working day begins by it, also on the days on which the clocks change', () => {
    // Vehicles of the day: neither on a line nor at work by night.
    const daily = fleetOf(5, 110).vehicles.filter(
      (vehicle) => inUse(vehicle) && vehicle.kind !== 'truck' && vehicle.place % 25 !== 5,
    );
    const { telemetry } = fleetOf(5, 1);
    for (const date of ['2026-03-29', '2026-10-25', '2026-06-14', '2026-12-13']) {
      let seen = 0;
      for (const vehicle of daily) {
        const from = Date.parse(date) - 2 * day;
        const trips = [...telemetry.trips(telemetryOf(vehicle), from, from + 5 * day)];
        for (const { start } of firstOfDay(trips)) {
          if (Math.abs(start - Date.parse(date)) < day) seen++;
          const begins = localHours(vehicle, start);
          expect(begins, `${vehicle.name} ${new Date(start).toISOString()}`).toBeGreaterThan(
            earliest[vehicle.kind] - 0.02,
          );
          expect(begins, `${vehicle.name} ${new Date(start).toISOString()}`).toBeLessThan(latest[vehicle.kind] + 0.02);
        }
      }
      expect(seen).toBeGreaterThan(20);
    }
  });
});

describe('a device that fails', () => {
  test('is silent for three and a half days, in which nothing is driven, and sends again', () => {
    const failing = demo.vehicles.filter(({ place, kind }) => place >= 10 && place % 5 !== 1 && kind === 'car');
    expect(failing).toHaveLength(3);
    for (const vehicle of failing) {
      const rows = [...demo.telemetry.snapshots(telemetryOf(vehicle), monday, monday + 35 * day)];
      const gaps = rows.flatMap((row, i) => {
        const before = rows[i - 1];
        return before !== undefined && row.timestamp - before.timestamp > 12 * hour ? [{ before, row }] : [];
      });
      for (const { before, row } of gaps) {
        const silentMs = row.timestamp - before.timestamp;
        expect(silentMs).toBeGreaterThanOrEqual(84 * hour);
        expect(silentMs).toBeLessThan(92 * hour);
        expect(row.odometerKm).toBe(before.odometerKm);
        expect(drives(demo, vehicle, before.timestamp + minute, row.timestamp - 1)).toBe(false);
        // Asked in the middle of it, the newest row is the last one before it.
        expect(newest(demo, vehicle, before.timestamp + silentMs / 2)).toEqual(before);
      }
      expect(gaps.length, vehicle.name).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('a deactivated vehicle', () => {
  const [retired] = demo.vehicles.filter(({ deactivated }) => deactivated);
  if (retired === undefined || retired.deactivatedAt === null) throw new Error('no vehicle is deactivated');
  const end = retired.deactivatedAt;

  test('drove before, and reports nothing since', () => {
    expect(demo.vehicles.filter(({ deactivated }) => deactivated)).toHaveLength(1);
    const telemetry = telemetryOf(retired);
    expect([...demo.telemetry.trips(telemetry, 0, end)].length).toBeGreaterThan(0);
    expect([...demo.telemetry.snapshots(telemetry, end + 1, end + 20 * day)].length).toBe(0);
    expect([...demo.telemetry.trips(telemetry, end, end + 300 * day)].length).toBe(0);
    const last = newest(demo, retired, end);
    expect(last?.timestamp).toBeLessThanOrEqual(end);
    expect(newest(demo, retired, end + 300 * day)).toEqual(last);
  });

  test('neither reports the drive that was under way', () => {
    const [van] = active;
    if (van === undefined) throw new Error('no vehicle');
    const trip = [...demo.telemetry.trips(telemetryOf(van), monday, monday + day)][3];
    if (trip === undefined) throw new Error('no trip');
    const cut = { ...telemetryOf(van), deviceUntil: trip.end - minute };
    expect([...demo.telemetry.trips(cut, trip.start, monday + day)]).toEqual([]);
    expect([...demo.telemetry.snapshots(cut, trip.start, monday + day)]).toEqual([]);
    expect(demo.telemetry.latest(cut, trip.end)?.timestamp).toBeLessThan(trip.start);
  });

  test('stops when it is deactivated and reports again when it is activated', async () => {
    const noon = Date.UTC(2026, 2, 4, 12);
    const service = createMockService({ clock: { now: () => noon } });
    const call = await caller(service.fetch);
    const [truck] = active.filter(({ kind }) => kind === 'truck');
    const change = (deactivated: boolean) =>
      call.data('mutation ($v: UUID!, $i: VehicleInput!) { updateVehicle(vehicleId: $v, vehicleInput: $i) { id } }', {
        v: truck?.id,
        i: { deactivated },
      });
    const seen = async (): Promise<number> => {
      const { getVehicleById } = await call.data(
        'query ($v: UUID!) { getVehicleById(id: $v) { lastData { timestamp } } }',
        {
          v: truck?.id,
        },
      );
      return Date.parse(getVehicleById.lastData.timestamp);
    };
    await change(true);
    service.clock.advance(4 * minute);
    expect(await seen()).toBeLessThanOrEqual(noon);
    await change(false);
    expect(await seen()).toBeGreaterThan(noon);
  });
});

describe('a service at a moment', () => {
  const sunday = Date.UTC(2026, 2, 1, 0, 45);

  test('shows the same whether its clock was given or set', async () => {
    const set = createMockService();
    set.clock.freeze(true);
    set.clock.set(sunday);
    const given = createMockService({ clock: { now: () => sunday } });
    const query = '{ getVehicles { name lastOdometer lastData { timestamp gps { speed } } } }';
    expect(await (await caller(set.fetch)).data(query)).toEqual(await (await caller(given.fetch)).data(query));
    expect((await watchedService().at(sunday)).moving).toBeGreaterThanOrEqual(3);
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

  test("the README's trips on a Sunday are there", () => {
    const truck = demo.vehicles.find(({ name }) => name === 'Truck 02');
    if (truck === undefined) throw new Error('no Truck 02');
    const trips = [...demo.telemetry.trips(telemetryOf(truck), Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2))];
    expect(trips.length).toBeGreaterThanOrEqual(2);
  });
});
