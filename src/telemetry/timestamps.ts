// Reads the timestamp of a snapshot.
import { type Timestamp, toDate } from '../core/dates.js';

const MILLISECONDS_LENGTH = '2026-03-01T12:00:00.000Z'.length;

/** The timestamp of a row; null when it has none. */
export function timestampOf(row: unknown): Timestamp | null {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return null;
  const { timestamp } = row;
  return typeof timestamp === 'string' || typeof timestamp === 'number' ? timestamp : null;
}

/** What is finer than a millisecond in a timestamp: texts in the order of the times. */
export function finerTimeOf(timestamp: Timestamp | null): string {
  const isFiner = typeof timestamp === 'string' && timestamp.length > MILLISECONDS_LENGTH;
  return (isFiner && /\.\d{3}(\d*?)0*(?!\d)/.exec(timestamp)?.[1]) || '';
}

/** Milliseconds since 1970; null when there is no timestamp or it cannot be read. */
export function timestampMs(timestamp: Timestamp | null | undefined): number | null {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}
