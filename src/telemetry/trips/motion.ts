// Decides if a vehicle moves: by reported speeds, else by positions, else by the odometer.
import { greatCircleKm } from '../../core/geo.js';
import type { Located } from '../position-cleaner.js';

/** The minimum step above the noise of positions and the rounding of odometers. */
const STEP_KM = 0.05;
/** A vehicle without such a step for this long stands. */
const STEP_MS = 60_000;

export class Motion {
  /** Null while unknown. */
  isMoving: boolean | null = null;
  readonly #movingKmh: number;
  /** True after a speed above 0. A constant 0 of a device must not overrule positions. */
  hasSpeed = false;
  /** True when the last snapshot had a usable speed. */
  #isBySpeed = false;
  #stepFrom: Located | null = null;
  #odometerFrom: { readonly time: number; readonly km: number } | null = null;

  constructor(movingKmh: number) {
    this.#movingKmh = movingKmh;
  }

  takeSpeed(speedKmh: number | null): void {
    this.#isBySpeed = speedKmh !== null && (this.hasSpeed || speedKmh > 0);
    if (speedKmh === null) return;
    if (speedKmh > 0 && speedKmh >= this.#movingKmh) {
      this.hasSpeed = true;
      this.isMoving = true;
    } else if (this.hasSpeed || this.isMoving === null) this.isMoving = speedKmh >= this.#movingKmh;
  }

  /** Adds an accepted position. Call it before `takeSpeed`: it describes the time before. */
  takePosition(position: Located): void {
    if (this.#isBySpeed) {
      this.#stepFrom = position;
      return;
    }
    const from = this.#stepFrom;
    if (from === null) {
      this.#stepFrom = position;
      return;
    }
    if (this.#updateByStep(greatCircleKm(from, position), position.time - from.time)) this.#stepFrom = position;
  }

  /** Adds the odometer of a snapshot without position and speed, before its time is counted. */
  takeOdometer(time: number, km: number, fastestKmh: number): void {
    const from = this.#odometerFrom;
    const isPossible = from !== null && km >= from.km && (km - from.km) * 3_600_000 <= fastestKmh * (time - from.time);
    if (!isPossible || this.#isBySpeed || this.#updateByStep(km - from.km, time - from.time)) {
      this.#odometerFrom = { time, km };
    }
  }

  /** Updates `isMoving` from a step. Returns false for a step that is too short to decide. */
  #updateByStep(km: number, ms: number): boolean {
    if (km >= STEP_KM) this.isMoving = (km * 3_600_000) / ms >= this.#movingKmh;
    else if (ms > STEP_MS) this.isMoving = false;
    else return false;
    return true;
  }
}
