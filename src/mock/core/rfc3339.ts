// Reads and writes RFC 3339 times. The valid times of the service are the years 0001 to 9999: a
// later time has no RFC 3339 text, and clients cannot parse `Date`'s form of it.

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

export const timeRangeText = 'from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z';

export function isRepresentableTime(time: unknown): time is number {
  return typeof time === 'number' && time >= earliest && time <= latest;
}

export function clampTime(time: number): number {
  return Math.min(Math.max(time, earliest), latest);
}

const dateTimePattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-](\d\d):(\d\d))$/;

/** Returns epoch milliseconds; null for an impossible date or other text. */
export function parseRfc3339(value: unknown): number | null {
  const parts = typeof value === 'string' && value.length <= 40 ? dateTimePattern.exec(value) : null;
  if (parts === null) return null;
  const part = (index: number): number => Number(parts[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(9) > 23 || part(10) > 59) return null;
  const time = Date.parse(String(value).toUpperCase());
  // The UTC offset can move the first or the last day out of the valid range of years.
  return isRepresentableTime(time) ? time : null;
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export const toRfc3339 = (time: number): string => new Date(time).toISOString();
