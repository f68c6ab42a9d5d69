import { dayMs, hourMs, minuteMs } from "../core/durations.js";
const cycleDays = 28;
const firstMonday = 4;
const cycleMs = cycleDays * dayMs;
const blockSize = 25;
const shuttleRunMs = hourMs;
const shuttleLoadingMs = 81e4;
const shortestShuttleEngineMs = 52 * minuteMs;
const longestShuttleEngineMs = 54.5 * minuteMs;
const maxShuttleDelayMs = 4e4;
const failurePlaces = [10, 12, 13, 14, 15, 17, 18, 19, 20, 22, 23, 24];
const failureIntervalMs = cycleMs / failurePlaces.length;
const failureDurationMs = 84 * hourMs;
const firstFailureMs = -2.5 * hourMs;
const onCallPlace = 5;
function dutyFor(kind, place) {
  const placeInBlock = place % blockSize;
  const blockNumber = Math.floor(place / blockSize);
  const isShuttle = kind === "truck" && placeInBlock % 5 === 1;
  const departure = Math.floor(placeInBlock / 5) * 2 % 5 * 12 + blockNumber * 7;
  const failureOrder = isShuttle ? -1 : failurePlaces.indexOf(placeInBlock);
  return {
    shuttleDepartureMs: isShuttle ? departure % 60 * minuteMs : null,
    isOnCall: kind === "van" && placeInBlock === onCallPlace,
    failureOffsetMs: failureOrder < 0 ? null : firstFailureMs + (failureOrder + blockNumber * 5) % failurePlaces.length * failureIntervalMs,
    workedWeekends: placeInBlock % 9 >= 4 ? 1 : 0
  };
}
function failureDuring({ failureOffsetMs: failureAt }, time) {
  if (failureAt === null) return null;
  const since = time - firstMonday * dayMs - failureAt;
  const sinceFailure = since - Math.floor(since / cycleMs) * cycleMs;
  return sinceFailure < failureDurationMs ? { from: time - sinceFailure, to: time - sinceFailure + failureDurationMs } : null;
}
function failsWithin(duty, from, to) {
  if (failureDuring(duty, from) !== null) return true;
  const last = failureDuring(duty, to);
  return last !== null || to - from >= failureDurationMs && failureDuring(duty, to - failureDurationMs) !== null;
}
export {
  cycleDays,
  dutyFor,
  failsWithin,
  failureDuring,
  firstMonday,
  longestShuttleEngineMs,
  maxShuttleDelayMs,
  shortestShuttleEngineMs,
  shuttleLoadingMs,
  shuttleRunMs
};
