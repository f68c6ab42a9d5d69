// The rule for the current state of a vehicle: the newest row that is not in the future.
import type { Timestamp } from '../core/dates.js';
import { timestampMs } from './timestamps.js';

/** A row that is further ahead of the service's clock than this is not the current state of a vehicle. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** Returns true for a time that is too far ahead to be the current one. `now`: the service's time. */
export function isAhead(timestamp: Timestamp | null | undefined, now: number): boolean {
  const time = timestampMs(timestamp);
  return time !== null && time > now + MAX_AHEAD_MS;
}
