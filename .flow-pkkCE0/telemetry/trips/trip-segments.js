import { DAY_MS, momentAt, offsetAt, zoneNamed } from "../../core/time-zone.js";
const UTC = "UTC";
class TripSegments {
  #zone = UTC;
  #nextDay;
  #segments;
  constructor(start) {
    this.#segments = [{ driverId: null, from: start, before: { ms: 0, km: 0, movingMs: 0, idleMs: 0 } }];
    this.#nextDay = dayAfter(start, UTC);
  }
  get driverId() {
    return this.#segments.at(-1)?.driverId ?? null;
  }
  /** The next local midnight, in milliseconds since 1970. */
  get nextDay() {
    return this.#nextDay;
  }
  /** Days are those of this zone from now on, if there is such a zone. */
  takeZone(name, time) {
    this.#zone = zoneNamed(name) ?? UTC;
    this.#nextDay = dayAfter(time, this.#zone);
  }
  /** The trip goes on after midnight. */
  beginDay(before) {
    this.#segments.push({ driverId: this.driverId, from: this.#nextDay, before });
    this.#nextDay = dayAfter(this.#nextDay, this.#zone);
  }
  /** A driver who was not the last one. What nobody drove before counts as the first driver's. */
  takeDriver(driverId, time, before) {
    if (this.driverId !== null) this.#segments.push({ driverId, from: time, before });
    else for (const segment of this.#segments) segment.driverId = driverId;
  }
  /** Leaves out what lies before this time. */
  countFrom(time, before) {
    this.#segments = [{ driverId: this.driverId, from: time, before }];
    this.#nextDay = dayAfter(time, this.#zone);
  }
  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toSegments(end, sums) {
    const segments = this.#segments.filter(({ from, driverId }, index) => {
      const before = this.#segments[index - 1];
      if (before === void 0 || end === null || from < end) return true;
      return from === end && driverId !== before.driverId;
    });
    const found = [];
    let [next, after] = [end, sums];
    for (const { driverId, from, before } of segments.reverse()) {
      const begin = segments.length === found.length + 1 ? before : least(before, after);
      found.push({
        driverId,
        day: timeText(from + offsetAt(from, this.#zone)).slice(0, 10),
        startedAt: timeText(from),
        endedAt: next === null ? null : timeText(next),
        durationSeconds: difference(after.ms / 1e3, begin.ms / 1e3, 10),
        distanceKm: difference(after.km, begin.km, 1e3),
        movingSeconds: difference(after.movingMs / 1e3, begin.movingMs / 1e3, 10),
        idleSeconds: difference(after.idleMs / 1e3, begin.idleMs / 1e3, 10)
      });
      [next, after] = [from, begin];
    }
    return found.reverse();
  }
}
function least(one, other) {
  return {
    ms: Math.min(one.ms, other.ms),
    km: Math.min(one.km, other.km),
    movingMs: Math.min(one.movingMs, other.movingMs),
    idleMs: Math.min(one.idleMs, other.idleMs)
  };
}
function dayAfter(time, zone) {
  const wall = time + offsetAt(time, zone);
  return momentAt((Math.floor(wall / DAY_MS) + 1) * DAY_MS, zone);
}
function timeText(time) {
  return new Date(time).toISOString();
}
function difference(value, before, factor) {
  return rounded(rounded(value, factor) - rounded(before, factor), factor);
}
function rounded(value, factor) {
  return Math.round(value * factor) / factor;
}
export {
  TripSegments,
  difference,
  rounded
};
