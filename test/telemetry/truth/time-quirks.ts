// Quirks of time: when rows are made, their timestamps, and the order of their arrival.
import { type DeviceRow, each, put, type Quirk, type Report } from './device.js';
import type { Moment } from './route.js';

const hour = 3_600_000;

/** No rows for some hours, from some seconds after the first start. */
export const silentFor =
  (hours: number, afterSeconds: number): Quirk =>
  (all) => {
    const driveOff = all.find(({ moment }) => moment.speedKmh > 0)?.moment.time ?? 0;
    const begin = driveOff + afterSeconds * 1000;
    return all.filter(({ moment: { time } }) => time <= begin || time >= begin + hours * hour);
  };
/** Nothing is sent while the vehicle stands with the ignition on. */
export const silentWhileStanding: Quirk = (all) => all.filter(({ moment }) => !moment.isOn || moment.speedKmh > 0);
/** A device without battery: off while parked, and its last row reports movement. */
export const offWhileParked: Quirk = (all) => all.filter(({ moment }) => moment.isOn);
/** The last minutes of each trip are lost in a basement, and so is the parked time. */
export const basement =
  (seconds: number): Quirk =>
  (all) => {
    const offTimes = all
      .filter(({ moment }, at) => !moment.isOn && all[at - 1]?.moment.isOn)
      .map(({ moment }) => moment.time);
    return all.filter(
      ({ moment: { isOn, time } }) => isOn && !offTimes.some((off) => time >= off - seconds * 1000 && time <= off),
    );
  };
/** Some rows are late by up to this many seconds. */
export const late =
  (seconds: number): Quirk =>
  (all, random) =>
    all
      .map((report) => ({
        report,
        arrives: report.moment.time + (random.next() < 0.3 ? random.next() * seconds * 1000 : 0),
      }))
      .sort((one, other) => one.arrives - other.arrives)
      .map(({ report }) => report);
/** Rows are sent in batches, the newest first. */
export const batchesNewestFirst =
  (rows: number): Quirk =>
  (all) =>
    all.flatMap((_, at) => (at % rows === 0 ? all.slice(at, at + rows).reverse() : []));
/** A row per distance while driving, one in five minutes at rest. */
export const perDistance =
  (metres: number): Quirk =>
  (all) => {
    let [lastKm, lastTime, wasOn] = [Number.NEGATIVE_INFINITY, 0, false];
    return all.filter(({ moment: { odometerKm, time, isOn } }) => {
      const isDue = odometerKm - lastKm >= metres / 1000 || time - lastTime >= 300_000 || isOn !== wasOn;
      wasOn = isOn;
      if (isDue) [lastKm, lastTime] = [odometerKm, time];
      return isDue;
    });
  };
export const duplicated: Quirk = (all) => all.flatMap((report) => [report, report]);
/** Two rows of one millisecond: one of the receiver, and one of the bus. */
export const twins: Quirk = (all) =>
  all.flatMap(({ moment, row }): readonly Report[] => [
    { moment, row: { ...row, canBus: null } },
    { moment, row: { ...row, gps: null, driver: null } },
  ]);
const timestamp = (value: (moment: Moment, row: DeviceRow, at: number) => unknown): Quirk =>
  each((row, moment, _, at) => ({ ...row, timestamp: value(moment, row, at) }));
export const epochMilliseconds = timestamp(({ time }) => time);
export const epochSeconds = timestamp(({ time }) => time / 1000);
export const timeWithOffset = timestamp(({ time }) => new Date(time + 5.5 * hour).toISOString().replace('Z', '+05:30'));
export const wholeMinutes = timestamp(({ time }) => new Date(time - (time % 60_000)).toISOString());
/** The clock gains half a minute per hour, and is then set right. */
export const clockSetBack = timestamp(({ time }) => new Date(time + ((time % hour) / hour) * 30_000).toISOString());
export const clockAhead = (days: number) => timestamp(({ time }) => new Date(time + days * 24 * hour).toISOString());
/** Sometimes a row of the year 1980: the clock of a receiver before its first fix. */
export const oldClockNowAndThen = timestamp(({ time }, row, at) =>
  at % 50 === 49 ? new Date(Date.UTC(1980, 0, 6) + (time % (24 * hour))).toISOString() : row.timestamp,
);
/** Sometimes a row 1024 weeks ahead, as when the week counter overflows. */
export const futureClockNowAndThen = timestamp(({ time }, row, at) =>
  at % 50 === 49 ? new Date(time + 1024 * 7 * 24 * hour).toISOString() : row.timestamp,
);
export const numbersAsText: Quirk = put('gps', (_, __, { gps }) => ({
  latitude: String(gps?.latitude),
  longitude: String(gps?.longitude),
  speed: String(gps?.speed),
}));
