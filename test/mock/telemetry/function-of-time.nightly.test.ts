/** The telemetry is a pure function of seed, vehicle and time, for queries in any order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GeneratedTelemetry, type TelemetryRow, type WorkUnit } from '../../../src/mock/telemetry/telemetry.js';
import { runs } from '../../runs.js';
import { anyTime, anyVehicle, byTime, day, hour, minute, since, text, vehicle } from './fleet.js';

const telemetry = new GeneratedTelemetry(1);
const within = (rows: readonly TelemetryRow[], from: number, to: number): TelemetryRow[] =>
  rows.filter(({ timestamp }) => timestamp >= from && timestamp <= to);

describe('a pure function', () => {
  it('gives the same rows and trips from any instance with the same seed, in any order of asking', () => {
    fc.assert(
      fc.property(anyVehicle, anyTime, fc.integer(), (v, from, seed) => {
        const one = new GeneratedTelemetry(seed);
        const other = new GeneratedTelemetry(seed);
        const late = [...other.snapshots(v, from + hour, from + 3 * hour)];
        const early = [...other.snapshots(v, from, from + 2 * hour)];
        expect(text(one.snapshots(v, from, from + 2 * hour))).toBe(text(early));
        expect(text(one.snapshots(v, from + hour, from + 3 * hour))).toBe(text(late));
        expect([...one.trips(v, from, from + day)]).toEqual([...other.trips(v, from, from + day)]);
      }),
      { numRuns: runs(25) },
    );
  });

  it('differs by seed and by vehicle', () => {
    const from = Date.UTC(2026, 2, 3);
    const trips = (seed: number, id: string) =>
      JSON.stringify([...new GeneratedTelemetry(seed).trips(vehicle(id), from, from + day)]);
    expect(trips(1, 'a')).not.toBe(trips(2, 'a'));
    expect(trips(1, 'a')).not.toBe(trips(1, 'b'));
    expect(trips(2 ** 40, 'a')).not.toBe(trips(0, 'a'));
  });

  it('agrees row for row where periods overlap, whatever their bounds', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 30 * hour }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(anyVehicle, anyTime, cuts, (v, start, offsets) => {
        const whole = [...telemetry.snapshots(v, start, start + 30 * hour)];
        // Also bounds that fall exactly on a row.
        const onRows = offsets.map((offset) => whole[offset % Math.max(1, whole.length)]?.timestamp ?? start);
        const bounds = [...offsets.map((offset) => start + offset), ...onRows];
        for (let i = 0; i + 1 < bounds.length; i++) {
          const a = bounds[i] ?? start;
          const b = bounds[i + 1] ?? start;
          const [from, to] = a < b ? [a, b] : [b, a];
          expect(text(telemetry.snapshots(v, from, to))).toBe(text(within(whole, from, to)));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('agrees across midnight for every kind and region', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 0, max: 300 }), (v, n) => {
        const midnight = Math.ceil(since / day) * day + n * day;
        const whole = [...telemetry.snapshots(v, midnight - 6 * hour, midnight + 6 * hour)];
        expect(text(telemetry.snapshots(v, midnight, midnight + hour))).toBe(
          text(within(whole, midnight, midnight + hour)),
        );
        const parts = [
          ...telemetry.snapshots(v, midnight - 6 * hour, midnight - 1),
          ...telemetry.snapshots(v, midnight, midnight + 6 * hour),
        ];
        expect(text(byTime(parts))).toBe(text(byTime(whole)));
      }),
      { numRuns: runs(60) },
    );
  });

  it('is mostly but not always in order, and never out of it by more than neighbours', () => {
    const from = Date.UTC(2026, 2, 3);
    const rows = [...telemetry.snapshots(vehicle('order'), from, from + day)];
    let back = 0;
    rows.forEach((row, i) => {
      const before = rows[i - 1];
      if (before === undefined || before.timestamp <= row.timestamp) return;
      back++;
      expect(rows[i - 2]?.timestamp ?? 0).toBeLessThanOrEqual(row.timestamp);
      expect(rows[i + 1]?.timestamp ?? Infinity).toBeGreaterThanOrEqual(before.timestamp);
    });
    expect(back).toBeGreaterThan(5);
    expect(back).toBeLessThan(rows.length / 50);
  });
});

describe('latest', () => {
  it('is the last row of the period that ends there', () => {
    fc.assert(
      fc.property(anyVehicle, anyTime, (v, at) => {
        let expected: TelemetryRow | null = null;
        for (const span of [hour, 2 * day, 30 * day]) {
          for (const row of telemetry.snapshots(v, at - span, at))
            if (expected === null || row.timestamp >= expected.timestamp) expected = row;
          if (expected !== null) break;
        }
        expect(telemetry.latest(v, at)).toEqual(expected);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is the row itself at a row, the one before just before it, and the last of equal ones', () => {
    const from = Date.UTC(2026, 2, 3, 6);
    const v = vehicle('ties');
    const rows = byTime(telemetry.snapshots(v, from, from + 24 * hour));
    const ties = rows.filter((row, i) => row.timestamp === rows[i + 1]?.timestamp);
    expect(ties.length).toBeGreaterThan(2);
    expect(rows.length).toBeGreaterThan(1000);
    rows.forEach((row, i) => {
      const next = rows[i + 1];
      if (i === 0 || next === undefined) return;
      if (next.timestamp > row.timestamp) {
        expect(text([telemetry.latest(v, row.timestamp)])).toBe(text([row]));
        expect(text([telemetry.latest(v, next.timestamp - 1)])).toBe(text([row]));
      }
    });
  });
});

describe('the edges', () => {
  const v = vehicle('edges');

  it('has nothing before the device, and nothing without one', () => {
    expect([...telemetry.snapshots(v, since - 40 * day, since - 1)]).toEqual([]);
    expect([...telemetry.trips(v, since - 40 * day, since - 1)]).toEqual([]);
    expect(telemetry.latest(v, since - 1)).toBeNull();
    const bare = { ...v, hasDevice: false };
    expect([...telemetry.snapshots(bare, since, since + day)]).toEqual([]);
    expect([...telemetry.trips(bare, since, since + day)]).toEqual([]);
    expect(telemetry.latest(bare, since + day)).toBeNull();
  });

  it('does not report a drive that was under way when the device was fitted', () => {
    const drive = [...telemetry.trips(v, since, since + 5 * day)][3];
    if (drive === undefined) throw new Error('no drive');
    const fitted = { ...v, deviceSince: drive.start + 1 };
    const rows = byTime(telemetry.snapshots(fitted, 0, drive.end + day));
    expect(rows[0]?.timestamp).toBeGreaterThan(drive.end);
    expect(telemetry.latest(fitted, drive.end)).toBeNull();
    expect([...telemetry.trips(fitted, 0, drive.end)]).toEqual([]);
  });

  it('has nothing in an empty, reversed or impossible period', () => {
    expect([...telemetry.snapshots(v, since + day, since)]).toEqual([]);
    expect([...telemetry.snapshots(v, Number.NaN, since)]).toEqual([]);
    expect(telemetry.latest(v, Number.NaN)).toBeNull();
  });

  it('gives a vehicle of an unknown region one of the regions', () => {
    const lost = { ...v, region: 'Atlantis' };
    expect([...telemetry.snapshots(lost, since, since + 2 * day)].length).toBeGreaterThan(20);
  });
});

describe('cost', () => {
  function counting() {
    const done = new Map<WorkUnit, number>();
    const counted = new GeneratedTelemetry(3, (work) => done.set(work, (done.get(work) ?? 0) + 1));
    const take = () => {
      const counts = Object.fromEntries(done);
      done.clear();
      return counts;
    };
    return { counted, take };
  }

  it('asks a few units of work for one minute, decades after the device was fitted', () => {
    const { counted, take } = counting();
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 0, max: 30 * 365 * 24 * 60 }), (v, minutes) => {
        const at = since + 20 * 365 * day + minutes * minute;
        take();
        const rows = [...counted.snapshots(v, at, at + minute)];
        const work = take();
        expect(rows.length).toBeLessThan(80);
        // A minute at midnight may touch three days: a night's drive ends in it, another begins.
        expect(work.day ?? 0).toBeLessThanOrEqual(3);
        expect(work.minute ?? 0).toBeLessThanOrEqual(3);
        expect(work.heartbeat ?? 0).toBeLessThanOrEqual(3);
        expect(work.tour ?? 0).toBeLessThanOrEqual(4);
        counted.latest(v, at);
        const last = take();
        expect(last.minute ?? 0).toBeLessThanOrEqual(3);
        expect(last.day ?? 0).toBeLessThanOrEqual(12);
      }),
      { numRuns: runs(200) },
    );
  });

  it('makes rows as they are taken: the first of a year costs no more than a day', () => {
    const { counted, take } = counting();
    const from = Date.UTC(2026, 2, 2);
    const rows = counted.snapshots(vehicle('lazy'), from, from + 365 * day)[Symbol.iterator]();
    for (let i = 0; i < 10; i++) rows.next();
    const work = take();
    expect(work.day).toBeLessThanOrEqual(2);
    expect(work.minute ?? 0).toBeLessThanOrEqual(5);
  });

  it('builds a bounded number of tours however many vehicles there are', () => {
    const { counted, take } = counting();
    for (let i = 0; i < 500; i++) counted.latest(vehicle(`many-${i}`, 'car'), since + 400 * day);
    expect(take().tour ?? 0).toBeLessThanOrEqual(14);
  });
});
