// Whether a vehicle moves: by the speeds that it reports, or by its positions when it reports none.
import { greatCircleKm } from '../../core/geo.js';
import type { Located } from '../position-cleaner.js';

/** A step this long is no noise of the positions. */
const STEP_KM = 0.05;
/** A vehicle that has not made such a step for this long stands. */
const STEP_MS = 60_000;

export class Motion {
  /** Null as long as nothing is known. */
  isMoving: boolean | null = null;
  readonly #movingKmh: number;
  /** Whether a speed above 0 has come. Some devices report 0 always, which says nothing about positions that move. */
  hasSpeed = false;
  /** Whether the last snapshot had a speed that counts. */
  #isBySpeed = false;
  #stepFrom: Located | null = null;

  constructor(movingKmh: number) {
    this.#movingKmh = movingKmh;
  }

  /** The speed of a snapshot in kilometres per hour; null when it has none. */
  takeSpeed(speedKmh: number | null): void {
    this.#isBySpeed = speedKmh !== null && (this.hasSpeed || speedKmh > 0);
    if (speedKmh === null) return;
    if (speedKmh > 0 && speedKmh >= this.#movingKmh) {
      this.hasSpeed = true;
      this.isMoving = true;
    } else if (this.hasSpeed || this.isMoving === null) this.isMoving = speedKmh >= this.#movingKmh;
  }

  /** A believed position. It says what the vehicle has done since the snapshot before, so it comes before the speed of its snapshot. */
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
    const ms = position.time - from.time;
    const km = greatCircleKm(from, position);
    if (km >= STEP_KM) {
      this.isMoving = (km * 3_600_000) / ms >= this.#movingKmh;
      this.#stepFrom = position;
    } else if (ms > STEP_MS) {
      this.isMoving = false;
      this.#stepFrom = position;
    }
  }
}
