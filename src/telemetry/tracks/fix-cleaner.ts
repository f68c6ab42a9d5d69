// The fixes of a vehicle that are believed, by the rules of trips.
import { PositionCleaner } from '../position-cleaner.js';
import { defaultLimits } from '../trips/trip-limits.js';
import type { Fix } from './position-fix.js';

export interface BelievedFix {
  readonly fix: Fix;
  /** How the vehicle came there from the fix before is not known. */
  readonly isNewPlace: boolean;
}

export class FixCleaner {
  #believed: BelievedFix[] = [];
  readonly #cleaner = new PositionCleaner<Fix>(defaultLimits.fastestKmh, (fix, isNewPlace) => {
    this.#believed.push({ fix, isNewPlace });
  });

  /** Takes the next fix of the vehicle in order of time, and returns those that count now. */
  add(fix: Fix): readonly BelievedFix[] {
    const { speed } = fix;
    this.#believed = [];
    this.#cleaner.add(fix, speed !== null && speed < defaultLimits.movingKmh);
    return this.#believed;
  }
}
