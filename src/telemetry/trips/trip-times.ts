// The moving, idle and unseen times of a trip, and its speeds.
import { POSITION_NOISE_KM } from '../position-cleaner.js';
import { Motion } from './motion.js';

/** Between two snapshots farther apart, the vehicle is unseen. */
export const UNSEEN_MS = 15 * 60_000;
/** A speed is valid for at most this long. */
const SPEED_MS = 60_000;
/** Two speeds farther apart in time give no distance. */
const SPEED_STEP_MS = 30_000;
/** In a longer time, a vehicle may drive from one stop to the next. */
const BETWEEN_STOPS_MS = 15_000;
/** The share of the time that needs speeds for a distance by speeds. */
const ENOUGH_SPEEDS = 0.9;

export interface Times {
  readonly movingMs: number;
  readonly idleMs: number;
  readonly unseenMs: number;
}

/** The values of the snapshot that follows the last one. */
export interface NextSnapshot {
  readonly time: number;
  /** In km/h. */
  readonly speed: number | null;
  /** Kilometres from the last snapshot. */
  readonly km: number | null;
}

export class TripTimes {
  /** In km/h. */
  topSpeed: number | null = null;
  readonly #movingKmh: number;
  /** Takes positions and the odometer before `pass`: they describe the time before. */
  readonly motion: Motion;
  #movingMs = 0;
  #idleMs = 0;
  #unseenMs = 0;
  /** Added when the ignition is on again. */
  #movingWhileOffMs = 0;
  #isOn = true;
  /** The end of the counted time. */
  #time: number;
  lastSeen: number;
  /** The moving share of the time to the next snapshot, once known. */
  #share: number | null = null;
  #speed: number | null = null;
  #hasSpeeds = false;
  #kmBySpeed = 0;
  #withoutSpeedMs = 0;

  constructor(start: number, movingKmh: number) {
    this.#time = start;
    this.lastSeen = start;
    this.#movingKmh = movingKmh;
    this.motion = new Motion(movingKmh);
  }

  get times(): Times {
    return { movingMs: this.#movingMs, idleMs: this.#idleMs, unseenMs: this.#unseenMs };
  }

  /** Null without enough speeds. */
  get kmBySpeed(): number | null {
    const ms = this.#movingMs + this.#idleMs + this.#unseenMs;
    return this.#withoutSpeedMs > (1 - ENOUGH_SPEEDS) * ms || !this.#hasSpeeds ? null : this.#kmBySpeed;
  }

  /** Returns true when the vehicle is unseen between the last snapshot and `next`. */
  isUnseenUntil(next: number): boolean {
    return next - this.lastSeen > UNSEEN_MS;
  }

  /** Returns true when the times up to `next` depend on the distance to it. */
  needsDistanceTo(next: number): boolean {
    return this.motion.isMoving !== true || next - this.lastSeen > SPEED_MS;
  }

  /** Counts the times up to `time`, at or before `next`. `kmh`: the mean speed so far, if known. */
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

  /** Adds the next snapshot after its time was counted; `isOn` is the ignition from then on. */
  take({ time, speed }: NextSnapshot, isOn: boolean): void {
    this.#takeSpeed(time, speed);
    this.#isOn = isOn;
    if (speed !== null && (this.topSpeed === null || speed > this.topSpeed)) this.topSpeed = speed;
  }

  /** Adds a snapshot with the ignition off. It counts if the trip continues. */
  takeOff(time: number, speed: number | null): void {
    if (this.motion.isMoving === true && !this.isUnseenUntil(time)) this.#movingWhileOffMs += time - this.#time;
    this.#time = time;
    this.#takeSpeed(time, speed);
  }

  /**
   * Returns the moving share of the time to the next snapshot. The distance decides when they are
   * far apart in time, or when the vehicle moved without a usable speed. `kmh`: the mean speed so
   * far.
   */
  #movingShare({ time, speed, km }: NextSnapshot, kmh: number | null): number {
    const isMoving = this.motion.isMoving === true;
    const ms = time - this.lastSeen;
    if (km === null || (!isMoving && km <= POSITION_NOISE_KM)) return isMoving ? 1 : 0;
    if (this.#isAtRestUntil(time, speed)) return 0;
    const reported = Math.max(this.#speed ?? 0, speed ?? 0);
    const assumed = reported >= this.#movingKmh && reported > 0 ? reported : kmh;
    return assumed === null || assumed <= 0 ? 1 : Math.min(1, (km * 3_600_000) / assumed / ms);
  }

  /**
   * Returns true when the time to the next snapshot counts as standing, whatever the distance. A
   * device that reports speeds has then just set off, or may have driven between two stops. The
   * time after its last speed counts as moving, so the two errors balance on average.
   */
  #isAtRestUntil(time: number, speed: number | null): boolean {
    const ms = time - this.lastSeen;
    if (ms > SPEED_MS || this.#speed === null || speed === null || !(this.motion.hasSpeed || speed > 0)) return false;
    return speed >= this.#movingKmh || ms > BETWEEN_STOPS_MS;
  }

  #takeSpeed(time: number, speed: number | null): void {
    const ms = time - this.lastSeen;
    this.lastSeen = time;
    this.#share = null;
    if (speed !== null && this.#speed !== null && ms <= SPEED_STEP_MS) {
      this.#kmBySpeed += ((speed + this.#speed) / 2) * (ms / 3_600_000);
    } else this.#withoutSpeedMs += ms;
    this.#speed = speed;
    this.#hasSpeeds ||= speed !== null;
    this.motion.takeSpeed(speed);
  }
}
