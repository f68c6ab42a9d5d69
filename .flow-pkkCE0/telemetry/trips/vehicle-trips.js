import { Readings, readFlag } from "../readings.js";
import { AROUND_MS, OpenTrip, speedOf } from "./open-trip.js";
const LEFT_ITS_PLACE_KM = 0.3;
const ENOUGH_MOVES = 4;
const FAR_AWAY_KM = 2;
class VehicleTrips {
  #options;
  #limits;
  #clip;
  #trip = null;
  /** When the ignition went off, while the trip may still continue. */
  #offSince = null;
  #lastTime = null;
  #hasSeenOff;
  /** Since when no trip has been in progress, as far as the snapshots say. */
  #parkedSince;
  #isWhole = false;
  /** The last snapshots with the vehicle off: their counters are those of the start of the next trip. */
  #offBefore = [];
  /** Of the trip in progress by movement: snapshots in which the vehicle moves, and whether its ignition is off in one. */
  #moves = 0;
  #isSaidToBeOff = false;
  /** The first snapshot after the clip. */
  #nextAfterClip = null;
  /** The snapshots after the clip with the ignition off, while the trip inside of it may have ended. */
  #offAfterClip = [];
  /** What lies inside of the clip of a trip that may be none. */
  #part = null;
  /** The end of the clip has been reached. */
  #isDone = false;
  constructor(options) {
    this.#options = options;
    this.#limits = options.limits;
    this.#clip = options.clip;
    this.#hasSeenOff = options.isFreeBefore;
    this.#parkedSince = options.isFreeBefore ? Number.NEGATIVE_INFINITY : null;
  }
  /** The trip in progress; null when there is none. */
  get tripInProgress() {
    if (this.#trip === null) return null;
    return { start: this.#trip.start, isWhole: this.#isWhole, offSince: this.#offSince, unchangedSince: null };
  }
  /** Whether there is one, and the vehicle does not only seem to move. */
  get isInRealTrip() {
    return this.#trip !== null && this.#isReal(this.#trip);
  }
  /** Whether no trip was in progress at this time, after the last snapshot. A short ignition-off alone does not say so. */
  isParkedAt(time) {
    return this.#trip === null && this.#hasEndedBefore(time);
  }
  #hasEndedBefore(time) {
    return this.#parkedSince !== null && time - this.#parkedSince >= this.#limits.closeAfterMs;
  }
  /** Takes the next snapshot and returns the trip that it ends, or null. `isOn`: null when the snapshot does not say it. */
  take(time, row, isOn) {
    if (this.#isDone) return null;
    const ended = this.#endIfOverBefore(time);
    this.#lastTime = time;
    if (isOn === false || isOn === null && (this.#trip === null || this.#offSince !== null)) this.#holdOff(time, row);
    if (this.#clip !== null) {
      if (time >= this.#clip.to) {
        this.#nextAfterClip ??= { time, row };
        if (this.#offSince !== null && isOn !== true) {
          this.#offAfterClip.push({ time, row });
          return null;
        }
        const trip = this.#trip;
        if (trip !== null && !this.#hasLeft(trip))
          return ended ?? this.#waitUntilItHasLeft(trip, this.#clip, time, row, isOn);
        const inside = this.#cut(this.#clip, this.#nextAfterClip);
        return ended ?? inside;
      }
      if (time >= this.#clip.from) this.#trip?.countFrom(this.#clip.from, { time, row });
    }
    if (this.#trip === null) {
      if (isOn === false) {
        this.#hasSeenOff = true;
        this.#parkedSince ??= time;
      }
      if (isOn === true) this.#begin(time, row, this.#hasSeenOff || ended !== null);
      return ended;
    }
    this.#note(row, isOn);
    if (isOn === true) this.#offSince = null;
    if (isOn === false && this.#offSince === null) {
      this.#offSince = time;
      this.#trip.take(time, row, this.#options.by === "movement");
      this.#hasSeenOff = true;
    } else if (this.#offSince === null) this.#trip.take(time, row, true);
    else this.#trip.takeOff(time, row);
    return ended;
  }
  #begin(time, row, isKnown) {
    const { vehicleId, readings, by } = this.#options;
    this.#isWhole = this.#hasEndedBefore(time);
    this.#parkedSince = null;
    this.#trip = new OpenTrip({ vehicleId, time, isKnown, by }, this.#limits, readings);
    this.#takeCountersBefore(this.#trip, time);
    this.#trip.take(time, row, true);
    this.#offSince = null;
    this.#moves = 0;
    this.#isSaidToBeOff = false;
    this.#note(row, true);
  }
  #holdOff(time, row) {
    const held = this.#offBefore;
    while (held[0] !== void 0 && time - held[0].time > AROUND_MS) held.shift();
    held.push({ time, row });
  }
  #takeCountersBefore(trip, start) {
    const longest = Math.min(AROUND_MS, this.#limits.closeAfterMs);
    const before = this.#offBefore.filter(({ time }) => start - time <= longest);
    const lastMoving = before.findLastIndex(({ row }) => this.#isMoving(row));
    for (const { row } of before.slice(lastMoving + 1)) trip.takeBefore(row);
    this.#offBefore = [];
  }
  #isMoving(row) {
    const hasFix = readFlag(row.gps?.state) !== false;
    return (speedOf(row, hasFix, this.#limits.fastestKmh, new Readings()) ?? 0) >= this.#limits.movingKmh;
  }
  #endIfOverBefore(time) {
    const trip = this.#trip;
    if (trip === null) return null;
    if (this.#offSince !== null) {
      const by = this.#options.by === "movement" ? "stop" : "ignition";
      return time - this.#offSince < this.#limits.closeAfterMs ? null : this.#end(trip, this.#offSince, by);
    }
    if (this.#lastTime === null || time - this.#lastTime < this.#limits.silenceMs) return null;
    return this.#end(trip, this.#lastTime, "silence");
  }
  /** The trip goes on beyond the clip: what lies inside of it. */
  #cut({ from, to }, next) {
    const trip = this.#trip;
    this.#trip = null;
    this.#isDone = true;
    if (trip === null) return null;
    trip.countFrom(from, next);
    if (this.#part !== null) return this.#part;
    return this.#hasLeft(trip) ? trip.cutAt(to, next) : null;
  }
  /** The trip by movement goes on beyond the clip, but only what follows shows whether it is one. */
  #waitUntilItHasLeft(trip, { from, to }, time, row, isOn) {
    if (this.#part === null) {
      trip.countFrom(from, this.#nextAfterClip);
      this.#part = trip.cutAt(to, this.#nextAfterClip);
    }
    this.#note(row, isOn);
    this.#offSince = isOn === false ? time : null;
    trip.take(time, row, true);
    if (!this.#hasLeft(trip)) return null;
    this.#trip = null;
    this.#isDone = true;
    return this.#part;
  }
  #end(trip, time, by) {
    this.#trip = null;
    this.#offSince = null;
    this.#parkedSince = Number.NEGATIVE_INFINITY;
    if (this.#part !== null) this.#isDone = true;
    for (const off of this.#offAfterClip) trip.takeOff(off.time, off.row);
    return this.#isReal(trip) ? this.#part ?? trip.toTrip({ time, by }) : null;
  }
  #note(row, isOn) {
    if (this.#options.by === "ignition") return;
    if (isOn === true) this.#moves++;
    this.#isSaidToBeOff ||= readFlag(row.ignition?.engineStatus) === false;
  }
  /** A vehicle that only seems to move stays where it is. */
  #isReal(trip) {
    return this.#hasLeft(trip) && (!this.#isSaidToBeOff || this.#moves >= ENOUGH_MOVES || trip.reachKm >= FAR_AWAY_KM);
  }
  #hasLeft(trip) {
    return this.#options.by === "ignition" || trip.reachKm >= LEFT_ITS_PLACE_KM;
  }
  /** The last trip, when there are no more snapshots before `until` (null: at all). It has ended by then or is open; or null. */
  finish(until) {
    if (this.#isDone) return null;
    const ended = until === null ? null : this.#endIfOverBefore(until);
    if (ended !== null) return ended;
    if (this.#clip !== null) {
      const { from, to } = this.#clip;
      if (this.#offSince !== null && this.#offSince < from) return null;
      if (until !== null && until >= to) return this.#cut(this.#clip, null);
      this.#trip?.countFrom(from, null);
    }
    return this.#trip !== null && this.#isReal(this.#trip) ? this.#trip.toTrip(null) : null;
  }
}
export {
  LEFT_ITS_PLACE_KM,
  VehicleTrips
};
