// The distance of a trip. Odometer, positions and speeds are compared, as each may be wrong.
import { type Located, PositionCleaner } from '../position-cleaner.js';
import { isSamePlace } from '../positions.js';
import type { DrivenTrack } from './driven-track.js';
import { Odometer, type PathPoint } from './odometer.js';
import { PathLength } from './path-length.js';
import type { Trip, TripPosition } from './trip.js';

export interface Distance {
  readonly km: number;
  readonly by: Trip['distanceBy'];
  readonly disagreement: number | null;
}

/** Sources that differ by less agree. */
const AGREEMENT = 0.1;
/** Speeds are momentary, so the distance by speeds is less accurate. */
const SPEED_AGREEMENT = 0.25;
/** A smaller difference is never reported. */
const NEGLIGIBLE_KM = 0.3;

export class TripDistance {
  readonly #path = new PathLength();
  readonly #cleaner: PositionCleaner<Located>;
  readonly #odometer: Odometer;
  readonly #track: DrivenTrack | null;
  /** True after a position with a valid fix. */
  #hasFix = false;
  /** The last position that was not a repeat while moving. */
  #point: PathPoint | null = null;
  /** True while adding a snapshot that reports movement. */
  #isMoving = false;
  first: TripPosition | null = null;
  last: TripPosition | null = null;

  /** Both listeners get the accepted positions. */
  constructor(fastestKmh: number, track: DrivenTrack | null, onAccepted: (position: Located) => void) {
    this.#track = track;
    this.#odometer = new Odometer(fastestKmh);
    this.#cleaner = new PositionCleaner(fastestKmh, (position, isNewPlace) => {
      this.#path.add(position, isNewPlace);
      if (!this.#isMoving || !isSamePlace(this.last, position)) this.#takePoint(position.time);
      this.first ??= position;
      this.last = position;
      track?.add(position);
      onAccepted(position);
    });
  }

  /**
   * Adds a position. `hasFix`: false when the receiver reports it as invalid. Some receivers always
   * do: their positions count until one is valid. `isMoving`: as reported; null when it is not.
   */
  takePosition(position: Located, hasFix: boolean, isMoving: boolean | null): void {
    const isAtRest = isMoving === false;
    this.#isMoving = isMoving === true;
    if (hasFix && !this.#hasFix) {
      this.#hasFix = true;
      this.#track?.clear();
    }
    if (hasFix || !this.#hasFix) this.#cleaner.add(position, isAtRest);
    else if (!isAtRest) this.#cleaner.endRest();
  }

  accepts(position: Located, hasFix: boolean, isAtRest: boolean): boolean {
    return (hasFix || !this.#hasFix) && this.#cleaner.accepts(position, isAtRest);
  }

  /** Records that the vehicle moves without a known position. */
  endRest(): void {
    this.#cleaner.endRest();
  }

  /** `kmBySpeed`: so far; null while too few speeds were reported. */
  takeOdometer(time: number, km: number, kmBySpeed: number | null): void {
    this.#odometer.add(time, km, { positions: this.#path.km, speeds: kmBySpeed });
  }

  takeOdometerBefore(start: number, km: number): void {
    this.#odometer.addBefore(start, km);
  }

  takeOdometerAfter(end: number, km: number, kmBySpeed: number | null): void {
    this.#odometer.addAfter(end, km, { positions: this.#path.km, speeds: kmBySpeed });
  }

  /** Returns the kilometres from the snapshot at `time` to `next`; null if unknown. */
  stepFrom(time: number, next: number, position: Located | null, odometerKm: number | null): number | null {
    const byPosition = position === null ? null : this.#cleaner.stepFrom(time, position);
    const byOdometer = odometerKm === null ? null : this.#odometer.stepFrom(time, next, odometerKm);
    return byPosition === null || byOdometer === null ? (byPosition ?? byOdometer) : Math.max(byPosition, byOdometer);
  }

  /** Ends a step of the path, and divides it between the odometer readings on it. */
  #takePoint(time: number): void {
    const point = { time, km: this.#path.km };
    if (this.#point !== null) this.#odometer.takeStep(this.#point, point);
    this.#point = point;
  }

  get odometerEnds(): Odometer['ends'] {
    return this.#odometer.ends;
  }

  get pathKm(): number {
    return this.#path.km;
  }

  distance(kmBySpeed: number | null): Distance {
    const path = this.#path;
    const { span, isUsable, tolerance } = this.#odometer;
    if (span === null || !isUsable) return byPositions(path, kmBySpeed);
    const frozen = this.#odometer.kmSinceFrozen;
    const replaced = this.#odometer.kmByPositions + frozen;
    // The path before the first and after the last odometer reading.
    const outside = span.first.positions + Math.max(0, path.km - span.last.positions);
    const km = outside + this.#odometer.km + replaced;
    const allowed = Math.max(tolerance, NEGLIGIBLE_KM);
    const isContradicted =
      kmBySpeed !== null && path.km > km && !agree(km, path.km, allowed) && agree(kmBySpeed, path.km, NEGLIGIBLE_KM);
    if (isContradicted || (this.#odometer.km === 0 && replaced > 0)) return byPositions(path, kmBySpeed);
    // Sparse positions do not show the whole road.
    const isRoadKnown = path.km >= km || path.sparseKm < AGREEMENT * path.km;
    const disagreement = path.hasSteps
      ? disagreementOf(km, isRoadKnown ? path.km : null, allowed, AGREEMENT)
      : disagreementOf(km, kmBySpeed, allowed, SPEED_AGREEMENT);
    return { km, by: replaced > 0 ? 'both' : 'odometer', disagreement };
  }
}

function byPositions({ km, hasSteps }: PathLength, kmBySpeed: number | null): Distance {
  const disagreement = disagreementOf(km, kmBySpeed, NEGLIGIBLE_KM, SPEED_AGREEMENT);
  return { km, by: hasSteps ? 'positions' : 'none', disagreement };
}

/** Returns the share by which two sources disagree; null when they agree, or there is only one. */
function disagreementOf(km: number, other: number | null, allowed: number, share: number): number | null {
  if (other === null || agree(km, other, allowed, share)) return null;
  return Math.round((Math.abs(km - other) / Math.max(km, other)) * 100) / 100;
}

function agree(one: number, other: number, allowed: number, share = AGREEMENT): boolean {
  return Math.abs(one - other) <= Math.max(allowed, share * Math.max(one, other));
}
