// Holds back an unreachable position until the next one confirms it, for watches and alerts.
import { type CleanerState, type Located, PositionCleaner } from './position-cleaner.js';
import type { TripPosition } from './trips/trip.js';
import { defaultLimits } from './trips/trip-limits.js';

/** The current position of a vehicle, with the state that checks the next one. */
export interface CurrentPosition {
  readonly position: TripPosition | null;
  /** Missing before the first position. */
  readonly positions?: CleanerState<Located>;
}

/** Returns the position after `fix`. An unreachable `fix` counts once the next one confirms it. */
export function nextPosition({ position, positions }: CurrentPosition, fix: Located | null): CurrentPosition {
  // The snapshot of a suspect position may be read again; it does not confirm itself.
  if (fix === null || isSameFix(fix, positions?.suspect)) return { position, ...(positions && { positions }) };
  const { time, latitude, longitude } = fix;
  const cleaner = new PositionCleaner<Located>(defaultLimits.fastestKmh, () => undefined, positions);
  // At rest, a cleaner ignores small moves, and these may cross the edge of a geofence.
  cleaner.add({ time, latitude, longitude }, false);
  const { last } = cleaner;
  return {
    position: last === null ? position : { latitude: last.latitude, longitude: last.longitude },
    positions: cleaner.state,
  };
}

function isSameFix(one: Located, other: Located | null | undefined): boolean {
  return one.time === other?.time && one.latitude === other.latitude && one.longitude === other.longitude;
}
