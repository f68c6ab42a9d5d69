// The positions of a trip, for its line on a map. Memory holds the positions of this trip only.
import { isSamePlace } from '../positions.js';
import type { TripPosition, TripTrackPoint } from './trip.js';

interface Fix extends TripPosition {
  readonly time: number;
}

export class DrivenTrack {
  #fixes: Fix[] = [];

  add(fix: Fix): void {
    const fixes = this.#fixes;
    // For a standing vehicle, the first and the last position are enough.
    if (isSamePlace(fixes.at(-1), fix) && isSamePlace(fixes.at(-2), fix)) fixes.pop();
    fixes.push(fix);
  }

  clear(): void {
    this.#fixes = [];
  }

  toPoints(from = Number.NEGATIVE_INFINITY): readonly TripTrackPoint[] {
    return this.#fixes
      .filter(({ time }) => time >= from)
      .map(({ time, latitude, longitude }) => ({
        time: new Date(time).toISOString(),
        latitude,
        longitude,
      }));
  }
}
