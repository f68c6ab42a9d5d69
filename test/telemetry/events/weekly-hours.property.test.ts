// The hours of rules against the local clock of Intl, over daylight saving and midnight.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBetween, type Weekday, WeeklyHours, weekdays } from '../../../src/telemetry/events/weekly-hours.js';
import { runs } from '../../runs.js';

const MINUTE = 60_000;
const zones = [
  'Europe/Tallinn',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'UTC',
] as const;

/** Changes of offset in these zones: daylight saving, by half an hour too, and a skipped day. */
const changes = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
  '2026-02-15T02:00:00Z',
  '2026-03-22T02:00:00Z',
  '2011-12-30T10:00:00Z',
].map((text) => Date.parse(text));

const time = fc
  .tuple(
    fc.constantFrom(...changes),
    fc.integer({ min: -4 * 1_440, max: 4 * 1_440 }),
    fc.integer({ min: 0, max: 59_999 }),
  )
  .map(([change, minutes, ms]) => change + minutes * MINUTE + ms);
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const between = fc.tuple(clock, clock).filter(([begin, end]) => begin !== end);
const days = fc.subarray([...weekdays], { minLength: 1 });

function clockOf(moment: number, zone: string): { readonly day: Weekday; readonly text: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = weekdays.find((name) => name === parts.get('weekday')?.toLowerCase());
  if (day === undefined) throw new Error('Intl shows no weekday');
  return { day, text: `${parts.get('hour')}:${parts.get('minute')}` };
}

/** Returns true between two times of one day, or of an evening and the next morning. */
function isOpenByClock(moment: number, zone: string, [begin, end]: readonly [string, string], on: readonly Weekday[]) {
  const { day, text } = clockOf(moment, zone);
  if (begin < end) return on.includes(day) && text >= begin && text < end;
  const dayBefore = weekdays.at(weekdays.indexOf(day) - 1) ?? 'sun';
  return (on.includes(day) && text >= begin) || (on.includes(dayBefore) && text < end);
}

function hoursOf(range: readonly [string, string], on: readonly Weekday[]): WeeklyHours {
  const period = parseBetween(range.join('-'));
  if (period === null) throw new Error(`${range.join('-')} was refused`);
  return WeeklyHours.of(on.map((day) => ({ day, ...period })));
}

test('hours are open when the local clock shows them', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), time, between, days, (zone, moment, range, on) => {
      const hours = hoursOf(range, on);
      const isOpen = isOpenByClock(moment, zone, range, on);
      expect(hours.isOpenAt(moment, zone)).toBe(isOpen);
      expect(hours.complement().isOpenAt(moment, zone)).toBe(!isOpen);
      expect(hours.intersect(hours.complement()).isEmpty).toBe(true);
    }),
    { numRuns: runs(3_000) },
  );
});

test('they open at the first minute at which the local clock shows them', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), time, between, days, (zone, moment, range, on) => {
      const hours = hoursOf(range, on);
      const first = hours.firstOpen(moment, zone);
      expect(isOpenByClock(first, zone, range, on)).toBe(true);
      if (first !== moment) expect(first % MINUTE).toBe(0);
      // A day is enough: an hour missed earlier would be missed there too.
      for (let closed = Math.max(moment, first - 1_440 * MINUTE); closed < first; closed += 7 * MINUTE) {
        expect(isOpenByClock(closed, zone, range, on)).toBe(false);
      }
      if (first > moment) expect(isOpenByClock(first - 1, zone, range, on)).toBe(false);
      // Any later time gives an equal result, also from the cache.
      const later = moment + Math.floor((first - moment) / 2);
      expect(hours.firstOpen(later, zone)).toBe(first);
    }),
    { numRuns: runs(150) },
  );
});

describe('examples', () => {
  const at = (text: string) => Date.parse(text);
  const tallinn = 'Europe/Tallinn';

  test('a night belongs to the evening on which it begins', () => {
    const friday = hoursOf(['22:00', '06:00'], ['fri']);
    expect(friday.isOpenAt(at('2026-03-07T03:00:00+02:00'), tallinn)).toBe(true); // Saturday
    expect(friday.isOpenAt(at('2026-03-06T03:00:00+02:00'), tallinn)).toBe(false); // Friday
    expect(friday.isOpenAt(at('2026-03-06T22:00:00+02:00'), tallinn)).toBe(true);
    expect(friday.isOpenAt(at('2026-03-07T06:00:00+02:00'), tallinn)).toBe(false);
  });

  test('an hour that clocks leave out is never open, and one that they repeat is open twice', () => {
    const hours = hoursOf(['03:00', '04:00'], [...weekdays]);
    const minutesOpen = (from: string) =>
      Array.from({ length: 1_440 }, (_, minute) => at(from) + minute * MINUTE).filter((one) =>
        hours.isOpenAt(one, tallinn),
      ).length;
    expect(minutesOpen('2026-03-29T00:00:00+02:00')).toBe(0);
    expect(minutesOpen('2026-10-25T00:00:00+03:00')).toBe(120);
    expect(hours.firstOpen(at('2026-03-29T00:00:00+02:00'), tallinn)).toBe(at('2026-03-30T03:00:00+03:00'));
  });

  test('hours that begin in an hour that clocks leave out open when clocks go on', () => {
    const hours = hoursOf(['03:30', '06:00'], [...weekdays]);
    expect(hours.firstOpen(at('2026-03-29T00:00:00+02:00'), tallinn)).toBe(at('2026-03-29T04:00:00+03:00'));
  });

  test('hours that clocks leave out as a whole open a week later', () => {
    const hours = hoursOf(['03:10', '03:50'], ['sun']);
    const next = at('2026-04-05T03:10:00+03:00');
    expect(hours.firstOpen(at('2026-03-22T03:50:00+02:00'), tallinn)).toBe(next);
    expect(hours.firstOpen(at('2026-03-29T12:00:00+03:00'), tallinn)).toBe(next);
  });

  test('hours that are never open have no first moment', () => {
    const hours = WeeklyHours.of([]);
    expect([hours.firstOpen(0, 'UTC'), hours.firstOpen(9, 'UTC')]).toEqual(Array(2).fill(Number.POSITIVE_INFINITY));
  });

  test.each(['', '22', '22:00', '22:00-', '24:00-06:00', '22:60-06:00', '22:00-22:00', '25:00-06:00', '1-2-3'])(
    '%j is no range of hours',
    (text) => expect(parseBetween(text)).toBeNull(),
  );

  test.each([
    ['22:00-06:00', 1_320, 480],
    ['8:00 - 17:30', 480, 570],
    ['00:00-24:00', 0, 1_440],
    ['18:00-24:00', 1_080, 360],
  ])('%s', (text, begin, minutes) => expect(parseBetween(text)).toEqual({ begin, minutes }));
});
