// How long a vehicle moved, stood with the ignition on, or was not seen in a trip; and its speeds.
import { type Located, POSITION_NOISE_KM } from '../position-cleaner.js';
import { Motion } from './motion.js';

/** What a vehicle did between two snapshots that are farther apart is not known. */
export const UNSEEN_MS = 15 * 60_000;
/** A speed says nothing about a longer time after it. */
const SPEED_MS = 60_000;
/** Two speeds that are farther apart in time do not tell the way between them. */
const WAY_MS = 30_000;
/** In a longer time a vehicle may drive from one stop to the next. */
const BETWEEN_STOPS_MS = 15_000;
/** The way by speeds is known when this share of the time has speeds. */
const ENOUGH_SPEEDS = 0.9;

export interface Times {
  readonly movingMs: number;
  readonly idleMs: number;
  readonly unseenMs: number;
}

/** What is known of the snapshot that follows the last one. */
export interface NextSnapshot {
  readonly time: number;
  /** Kilometres per hour. */
  readonly speed: number | null;
  /** Kilometres from the last snapshot. */
  readonly km: number | null;
}

export class TripTimes {
  /** Kilometres per hour. */
  topSpeed: number | null = null;
  readonly #movingKmh: number;
  readonly #motion: Motion;
  #movingMs = 0;
  #idleMs = 0;
  #unseenMs = 0;
  /** While the ignition is off for a moment, until it is on again. */
  #movingWhileOffMs = 0;
  #isOn = true;
  /** Up to when times have been counted. */
  #time: number;
  /** The time of the last snapshot. */
  #seen: number;
  /** The share of the time to the next snapshot in which the vehicle moves, once it is known. */
  #share: number | null = null;
  #speed: number | null = null;
  #hasSpeeds = false;
  #kmBySpeed = 0;
  #withoutSpeedMs = 0;

  constructor(start: number, movingKmh: number) {
    this.#time = start;
    this.#seen = start;
    this.#movingKmh = movingKmh;
    this.#motion = new Motion(movingKmh);
  }

  get times(): Times {
    return { movingMs: this.#movingMs, idleMs: this.#idleMs, unseenMs: this.#unseenMs };
  }

  /** Kilometres so far, when the speeds say it. */
  get kmBySpeed(): number | null {
    const ms = this.#movingMs + this.#idleMs + this.#unseenMs;
    return this.#withoutSpeedMs > (1 - ENOUGH_SPEEDS) * ms || !this.#hasSpeeds ? null : this.#kmBySpeed;
  }

  /** The time of the last snapshot. */
  get seen(): number {
    return this.#seen;
  }

  /** True for a vehicle that moves, as far as it is known. */
  get isMoving(): boolean {
    return this.#motion.isMoving === true;
  }

  /** Whether the vehicle is not seen between the last snapshot and the next one. */
  isUnseenUntil(next: number): boolean {
    return next - this.#seen > UNSEEN_MS;
  }

  /** Whether the times up to the next snapshot depend on the way to it. */
  needsWayTo(next: number): boolean {
    return this.#motion.isMoving !== true || next - this.#seen > SPEED_MS;
  }

  /** Counts the times up to a time at or before the next snapshot. `kmh`: the mean speed so far, when it is known. */
  pass(time: number, next: NextSnapshot, kmh: number | null): void {
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
  take({ time, speed }: NextSnapshot, isOn: boolean): void {
    this.#takeSpeed(time, speed);
    this.#isOn = isOn;
    if (speed !== null && (this.topSpeed === null || speed > this.topSpeed)) this.topSpeed = speed;
  }

  /** A snapshot with the ignition off, after which the trip may go on. It counts if it does. */
  takeOff(time: number, speed: number | null): void {
    if (this.#motion.isMoving === true && !this.isUnseenUntil(time)) this.#movingWhileOffMs += time - this.#time;
    this.#time = time;
    this.#takeSpeed(time, speed);
  }

  /** A believed position. It says what the vehicle has done before, so it comes before its time has passed. */
  takePosition(position: Located): void {
    this.#motion.takePosition(position);
  }

  /** The odometer of a snapshot without position and speed, as `takePosition`. */
  takeOdometer(time: number, km: number, fastestKmh: number): void {
    this.#motion.takeOdometer(time, km, fastestKmh);
  }

  /**
   * The share of the time from the last snapshot to the next one in which the vehicle moved. Where they are far apart in time, or the vehicle
   * has no speed that counts and is somewhere else then, the way between them says it.
   */
  #movingShare({ time, speed, km }: NextSnapshot, kmh: number | null): number {
    const isMoving = this.#motion.isMoving === true;
    const ms = time - this.#seen;
    if (km === null || (!isMoving && km <= POSITION_NOISE_KM)) return isMoving ? 1 : 0;
    if (this.#isAtRestUntil(time, speed)) return 0;
    const reported = Math.max(this.#speed ?? 0, speed ?? 0);
    const assumed = reported >= this.#movingKmh && reported > 0 ? reported : kmh;
    return assumed === null || assumed <= 0 ? 1 : Math.min(1, (km * 3_600_000) / assumed / ms);
  }

  /**
   * Whether the time to the next snapshot counts as standing, whatever the way: of a device that reports speeds, when the vehicle sets off, or
   * may have driven from one stop to the next. The time after its last speed counts as moving, so both together are right on average.
   */
  #isAtRestUntil(time: number, speed: number | null): boolean {
    const ms = time - this.#seen;
    if (ms > SPEED_MS || this.#speed === null || speed === null || !(this.#motion.hasSpeed || speed > 0)) return false;
    return speed >= this.#movingKmh || ms > BETWEEN_STOPS_MS;
  }

  #takeSpeed(time: number, speed: number | null): void {
    const ms = time - this.#seen;
    this.#seen = time;
    this.#share = null;
    if (speed !== null && this.#speed !== null && ms <= WAY_MS) {
      this.#kmBySpeed += ((speed + this.#speed) / 2) * (ms / 3_600_000);
    } else this.#withoutSpeedMs += ms;
    this.#speed = speed;
    this.#hasSpeeds ||= speed !== null;
    this.#motion.takeSpeed(speed);
  }
}
