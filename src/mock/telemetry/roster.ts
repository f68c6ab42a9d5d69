// The working times of vehicles, determined by their place in the fleet and not by chance. Vehicles
// therefore drive at every hour of every week. In every 25 vehicles:
//
// - Five trucks are shuttles, departing hourly and 12 minutes apart. A run is loading, driving and
//   a rest, so three of them are always driving and one is loading.
// - One van is on call in the evening and at night.
// - Twelve have a device that fails for three and a half days every four weeks, in turn. They do
//   not drive meanwhile. One of them has always been silent for more than a day.
// - Half of the vehicles other than shuttles work on any given weekend.
import { dayMs, hourMs, minuteMs } from '../core/durations.js';
import type { VehicleKind } from './types.js';

/** The roster repeats every four weeks, from the first Monday since 1970: 5 January 1970. */
export const cycleDays = 28;
export const firstMonday = 4;
const cycleMs = cycleDays * dayMs;

/** Number of vehicles that together cover all duties. */
const blockSize = 25;

/** Time between two departures of a shuttle, and its loading time with the engine on. */
export const shuttleRunMs = hourMs;
export const shuttleLoadingMs = 810_000;
/** Limits of the engine time of a run: 38 to 41 minutes of driving after loading. */
export const shortestShuttleEngineMs = 52 * minuteMs;
export const longestShuttleEngineMs = 54.5 * minuteMs;
/** Upper bound of departure delays. */
export const maxShuttleDelayMs = 40_000;

/** Places of the vehicles with failing devices, in failure order. */
const failurePlaces = [10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24];
const failureIntervalMs = cycleMs / failurePlaces.length;
const failureDurationMs = 84 * hourMs;
/** Failures begin and end at night, so a working day is either unaffected or lost. */
const firstFailureMs = -2.5 * hourMs;

const onCallPlace = 5;

export interface Duty {
  /** Departure of a shuttle after the full hour; null for other vehicles. */
  readonly shuttleDepartureMs: number | null;
  readonly isOnCall: boolean;
  /** Device failure after the cycle's start; null without failures. */
  readonly failureOffsetMs: number | null;
  /** Even or odd weekends of the cycle, except during a failure. */
  readonly workedWeekends: 0 | 1;
}

export function dutyFor(kind: VehicleKind, place: number): Duty {
  const placeInBlock = place % blockSize;
  const blockNumber = Math.floor(place / blockSize);
  const isShuttle = kind === 'truck' && placeInBlock % 5 === 1;
  // Two steps of 12 minutes, so that in a small fleet the first two shuttles alternate.
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

/** A time span that includes its start and excludes its end. */
export interface ShiftSpan {
  readonly from: number;
  readonly to: number;
}

export function failureDuring({ failureOffsetMs: failureAt }: Duty, time: number): ShiftSpan | null {
  if (failureAt === null) return null;
  const since = time - firstMonday * dayMs - failureAt;
  const sinceFailure = since - Math.floor(since / cycleMs) * cycleMs;
  return sinceFailure < failureDurationMs
    ? { from: time - sinceFailure, to: time - sinceFailure + failureDurationMs }
    : null;
}

/** True when the device fails during a span shorter than the time between two failures. */
export function failsWithin(duty: Duty, from: number, to: number): boolean {
  if (failureDuring(duty, from) !== null) return true;
  const last = failureDuring(duty, to);
  return last !== null || (to - from >= failureDurationMs && failureDuring(duty, to - failureDurationMs) !== null);
}
