import { PositionCleaner } from "../position-cleaner.js";
import { Odometer } from "./odometer.js";
import { PathLength } from "./path-length.js";
const AGREEMENT = 0.1;
const AGREEMENT_OF_SPEEDS = 0.25;
const NEGLIGIBLE_KM = 0.3;
class TripDistance {
  #path = new PathLength();
  #cleaner;
  #odometer;
  #track;
  /** Whether a position was valid by its receiver. */
  #hasFix = false;
  /** The last position that its receiver did not repeat while the vehicle moved. */
  #point = null;
  /** True while the snapshot that is taken says that the vehicle moves. */
  #isMoving = false;
  first = null;
  last = null;
  /** `track` gets the positions that count; so does `believe`. */
  constructor(fastestKmh, track, believe) {
    this.#track = track;
    this.#odometer = new Odometer(fastestKmh);
    this.#cleaner = new PositionCleaner(fastestKmh, (position, isNewPlace) => {
      this.#path.add(position, isNewPlace);
      if (!this.#isMoving || !isSamePlace(this.last, position)) this.#takePoint(position.time);
      this.first ??= position;
      this.last = position;
      track?.add(position);
      believe(position);
    });
  }
  /**
   * `hasFix`: false when the receiver says that the position is not valid. Some always say so: their positions count until one is valid.
   * `isMoving`: as the vehicle says; null when it does not.
   */
  takePosition(position, hasFix, isMoving) {
    const isAtRest = isMoving === false;
    this.#isMoving = isMoving === true;
    if (hasFix && !this.#hasFix) {
      this.#hasFix = true;
      this.#track?.clear();
    }
    if (hasFix || !this.#hasFix) this.#cleaner.add(position, isAtRest);
    else if (!isAtRest) this.#cleaner.leave();
  }
  /** Whether the next position would be believed. */
  believes(position, hasFix, isAtRest) {
    return (hasFix || !this.#hasFix) && this.#cleaner.believes(position, isAtRest);
  }
  /** The vehicle moves, and its position is not known. */
  leavePosition() {
    this.#cleaner.leave();
  }
  /** `kmBySpeed`: so far; null while too few speeds were reported. */
  takeOdometer(time, km, kmBySpeed) {
    this.#odometer.add(time, km, { positions: this.#path.km, speeds: kmBySpeed });
  }
  /** Takes a reading from before the trip. */
  takeOdometerBefore(start, km) {
    this.#odometer.addBefore(start, km);
  }
  /** Takes a reading from after the trip. */
  takeOdometerAfter(end, km, kmBySpeed) {
    this.#odometer.addAfter(end, km, { positions: this.#path.km, speeds: kmBySpeed });
  }
  /** Kilometres from the snapshot of one time to the next snapshot, which has not been taken yet; null when they are not known. */
  stepFrom(time, next, position, odometerKm) {
    const byPosition = position === null ? null : this.#cleaner.stepFrom(time, position);
    const byOdometer = odometerKm === null ? null : this.#odometer.stepFrom(time, next, odometerKm);
    return byPosition === null || byOdometer === null ? byPosition ?? byOdometer : Math.max(byPosition, byOdometer);
  }
  #takePoint(time) {
    const point = { time, km: this.#path.km };
    if (this.#point !== null) this.#odometer.takeStep(this.#point, point);
    this.#point = point;
  }
  /** Kilometres by positions so far. */
  get pathKm() {
    return this.#path.km;
  }
  /** So far. */
  distance(kmBySpeed) {
    const path = this.#path;
    const { span, isUsable, tolerance } = this.#odometer;
    if (span === null || !isUsable) return byPositions(path, kmBySpeed);
    const frozen = this.#odometer.kmSinceFrozen;
    const replaced = this.#odometer.kmByPositions + frozen;
    const outside = span.first.positions + Math.max(0, path.km - span.last.positions);
    const km = outside + this.#odometer.km + replaced;
    const allowed = Math.max(tolerance, NEGLIGIBLE_KM);
    const isRefuted = kmBySpeed !== null && path.km > km && !agree(km, path.km, allowed) && agree(kmBySpeed, path.km, NEGLIGIBLE_KM);
    if (isRefuted || this.#odometer.km === 0 && replaced > 0) return byPositions(path, kmBySpeed);
    const isRoadKnown = path.km >= km || path.sparseKm < AGREEMENT * path.km;
    const doubt = path.hasSteps ? doubtOf(km, isRoadKnown ? path.km : null, allowed, AGREEMENT) : doubtOf(km, kmBySpeed, allowed, AGREEMENT_OF_SPEEDS);
    return { km, by: replaced > 0 ? "both" : "odometer", doubt };
  }
}
function isSamePlace(one, other) {
  return one !== null && one.latitude === other.latitude && one.longitude === other.longitude;
}
function byPositions({ km, hasSteps }, kmBySpeed) {
  const doubt = doubtOf(km, kmBySpeed, NEGLIGIBLE_KM, AGREEMENT_OF_SPEEDS);
  return { km, by: hasSteps ? "positions" : "none", doubt };
}
function doubtOf(km, other, allowed, share) {
  if (other === null || agree(km, other, allowed, share)) return null;
  return Math.round(Math.abs(km - other) / Math.max(km, other) * 100) / 100;
}
function agree(one, other, allowed, share = AGREEMENT) {
  return Math.abs(one - other) <= Math.max(allowed, share * Math.max(one, other));
}
export {
  TripDistance
};
