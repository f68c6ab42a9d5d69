// The rule for the current state of a vehicle: the newest row that is not in the future.

/** A row that is further ahead of the service's clock than this is not the current state of a vehicle. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** Returns true for a time that is too far ahead to be the current one. `now`: the service's time. Both in milliseconds since 1970. */
export function isAhead(time: number | null, now: number): boolean {
  return time !== null && time > now + MAX_AHEAD_MS;
}
