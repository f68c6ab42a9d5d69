// Reads the timestamp of a snapshot.
import { toDate } from '../core/dates.js';

/** Milliseconds since 1970; null when there is no timestamp or it cannot be read. */
export function timestampMs(timestamp: string | number | null | undefined): number | null {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}
