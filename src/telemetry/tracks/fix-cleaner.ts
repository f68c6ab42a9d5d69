// Accepts the plausible fixes of a vehicle, by the rules of trips.
import { PositionCleaner } from '../position-cleaner.js';
import { defaultLimits } from '../trips/trip-limits.js';
import type { Fix } from './position-fix.js';

export interface BelievedFix {
  readonly fix: Fix;
  /** True when the path from the previous fix is unknown. */
  readonly isNewPlace: boolean;
}

export class FixCleaner {
  #believed: BelievedFix[] = [];
  readonly #cleaner = new PositionCleaner<Fix>(defaultLimits.fastestKmh, (fix, isNewPlace) => {
    this.#believed.push({ fix, isNewPlace });
  });

  /** Returns the fixes that the next one makes acceptable. Fixes come in order of time. */
  add(fix: Fix): readonly BelievedFix[] {
    const { speed } = fix;
    this.#believed = [];
    this.#cleaner.add(fix, speed !== null && speed < defaultLimits.movingKmh);
    return this.#believed;
  }
}
