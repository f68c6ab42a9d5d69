/**
 * Who works when. It follows from a vehicle's place in its fleet, not from chance: chance would leave some hour of some
 * week with nobody on the road. Of every 25 vehicles
 *
 * - five trucks drive a line round the clock, an hour a run, and leave twelve minutes after one another. A run is loading
 *   with the engine on, the drive, and a rest, so that at any moment three of the five are under way and one is loading;
 * - a van is on call in the evening and at night;
 * - twelve have a device that fails for three and a half days every four weeks, one after the other, and stay in the yard
 *   meanwhile; at any moment one of them has been silent for more than a day;
 * - half of those that do not drive a line work on any weekend.
 */
import type { VehicleKind } from './rows.js';

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The roster repeats every four weeks, counted from 5 January 1970, the first Monday. */
export const cycleDays = 28;
export const firstMonday = 4;
const cycleMs = cycleDays * dayMs;

/** Vehicles among which everything of the roster is found once. */
const block = 25;

/** Time from one departure of a line's truck to the next, and how much of it passes with loading, the engine running. */
export const lineRunMs = hourMs;
export const lineLoadingMs = 810_000;
/** At the steady speed of a truck on a main road the drive takes 39 to 40 minutes. */
export const lineMetres = 55_000;
/** Departures are late by less than this. */
export const lineDelayMs = 40_000;

/** Places of the vehicles whose devices fail, in the order in which they do. */
const failing = [10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24];
const failureEveryMs = cycleMs / failing.length;
const failureMs = 84 * hourMs;
/** Between the end of one working day and the beginning of the next, so that no day is lost for an hour's failure. */
const firstFailureMs = -2.5 * hourMs;

const onCallPlace = 5;

export interface Duty {
  /** When in the hour the line's truck departs; null when it drives no line. */
  readonly lineMs: number | null;
  readonly onCall: boolean;
  /** When in the four weeks the device fails; null when it never does. */
  readonly failureAt: number | null;
  /** Whether it is the even or the odd weekends of the four that it works, unless the device fails then. */
  readonly weekends: 0 | 1;
}

export function dutyOf(kind: VehicleKind, place: number): Duty {
  const seat = place % block;
  const number = Math.floor(place / block);
  const line = kind === 'truck' && seat % 5 === 1;
  // Two steps of twelve minutes at a time: the first two trucks take turns even where they are the only ones.
  const departure = ((Math.floor(seat / 5) * 2) % 5) * 12 + number * 7;
  const turn = line ? -1 : failing.indexOf(seat);
  return {
    lineMs: line ? (departure % 60) * minuteMs : null,
    onCall: kind === 'van' && seat === onCallPlace,
    failureAt: turn < 0 ? null : firstFailureMs + ((turn + number * 5) % failing.length) * failureEveryMs,
    weekends: seat % 9 >= 4 ? 1 : 0,
  };
}

/** A stretch of time: from its first millisecond up to, not including, its end. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The failure of the device that holds a moment, or null when the device works. */
export function failureHolding({ failureAt }: Duty, time: number): Stretch | null {
  if (failureAt === null) return null;
  const since = time - firstMonday * dayMs - failureAt;
  const into = since - Math.floor(since / cycleMs) * cycleMs;
  return into < failureMs ? { from: time - into, to: time - into + failureMs } : null;
}

/** Whether the device fails at some time of a stretch that is shorter than the time between two failures. */
export function failsWithin(duty: Duty, from: number, to: number): boolean {
  if (failureHolding(duty, from) !== null) return true;
  const last = failureHolding(duty, to);
  return last !== null || (to - from >= failureMs && failureHolding(duty, to - failureMs) !== null);
}
