// Quirks of counters: the odometer, and the fuel used.
import { type DeviceRow, each, put, type Quirk, rounded } from './device.js';
import type { Moment } from './route.js';

const odometer = (value: (km: number, moment: Moment, row: DeviceRow, at: number) => number | null): Quirk =>
  put('canBus', (moment, _, row, at) => ({ canDistance: value(moment.odometerKm, moment, row, at) }));

export const noOdometer = odometer(() => null);
/** Reports in steps of `km`. */
export const odometerInSteps = (km: number) => odometer((value) => rounded(Math.floor(value / km) * km, 1000));
export const odometerTimes = (factor: number) => odometer((value) => rounded(value * factor, 1000));
export const odometerZero = odometer(() => 0);
export const odometerFrozen = odometer(() => 81_234.5);
/** Freezes from the middle of each trip until the next one begins. */
export const odometerFreezesHalfway: Quirk = (all, random) => {
  const startsOf = new Map<Moment, number>();
  const endsOf = new Map<number, number>();
  let [start, wasOn] = [0, false];
  for (const { moment } of all) {
    if (moment.isOn && !wasOn) start = moment.odometerKm;
    wasOn = moment.isOn;
    startsOf.set(moment, start);
    endsOf.set(start, moment.odometerKm);
  }
  return odometer((km, moment) => {
    const begin = startsOf.get(moment) ?? km;
    return rounded(Math.min(km, (begin + (endsOf.get(begin) ?? km)) / 2), 1000);
  })(all, random);
};
export const odometerZeroNowAndThen = odometer((km, _, __, at) => (at % 7 === 3 ? 0 : rounded(km, 1000)));
export const odometerHalfMissing = odometer((km, _, __, at) => (at % 2 === 0 ? null : rounded(km, 1000)));
export const odometerWhenOffOnly = odometer((km, { isOn }) => (isOn ? null : rounded(km, 1000)));
/** Sent on the bus once in five minutes; the last value is repeated in between. */
export const odometerEveryFiveMinutes: Quirk = (all, random) => {
  let [value, readAt] = [0, Number.NEGATIVE_INFINITY];
  return odometer((km, { time }) => {
    if (time - readAt >= 300_000) [value, readAt] = [rounded(km, 1000), time];
    return value;
  })(all, random);
};
/** Restarts from zero at this many kilometres. */
export const odometerRestartsAt = (km: number) => odometer((value) => rounded(value % km, 1000));
/** Is corrected by this much. */
export const odometerJumps = (km: number, after: number) =>
  odometer((value) => rounded(value > after ? value + km : value, 1000));
/** Two sources alternate, some kilometres apart. */
export const odometerOfTwoSources = odometer((km, _, __, at) => rounded(at % 2 === 0 ? km : km + 12, 1000));
/** One row in nine is 400 m behind. */
export const odometerGoesBack = odometer((km, _, __, at) => rounded(at % 9 === 4 ? km - 0.4 : km, 1000));
/** Worn tyres. */
export const odometerThreePercentShort = odometer((km) => rounded(81_234.5 + (km - 81_234.5) * 0.97, 1000));

const fuel = (
  values: (row: NonNullable<DeviceRow['canBus']>, at: number) => Partial<NonNullable<DeviceRow['canBus']>>,
) => put('canBus', (_, __, row, at) => (row.canBus === null ? {} : values(row.canBus, at)));

export const tripFuelZero = fuel(() => ({ canTripFuelUsed: 0 }));
export const tripFuelFrozen = fuel(() => ({ canTripFuelUsed: 3.4 }));
export const tripFuelZeroNowAndThen = fuel(({ canTripFuelUsed }, at) => ({
  canTripFuelUsed: at % 7 === 3 ? 0 : canTripFuelUsed,
}));
/** A new engine computer: the total restarts from 0 at this many litres. */
export const totalFuelRestartsAt = (litres: number) =>
  put('canBus', (moment) => ({
    canhrFuelUsed: rounded(moment.litres % litres, 1000),
    canFuelUsed: rounded(moment.litres % litres, 2),
  }));
/** The trip counter restarts from 0 every half hour. */
export const tripFuelRestarts: Quirk = (all, random) => {
  let [startedAt, litresAtStart] = [Number.NEGATIVE_INFINITY, 0];
  return put('canBus', ({ litres, time }) => {
    if (time - startedAt >= 1_800_000) [startedAt, litresAtStart] = [time, litres];
    return { canTripFuelUsed: rounded(litres - litresAtStart, 10) };
  })(all, random);
};
export const fuelHalfMissing = fuel((values, at) =>
  at % 2 === 0 ? {} : { ...values, canTripFuelUsed: null, canhrFuelUsed: null, canFuelUsed: null },
);
export const tripFuelOnly = fuel(() => ({ canhrFuelUsed: null, canFuelUsed: null }));
export const totalFuelOnly = fuel(() => ({ canTripFuelUsed: null, canhrFuelUsed: null }));
/**
 * Positions come every ten seconds, and counters once a minute, in rows that repeat the last
 * position. `isReadAtEnds`: also two seconds after the ignition changes. Needs a row for each
 * second.
 */
export const countersInRowsOfTheirOwn =
  (isReadAtEnds: boolean): Quirk =>
  (all) => {
    let [readAt, last, wasOn]: [number, DeviceRow['gps'], boolean] = [Number.NEGATIVE_INFINITY, null, false];
    return all.flatMap(({ moment, row }) => {
      const hasChanged = moment.isOn !== wasOn;
      wasOn = moment.isOn;
      if (hasChanged && moment.isOn) readAt = moment.time - (isReadAtEnds ? 58_000 : 25_000);
      if (hasChanged || !moment.isOn || moment.time % 10_000 === 0) {
        last = row.gps;
        const after = new Date(moment.time + 2_000).toISOString();
        const isEnd = hasChanged && !moment.isOn && isReadAtEnds;
        return [
          { moment, row: { ...row, canBus: null } },
          ...(isEnd ? [{ moment, row: { ...row, timestamp: after } }] : []),
        ];
      }
      if (moment.time - readAt < 60_000) return [];
      readAt = moment.time;
      return { moment, row: { ...row, gps: last } };
    });
  };
/** A receiver without a connection to the vehicle's bus. */
export const noBus: Quirk = each((row) => ({ ...row, canBus: null }));
