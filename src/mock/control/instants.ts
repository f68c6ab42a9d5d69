// The points in time the service can tell: those of the years 0001 to 9999. A later one has no RFC 3339 text, and `Date` writes
// it in a form that no client reads.

const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** How messages name the bounds. */
export const instantRange = 'from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z';

/** Whether this is a point in time that can be told: epoch milliseconds. */
export function isInstant(time: unknown): time is number {
  return typeof time === 'number' && time >= first && time <= last;
}

/** The nearest point in time that can be told. */
export function nearestInstant(time: number): number {
  return Math.min(Math.max(time, first), last);
}
