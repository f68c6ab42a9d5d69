// Which vehicles work when. This follows from a vehicle's place in its fleet and not from chance, so that vehicles drive at every hour
// of every week. Of every 25 vehicles
//
// - five trucks are shuttles: they drive round the clock, one run an hour, and depart 12 minutes apart. A run is loading with the
//   engine on, the drive, and a rest, so that at any time three of the five are driving and one is loading;
// - one van is on call in the evening and at night;
// - twelve have a device that fails for three and a half days every four weeks, one after the other. They do not drive meanwhile.
//   At any time one of them has been silent for more than a day;
// - half of those that are not shuttles work on any given weekend.
import { dayMs, hourMs, minuteMs } from '../core/durations.js';
import type { VehicleKind } from './types.js';

/** The roster repeats every four weeks, counted from 5 January 1970, which was the first Monday since 1970. */
export const cycleDays = 28;
export const firstMonday = 4;
const cycleMs = cycleDays * dayMs;

/** How many vehicles have every duty of the roster among them. */
const blockSize = 25;

/** Time between two departures of a shuttle, and how much of it the shuttle is loaded with the engine on. */
export const shuttleRunMs = hourMs;
export const shuttleLoadingMs = 810_000;
/** A run is as long as the engine may be on: 38 to 41 minutes of driving after the loading. */
export const shortestShuttleEngineMs = 52 * minuteMs;
export const longestShuttleEngineMs = 54.5 * minuteMs;
/** A departure is late by less than this. */
export const maxShuttleDelayMs = 40_000;

/** Places of the vehicles whose devices fail, in the order of the failures. */
const failurePlaces = [10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24];
const failureIntervalMs = cycleMs / failurePlaces.length;
const failureDurationMs = 84 * hourMs;
/** Failures begin and end at night, so that a working day is either free of them or lost. */
const firstFailureMs = -2.5 * hourMs;

const onCallPlace = 5;

export interface Duty {
  /** When a shuttle departs, after the full hour; null for other vehicles. */
  readonly shuttleDepartureMs: number | null;
  readonly isOnCall: boolean;
  /** When the device fails, after the start of the cycle; null when it never fails. */
  readonly failureOffsetMs: number | null;
  /** Whether the vehicle works on the even or the odd weekends of the cycle, unless its device fails then. */
  readonly workedWeekends: 0 | 1;
}

export function dutyFor(kind: VehicleKind, place: number): Duty {
  const placeInBlock = place % blockSize;
  const blockNumber = Math.floor(place / blockSize);
  const isShuttle = kind === 'truck' && placeInBlock % 5 === 1;
  // Departures are two steps of 12 minutes apart, so that in a small fleet the first two shuttles alternate.
  const departure = ((Math.floor(placeInBlock / 5) * 2) % 5) * 12 + blockNumber * 7;
  const failureOrder = isShuttle ? -1 : failurePlaces.indexOf(placeInBlock);
  return {
    shuttleDepartureMs: isShuttle ? (departure % 60) * minuteMs : null,
    isOnCall: kind === 'van' && placeInBlock === onCallPlace,
    failureOffsetMs:
      failureOrder < 0
        ? null
        : firstFailureMs + ((failureOrder + blockNumber * 5) % failurePlaces.length) * failureIntervalMs,
    workedWeekends: placeInBlock % 9 >= 4 ? 1 : 0,
  };
}

/** A span of time that includes its start and excludes its end. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The failure of the device at a time; null when the device works. */
export function failureDuring({ failureOffsetMs: failureAt }: Duty, time: number): TimeSpan | null {
  if (failureAt === null) return null;
  const since = time - firstMonday * dayMs - failureAt;
  const sinceFailure = since - Math.floor(since / cycleMs) * cycleMs;
  return sinceFailure < failureDurationMs
    ? { from: time - sinceFailure, to: time - sinceFailure + failureDurationMs }
    : null;
}

/** Whether the device fails during a span that is shorter than the time between two failures. */
export function failsWithin(duty: Duty, from: number, to: number): boolean {
  if (failureDuring(duty, from) !== null) return true;
  const last = failureDuring(duty, to);
  return last !== null || (to - from >= failureDurationMs && failureDuring(duty, to - failureDurationMs) !== null);
}
