import { greatCircleKm } from "../../core/geo.js";
const STEP_KM = 0.05;
const STEP_MS = 6e4;
class Motion {
  /** Null as long as nothing is known. */
  isMoving = null;
  #movingKmh;
  /** Whether a speed above 0 has come. Some devices report 0 always, which says nothing about positions that move. */
  hasSpeed = false;
  /** Whether the last snapshot had a speed that counts. */
  #isBySpeed = false;
  #stepFrom = null;
  #odometerFrom = null;
  constructor(movingKmh) {
    this.#movingKmh = movingKmh;
  }
  /** The speed of a snapshot in kilometres per hour; null when it has none. */
  takeSpeed(speedKmh) {
    this.#isBySpeed = speedKmh !== null && (this.hasSpeed || speedKmh > 0);
    if (speedKmh === null) return;
    if (speedKmh > 0 && speedKmh >= this.#movingKmh) {
      this.hasSpeed = true;
      this.isMoving = true;
    } else if (this.hasSpeed || this.isMoving === null) this.isMoving = speedKmh >= this.#movingKmh;
  }
  /** A believed position. It says what the vehicle has done since the snapshot before, so it comes before the speed of its snapshot. */
  takePosition(position) {
    if (this.#isBySpeed) {
      this.#stepFrom = position;
      return;
    }
    const from = this.#stepFrom;
    if (from === null) {
      this.#stepFrom = position;
      return;
    }
    if (this.#takeStep(greatCircleKm(from, position), position.time - from.time)) this.#stepFrom = position;
  }
  /** Takes the odometer of a snapshot without position and speed. Call it before the time up to it is counted. */
  takeOdometer(time, km, fastestKmh) {
    const from = this.#odometerFrom;
    const isPossible = from !== null && km >= from.km && (km - from.km) * 36e5 <= fastestKmh * (time - from.time);
    if (!isPossible || this.#isBySpeed || this.#takeStep(km - from.km, time - from.time)) {
      this.#odometerFrom = { time, km };
    }
  }
  /** Updates `isMoving` from a step. Returns false for a step that is too short to decide. */
  #takeStep(km, ms) {
    if (km >= STEP_KM) this.isMoving = km * 36e5 / ms >= this.#movingKmh;
    else if (ms > STEP_MS) this.isMoving = false;
    else return false;
    return true;
  }
}
export {
  Motion
};
