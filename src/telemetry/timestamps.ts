// Reads the timestamp of a snapshot.
import { type Timestamp, toDate } from '../core/dates.js';

const MILLISECONDS_LENGTH = '2026-03-01T12:00:00.000Z'.length;

export function timestampOf(row: unknown): Timestamp | null {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return null;
  const { timestamp } = row;
  return typeof timestamp === 'string' || typeof timestamp === 'number' ? timestamp : null;
}

/** Returns RFC 3339 text in UTC. `time`: milliseconds since 1970. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Returns the digits below a millisecond, comparable as text. */
export function subMillisecondsOf(timestamp: Timestamp | null): string {
  const isFiner = typeof timestamp === 'string' && timestamp.length > MILLISECONDS_LENGTH;
  return (isFiner && /\.\d{3}(\d*?)0*(?!\d)/.exec(timestamp)?.[1]) || '';
}

/** Returns milliseconds since 1970; null for a missing or unreadable timestamp. */
export function timestampMs(timestamp: Timestamp | null | undefined): number | null {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}
