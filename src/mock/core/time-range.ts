// The times that the service can handle: the years 0001 to 9999. A later time has no RFC 3339 text, and `Date` writes it in a
// form that clients cannot read.

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** The range as error messages name it. */
export const timeRangeText = 'from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z';

/** Whether the value is a time in epoch milliseconds that the service can handle. */
export function isRepresentableTime(time: unknown): time is number {
  return typeof time === 'number' && time >= earliest && time <= latest;
}

/** The nearest time that the service can handle. */
export function clampTime(time: number): number {
  return Math.min(Math.max(time, earliest), latest);
}
