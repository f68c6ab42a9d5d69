// The valid times of the service: the years 0001 to 9999. A later time has no RFC 3339 text, and
// clients cannot parse `Date`'s form of it.

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

export const timeRangeText = 'from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z';

export function isRepresentableTime(time: unknown): time is number {
  return typeof time === 'number' && time >= earliest && time <= latest;
}

export function clampTime(time: number): number {
  return Math.min(Math.max(time, earliest), latest);
}
