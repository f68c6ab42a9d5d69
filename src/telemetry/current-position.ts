// Holds back an unreachable position until the next one confirms it, for watches and alerts.
import { type CleanerState, type Located, PositionCleaner } from './position-cleaner.js';
import { isSamePlace } from './positions.js';
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
  const suspect = positions?.suspect;
  if (fix === null || (suspect?.time === fix.time && isSamePlace(suspect, fix)))
    return { position, ...(positions && { positions }) };
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
