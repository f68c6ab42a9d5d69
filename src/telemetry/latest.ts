// Decides which rows are in the future, and so are not the current state of a vehicle.

/** The tolerance for a row ahead of the service's clock. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** Returns true for a future time. `now`: the service's time. Both in milliseconds since 1970. */
export function isAhead(time: number | null, now: number): boolean {
  return time !== null && time > now + MAX_AHEAD_MS;
}
