/** Drives are physically possible, and rows match the trips. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GeneratedTelemetry,
  regions,
  type TelemetryRow,
  type TripTruth,
} from '../../../src/mock/telemetry/telemetry.js';
import { runs } from '../../runs.js';
import {
  anyTime,
  anyVehicle,
  bearing,
  byTime,
  day,
  freshFixes,
  greatCircle,
  hour,
  kindNames,
  minute,
  since,
  vehicle,
} from './fleet.js';

const telemetry = new GeneratedTelemetry(1);
const monday = Date.UTC(2026, 2, 2);

/** Returns the rows of a trip in time order, including the engine stop. */
function rowsOf(v: ReturnType<typeof vehicle>, trip: TripTruth): TelemetryRow[] {
  return byTime(telemetry.snapshots(v, trip.start, trip.end));
}

function atMost(values: readonly number[], share: number): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.floor((ordered.length - 1) * share)] ?? 0;
}

describe.each(kindNames)('a week of a %s', (kind) => {
  const v = vehicle(`drives-${kind}`, kind, 'Warsaw');
  const trips = [...telemetry.trips(v, monday, monday + 7 * day)];
  const week = byTime(telemetry.snapshots(v, monday, monday + 7 * day));

  it('moves as far between fixes as its odometer says', () => {
    const errors: number[] = [];
    for (const trip of trips) {
      const fixes = freshFixes(rowsOf(v, trip));
      let straight = 0;
      fixes.forEach((row, i) => {
        const before = fixes[i - 1];
        if (!before?.gps || !row.gps) return;
        const chord = greatCircle(before.gps, row.gps);
        const driven = (row.odometerKm - before.odometerKm) * 1000;
        straight += chord;
        // Rounding: a metre of odometer at both ends, a decimetre of position.
        expect(chord).toBeLessThanOrEqual(driven * 1.005 + 1.5);
        if (driven > 100) errors.push((driven - chord) / driven);
      });
      expect(straight / 1000 / trip.distanceKm).toBeGreaterThan(0.985);
      expect(straight / 1000 / trip.distanceKm).toBeLessThan(1.005);
    }
    expect(atMost(errors, 0.95)).toBeLessThan(0.03);
  });

  it('has speeds, accelerations and headings that fit its positions', () => {
    const turns: number[] = [];
    const misfits: number[] = [];
    for (const trip of trips) {
      const fixes = freshFixes(rowsOf(v, trip));
      fixes.forEach((row, i) => {
        const before = fixes[i - 1];
        if (!before?.gps || !row.gps) return;
        const seconds = (row.timestamp - before.timestamp) / 1000;
        const metres = (row.odometerKm - before.odometerKm) * 1000;
        expect(row.gps.speed).toBeGreaterThanOrEqual(0);
        expect(row.gps.speed).toBeLessThanOrEqual({ car: 140, van: 126, truck: 96 }[kind]);
        if (seconds > 0) {
          const change = (row.gps.speed - before.gps.speed) / 3.6;
          expect(Math.abs(change)).toBeLessThanOrEqual(4.7 * seconds + 0.06);
          // The top speed limits the distance.
          expect(metres / seconds).toBeLessThanOrEqual(140 / 3.6 + 1.1 / seconds);
        }
        if (seconds >= 2 && seconds < 9 && Math.abs(row.gps.speed - before.gps.speed) < 3 && metres > 40)
          misfits.push(Math.abs((metres / seconds) * 3.6 - (row.gps.speed + before.gps.speed) / 2));
        if (metres > 40 && before.gps.direction === row.gps.direction) {
          const off = Math.abs(bearing(before.gps, row.gps) - row.gps.direction);
          turns.push(Math.min(off, 360 - off));
        }
      });
    }
    expect(turns.length).toBeGreaterThan(100);
    expect(atMost(turns, 0.97)).toBeLessThan(3);
    expect(atMost(misfits, 0.9)).toBeLessThan(5);
  });

  it('stops on the way with the engine on, and reports it', () => {
    const idling = week.filter((row) => row.ignition?.engineStatus === true && row.gps?.state && row.gps.speed === 0);
    expect(idling.length).toBeGreaterThan(trips.length * 3);
    for (const trip of trips) expect(trip.idleMs).toBeLessThan((trip.end - trip.start) * 0.75);
  });

  it('rests where it stopped, without moving by a digit', () => {
    trips.forEach((trip, i) => {
      const next = trips[i + 1];
      if (next === undefined) return;
      expect(next.startPosition).toEqual(trip.endPosition);
      expect(next.startOdometerKm).toBe(trip.endOdometerKm);
      const parked = freshFixes(byTime(telemetry.snapshots(v, trip.end, next.start)));
      for (const { gps } of parked)
        expect({ latitude: gps?.latitude, longitude: gps?.longitude, speed: gps?.speed }).toEqual({
          ...trip.endPosition,
          speed: 0,
        });
    });
  });

  it('returns to the depot by night', () => {
    const home = trips[0]?.startPosition;
    const starts = trips.filter((trip, i) => i === 0 || trip.start - (trips[i - 1]?.end ?? 0) > 5 * hour);
    expect(starts.length).toBeGreaterThanOrEqual(4);
    for (const { startPosition } of starts) expect(startPosition).toEqual(home);
  });

  it('sends bursts at the engine, often while driving, seldom when parked', () => {
    for (const trip of trips) {
      const burst = [...telemetry.snapshots(v, trip.start, trip.start + 10_000)];
      expect(burst.length).toBeGreaterThanOrEqual(4);
      expect([...telemetry.snapshots(v, trip.end, trip.end + 20_000)].length).toBeGreaterThanOrEqual(2);
      const rows = rowsOf(v, trip);
      rows.forEach((row, i) => {
        expect(row.timestamp - (rows[i - 1]?.timestamp ?? row.timestamp)).toBeLessThanOrEqual(75_000);
      });
    }
    const parked = week.filter((row) => row.ignition?.engineStatus === false);
    const gaps = parked.map((row, i) => row.timestamp - (parked[i - 1]?.timestamp ?? row.timestamp));
    expect(Math.max(...gaps)).toBeGreaterThan(55 * minute);
    const sunday = byTime(telemetry.snapshots(v, monday + 6 * day + 6 * hour, monday + 6 * day + 18 * hour));
    expect(sunday.length).toBeLessThan(kind === 'car' ? 1200 : 40);
  });
});

describe('trips and rows', () => {
  it('are the same: every run of engine-on rows is one trip, every trip one run', () => {
    fc.assert(
      fc.property(anyVehicle, anyTime, (v, from) => {
        const to = from + 3 * day;
        const trips = [...telemetry.trips(v, from, to)].filter((trip) => trip.start >= from && trip.end <= to);
        const rows = byTime(telemetry.snapshots(v, from, to)).filter(({ ignition }) => ignition !== null);
        const runs: { start: TelemetryRow; end: TelemetryRow; top: number; harsh: Record<string, number> }[] = [];
        let open: { start: TelemetryRow; top: number; harsh: Record<string, number> } | null = null;
        let stopped = false;
        rows.forEach((row) => {
          const on = row.ignition?.engineStatus === true;
          // The first run may have begun before the period, so it is incomplete.
          if (on && open === null && stopped) open = { start: row, top: 0, harsh: {} };
          stopped ||= !on;
          if (open === null) return;
          if (row.gps?.state) open.top = Math.max(open.top, row.gps.speed);
          const type = row.driverBehaviour?.driverBehaviourType;
          if (type !== undefined) open.harsh[type] = (open.harsh[type] ?? 0) + 1;
          if (!on) {
            runs.push({ ...open, end: row });
            open = null;
          }
        });
        const firstStart = rows.findIndex(({ ignition }) => ignition?.engineStatus === false);
        const complete = trips.filter(({ start }) => start > (rows[firstStart]?.timestamp ?? from));
        expect(runs.map(({ start, end }) => [start.timestamp, end.timestamp])).toEqual(
          complete.map(({ start, end }) => [start, end]),
        );
        complete.forEach((trip, i) => {
          const run = runs[i];
          if (run === undefined) throw new Error('a run is missing');
          expect(run.end.odometerKm - run.start.odometerKm).toBeCloseTo(trip.distanceKm, 6);
          expect(run.start.odometerKm).toBe(trip.startOdometerKm);
          expect(run.end.odometerKm).toBe(trip.endOdometerKm);
          expect(run.top).toBeGreaterThanOrEqual(trip.topSpeedKmh - 0.11);
          expect(run.top).toBeLessThanOrEqual(trip.topSpeedKmh);
          expect(run.harsh).toEqual(trip.harshEvents);
          expect((run.end.engineHours - run.start.engineHours) * hour).toBeCloseTo(trip.end - trip.start, -3);
        });
      }),
      { numRuns: runs(60) },
    );
  });

  it('leaves at least four minutes between trips, in order', () => {
    fc.assert(
      fc.property(anyVehicle, anyTime, (v, from) => {
        const trips = [...telemetry.trips(v, from, from + 40 * day)];
        expect(trips.length).toBeGreaterThan(20);
        trips.forEach((trip, i) => {
          expect(trip.end).toBeGreaterThan(trip.start);
          const before = trips[i - 1];
          if (before !== undefined) expect(trip.start - before.end).toBeGreaterThanOrEqual(4 * minute);
        });
      }),
      { numRuns: runs(60) },
    );
  });

  it('gives a trip whole to every period it overlaps', () => {
    const v = vehicle('whole');
    for (const trip of telemetry.trips(v, monday, monday + day)) {
      const middle = Math.floor((trip.start + trip.end) / 2);
      for (const [from, to] of [
        [middle, middle],
        [trip.end, trip.end],
        [trip.start, trip.start],
      ] as const)
        expect([...telemetry.trips(v, from, to)]).toEqual([trip]);
    }
  });

  it('counts idle time as the rows show it', () => {
    const v = vehicle('idle', 'van');
    for (const trip of telemetry.trips(v, monday, monday + 2 * day)) {
      const fixes = freshFixes(rowsOf(v, trip));
      let idle = (fixes[0]?.timestamp ?? trip.start) - trip.start;
      fixes.forEach((row, i) => {
        const before = fixes[i - 1];
        if (before?.gps?.speed === 0 && row.gps?.speed === 0) idle += row.timestamp - before.timestamp;
      });
      expect(Math.abs(idle - trip.idleMs)).toBeLessThan(2000);
    }
  });
});

describe('the totals', () => {
  it('never fall, over days, weekends and cycles', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 0, max: 900 }), (v, n) => {
        let odometer = 0;
        let hours = 0;
        let used = 0;
        for (const row of byTime(telemetry.snapshots(v, since + n * day, since + (n + 3) * day))) {
          if (row.odometerKm < odometer || row.engineHours < hours) throw new Error(`falls at ${row.timestamp}`);
          odometer = row.odometerKm;
          hours = row.engineHours;
          const total = row.canBus?.canhrFuelUsed;
          if (total === undefined) continue;
          if (total < used) throw new Error(`fuel used falls at ${row.timestamp}`);
          used = total;
        }
        let last = 0;
        for (let d = 0; d < 90; d++) {
          const now = telemetry.latest(v, since + (n + d) * day)?.odometerKm ?? last;
          expect(now).toBeGreaterThanOrEqual(last);
          last = now;
        }
      }),
      { numRuns: runs(40) },
    );
  });

  it('grow by exactly what the trips add, over more than a year', () => {
    for (const kind of kindNames) {
      const v = vehicle(`sum-${kind}`, kind);
      const from = monday;
      const to = monday + 400 * day;
      let metres = 0;
      let engineMs = 0;
      for (const trip of telemetry.trips(v, from, to)) {
        metres += Math.round(trip.distanceKm * 1000);
        engineMs += trip.end - trip.start;
      }
      const first = telemetry.latest(v, from);
      const last = telemetry.latest(v, to);
      expect(((last?.odometerKm ?? 0) - (first?.odometerKm ?? 0)) * 1000).toBeCloseTo(metres, 0);
      expect((last?.engineHours ?? 0) - (first?.engineHours ?? 0)).toBeCloseTo(engineMs / hour, 3);
    }
  });
});

describe('the fleet', () => {
  it('stays near its region on the ground', () => {
    for (const region of regions)
      for (const kind of kindNames) {
        const v = vehicle(`near-${kind}`, kind, region.name);
        for (const row of freshFixes([...telemetry.snapshots(v, monday, monday + day)])) {
          if (row.gps) expect(greatCircle(row.gps, region)).toBeLessThan(56_000);
          expect(row.locationTimeZone).toBe(region.timeZone);
        }
      }
  });

  it('reports as often as fleets of this kind do', () => {
    const perDay = (kind: (typeof kindNames)[number], at: number): number => {
      let rows = 0;
      for (let i = 0; i < 20; i++)
        for (const _ of telemetry.snapshots(vehicle(`busy-${i}`, kind, regions[i % 6]?.name), at, at + day)) rows++;
      return rows / 20;
    };
    const [car, van, truck] = kindNames.map((kind) => perDay(kind, monday + day));
    expect(car).toBeGreaterThan(350);
    expect(van).toBeGreaterThan((car ?? 0) * 1.5);
    expect(truck).toBeGreaterThan(5000);
    expect(truck).toBeLessThan(11_000);
    for (const kind of kindNames) expect(perDay(kind, monday + 6 * day)).toBeLessThan(300);
  });

  it('works by local time: summer time moves the day an hour earlier in UTC', () => {
    const starts = (from: number): number[] =>
      [...telemetry.trips(vehicle('clock', 'van'), from, from + 56 * day)]
        .filter((trip, i, all) => trip.start - (all[i - 1]?.end ?? 0) > 5 * hour)
        .map(({ start }) => (start % day) / hour);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const shift = mean(starts(Date.UTC(2026, 0, 5))) - mean(starts(Date.UTC(2026, 5, 1)));
    expect(shift).toBeGreaterThan(0.6);
    expect(shift).toBeLessThan(1.4);
  });
});

describe('the roads', () => {
  const day1 = monday + day;
  const positions = (id: string, kind: (typeof kindNames)[number], place?: number) => {
    const rows = freshFixes([...telemetry.snapshots(vehicle(id, kind, 'Warsaw', place), day1, day1 + day)]);
    return rows.flatMap(({ gps }) => (gps === null || gps.speed < 55 ? [] : [gps]));
  };

  it('are those of all vehicles of the region: where one drives, others have driven', () => {
    const others = kindNames.flatMap((kind) => ['a', 'b', 'c', 'd'].flatMap((id) => positions(`roads-${id}`, kind)));
    const own = positions('roads-own', 'van');
    expect(own.length).toBeGreaterThan(300);
    const sharedPositions = own.filter((here) => others.some((there) => greatCircle(here, there) < 300));
    expect(sharedPositions.length / own.length).toBeGreaterThan(0.85);
  });

  // Cars have too few customers in a day.
  it.each(['van', 'truck'] as const)('lead a %s from one customer to one nearby, and not across the region', (kind) => {
    let [driven, anyOrder] = [0, 0];
    for (let i = 0; i < 8; i++) {
      const stops = [...telemetry.trips(vehicle(`order-${i}`, kind, 'Warsaw'), day1, day1 + day)].map(
        ({ endPosition }) => endPosition,
      );
      const between = stops.map((from, n) => stops.map((to, m) => (n === m ? 0 : greatCircle(from, to))));
      between.forEach((distances, n) => {
        driven += distances[n + 1] ?? 0;
        anyOrder += distances.reduce((sum, distance) => sum + distance, 0) / stops.length;
      });
    }
    expect(driven / anyOrder).toBeLessThan(0.85);
  });

  it('lead a shuttle to several terminals, so that its hours differ', () => {
    for (const region of regions)
      for (const place of [1, 6, 11]) {
        const shuttle = vehicle(`shuttle-${place}`, 'truck', region.name, place);
        const trips = [...telemetry.trips(shuttle, day1, day1 + day - hour)];
        expect(trips.length).toBeGreaterThanOrEqual(22);
        for (const { distanceKm, start, end } of trips) {
          expect(distanceKm).toBeGreaterThan(30);
          expect(distanceKm).toBeLessThan(56);
          expect(end - start).toBeLessThan(56 * minute);
        }
        expect(new Set(trips.map(({ distanceKm }) => Math.round(distanceKm * 10))).size).toBeGreaterThanOrEqual(2);
      }
  });
});
