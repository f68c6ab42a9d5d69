import { POSITION_NOISE_KM } from "../position-cleaner.js";
import { Motion } from "./motion.js";
const UNSEEN_MS = 15 * 6e4;
const SPEED_MS = 6e4;
const WAY_MS = 3e4;
const BETWEEN_STOPS_MS = 15e3;
const ENOUGH_SPEEDS = 0.9;
class TripTimes {
  /** Kilometres per hour. */
  topSpeed = null;
  #movingKmh;
  #motion;
  #movingMs = 0;
  #idleMs = 0;
  #unseenMs = 0;
  /** While the ignition is off for a moment, until it is on again. */
  #movingWhileOffMs = 0;
  #isOn = true;
  /** Up to when times have been counted. */
  #time;
  /** The time of the last snapshot. */
  #seen;
  /** The share of the time to the next snapshot in which the vehicle moves, once it is known. */
  #share = null;
  #speed = null;
  #hasSpeeds = false;
  #kmBySpeed = 0;
  #withoutSpeedMs = 0;
  constructor(start, movingKmh) {
    this.#time = start;
    this.#seen = start;
    this.#movingKmh = movingKmh;
    this.#motion = new Motion(movingKmh);
  }
  get times() {
    return { movingMs: this.#movingMs, idleMs: this.#idleMs, unseenMs: this.#unseenMs };
  }
  /** Kilometres so far, when the speeds say it. */
  get kmBySpeed() {
    const ms = this.#movingMs + this.#idleMs + this.#unseenMs;
    return this.#withoutSpeedMs > (1 - ENOUGH_SPEEDS) * ms || !this.#hasSpeeds ? null : this.#kmBySpeed;
  }
  /** The time of the last snapshot. */
  get seen() {
    return this.#seen;
  }
  /** True for a vehicle that moves, as far as it is known. */
  get isMoving() {
    return this.#motion.isMoving === true;
  }
  /** Whether the vehicle is not seen between the last snapshot and the next one. */
  isUnseenUntil(next) {
    return next - this.#seen > UNSEEN_MS;
  }
  /** Whether the times up to the next snapshot depend on the way to it. */
  needsWayTo(next) {
    return this.#motion.isMoving !== true || next - this.#seen > SPEED_MS;
  }
  /** Counts the times up to a time at or before the next snapshot. `kmh`: the mean speed so far, when it is known. */
  pass(time, next, kmh) {
    const ms = time - this.#time;
    this.#time = time;
    this.#movingMs += this.#movingWhileOffMs;
    this.#movingWhileOffMs = 0;
    if (ms === 0) return;
    if (this.isUnseenUntil(next.time)) {
      this.#unseenMs += this.#isOn ? ms : 0;
      return;
    }
    this.#share ??= this.#movingShare(next, kmh);
    const movingMs = ms * this.#share;
    this.#movingMs += movingMs;
    if (this.#isOn) this.#idleMs += ms - movingMs;
  }
  /** Takes the next snapshot after its time has passed; `isOn` is the ignition from then on. */
  take({ time, speed }, isOn) {
    this.#takeSpeed(time, speed);
    this.#isOn = isOn;
    if (speed !== null && (this.topSpeed === null || speed > this.topSpeed)) this.topSpeed = speed;
  }
  /** A snapshot with the ignition off, after which the trip may go on. It counts if it does. */
  takeOff(time, speed) {
    if (this.#motion.isMoving === true && !this.isUnseenUntil(time)) this.#movingWhileOffMs += time - this.#time;
    this.#time = time;
    this.#takeSpeed(time, speed);
  }
  /** A believed position. It says what the vehicle has done before, so it comes before its time has passed. */
  takePosition(position) {
    this.#motion.takePosition(position);
  }
  /** The odometer of a snapshot without position and speed, as `takePosition`. */
  takeOdometer(time, km, fastestKmh) {
    this.#motion.takeOdometer(time, km, fastestKmh);
  }
  /**
   * The share of the time from the last snapshot to the next one in which the vehicle moved. Where they are far apart in time, or the vehicle
   * has no speed that counts and is somewhere else then, the way between them says it.
   */
  #movingShare({ time, speed, km }, kmh) {
    const isMoving = this.#motion.isMoving === true;
    const ms = time - this.#seen;
    if (km === null || !isMoving && km <= POSITION_NOISE_KM) return isMoving ? 1 : 0;
    if (this.#isAtRestUntil(time, speed)) return 0;
    const reported = Math.max(this.#speed ?? 0, speed ?? 0);
    const assumed = reported >= this.#movingKmh && reported > 0 ? reported : kmh;
    return assumed === null || assumed <= 0 ? 1 : Math.min(1, km * 36e5 / assumed / ms);
  }
  /**
   * Whether the time to the next snapshot counts as standing, whatever the way: of a device that reports speeds, when the vehicle sets off, or
   * may have driven from one stop to the next. The time after its last speed counts as moving, so both together are right on average.
   */
  #isAtRestUntil(time, speed) {
    const ms = time - this.#seen;
    if (ms > SPEED_MS || this.#speed === null || speed === null || !(this.#motion.hasSpeed || speed > 0)) return false;
    return speed >= this.#movingKmh || ms > BETWEEN_STOPS_MS;
  }
  #takeSpeed(time, speed) {
    const ms = time - this.#seen;
    this.#seen = time;
    this.#share = null;
    if (speed !== null && this.#speed !== null && ms <= WAY_MS) {
      this.#kmBySpeed += (speed + this.#speed) / 2 * (ms / 36e5);
    } else this.#withoutSpeedMs += ms;
    this.#speed = speed;
    this.#hasSpeeds ||= speed !== null;
    this.#motion.takeSpeed(speed);
  }
}
export {
  TripTimes,
  UNSEEN_MS
};
