// Accepts the plausible fixes of a vehicle, by the rules of trips.
import { PositionCleaner } from '../position-cleaner.js';
import { defaultLimits } from '../trips/trip-limits.js';
import type { Fix } from './position-fix.js';

export interface AcceptedFix {
  readonly fix: Fix;
  /** True when the path from the previous fix is unknown. */
  readonly isNewPlace: boolean;
}

export class FixCleaner {
  #accepted: AcceptedFix[] = [];
  readonly #cleaner = new PositionCleaner<Fix>(defaultLimits.fastestKmh, (fix, isNewPlace) => {
    this.#accepted.push({ fix, isNewPlace });
  });

  /** Returns the fixes that the next one makes acceptable. Fixes come in order of time. */
  add(fix: Fix): readonly AcceptedFix[] {
    const { speed } = fix;
    this.#accepted = [];
    this.#cleaner.add(fix, speed !== null && speed < defaultLimits.movingKmh);
    return this.#accepted;
  }
}
