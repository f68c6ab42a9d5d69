// The times of --from, --to and --at: their forms, the zone of TZ, and daylight saving changes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServiceRun } from '../../src/cli/context/context.js';
import {
  endsTooEarly,
  expandPeriodFlags,
  type PeriodFlags,
  parseTime,
  readPeriodExpression,
  timestamp,
} from '../../src/cli/parse/time.js';
import { chosenZone } from '../../src/cli/time/chosen-zone.js';
import type { FleetClient } from '../../src/index.js';
import { service, shellOf } from './harness.js';

const now = Date.parse('2026-03-02T09:30:15.250Z');
const read = (text: string, zone = 'UTC', at = now) => {
  const moment = parseTime(text, at, zone);
  return moment === null ? null : new Date(moment).toISOString();
};

describe('a time', () => {
  test.each([
    ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01t08:30:00.1239z', '2026-03-01T08:30:00.123Z'],
    ['2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01 08:30 -0530', '2026-03-01T14:00:00.000Z'],
    [' 2026-03-01T08:30Z ', '2026-03-01T08:30:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01 8:30', '2026-03-01T08:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['1.3.2026', '2026-03-01T00:00:00.000Z'],
    ['01.03.2026 8:30', '2026-03-01T08:30:00.000Z'],
    ['29.02.2024 08:30:15Z', '2024-02-29T08:30:15.000Z'],
    ['now', '2026-03-02T09:30:15.250Z'],
    ['NOW', '2026-03-02T09:30:15.250Z'],
    ['today', '2026-03-02T00:00:00.000Z'],
    ['Yesterday', '2026-03-01T00:00:00.000Z'],
    ['tomorrow 6:00', '2026-03-03T06:00:00.000Z'],
    ['today 08:00', '2026-03-02T08:00:00.000Z'],
    ['today 08:00:30', '2026-03-02T08:00:30.000Z'],
    ['-2h', '2026-03-02T07:30:15.250Z'],
    ['-30m', '2026-03-02T09:00:15.250Z'],
    ['-7d', '2026-02-23T09:30:15.250Z'],
    ['-1d12h', '2026-02-28T21:30:15.250Z'],
    ['-1.5h', '2026-03-02T08:00:15.250Z'],
    ['+90s', '2026-03-02T09:31:45.250Z'],
    ['-2W', '2026-02-16T09:30:15.250Z'],
    ['08:00', '2026-03-02T08:00:00.000Z'],
    ['monday', '2026-03-02T00:00:00.000Z'],
    ['Tuesday 14:30', '2026-02-24T14:30:00.000Z'],
    ['sunday', '2026-03-01T00:00:00.000Z'],
    ['2 hours ago', '2026-03-02T07:30:15.250Z'],
    ['a week ago', '2026-02-23T09:30:15.250Z'],
    ['1.5 days ago', '2026-02-28T21:30:15.250Z'],
    ['yesterday 8am', '2026-03-01T08:00:00.000Z'],
    ['today 12:30 PM', '2026-03-02T12:30:00.000Z'],
    ['12am', '2026-03-02T00:00:00.000Z'],
    ['2026-03-01T24:00:00Z', '2026-03-02T00:00:00.000Z'],
    ['2026-11-20 24:00', '2026-11-21T00:00:00.000Z'],
    ['this week', '2026-03-02T00:00:00.000Z'],
    ['Last week', '2026-02-23T00:00:00.000Z'],
    ['this month', '2026-03-01T00:00:00.000Z'],
    ['last month', '2026-02-01T00:00:00.000Z'],
    ['this-week', '2026-03-02T00:00:00.000Z'],
    ['last-week', '2026-02-23T00:00:00.000Z'],
    ['last quarter', '2025-10-01T00:00:00.000Z'],
    ['this year', '2026-01-01T00:00:00.000Z'],
    ['2026-10', '2026-10-01T00:00:00.000Z'],
    ['2026-W10', '2026-03-02T00:00:00.000Z'],
    ['2026-w1', '2025-12-29T00:00:00.000Z'],
    ['2026-W53', '2026-12-28T00:00:00.000Z'],
    ['2026-Q3', '2026-07-01T00:00:00.000Z'],
    // The current day is a Monday.
    ['last monday', '2026-02-23T00:00:00.000Z'],
    ['last-friday', '2026-02-27T00:00:00.000Z'],
    ['last sunday 9:00', '2026-03-01T09:00:00.000Z'],
  ])('%s is %s', (text, moment) => expect(read(text)).toBe(moment));

  test.each([
    '-1M',
    '+1h30M',
    '13pm',
    '0am',
    'today 24:01',
    'monday monday',
    'ago',
    '',
    ' ',
    'soon',
    '2h',
    '-h',
    '-2',
    '--2h',
    '-2h30',
    '-1..5h',
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-3-1',
    '29.2.2026',
    '1.13.2026',
    '1.3.26',
    '1.3.',
    '2026',
    '2026-13',
    '2026-00',
    '2026-W00',
    '2025-W53',
    '2026-W54',
    '2026-Q5',
    '0026-10',
    'last day',
    'this monday',
    'last today',
    '3 week',
    '1772441415',
    '2026-03-01T08:60Z',
    '2026-03-01T08',
    '2026-03-01Z',
    '2026-03-01T08:30:00+25:00',
    '2026-03-01T08:30:00.Z',
    'today 25:00',
    'today8:00',
    'now 08:00',
    '0000-01-01',
    '-9999999999999d',
    '+9999999d',
  ])('"%s" is not a time', (text) => expect(read(text)).toBeNull());

  test('without a zone is in the given zone', () => {
    expect(read('2026-03-01', 'Europe/Tallinn')).toBe('2026-02-28T22:00:00.000Z');
    expect(read('2026-03-01 08:30Z', 'Europe/Tallinn')).toBe('2026-03-01T08:30:00.000Z');
    expect(read('today', 'America/New_York', Date.parse('2026-03-02T03:00:00Z'))).toBe('2026-03-01T05:00:00.000Z');
    expect(read('yesterday 23:00', 'Asia/Kolkata')).toBe('2026-03-01T17:30:00.000Z');
  });

  test('that clocks skip is invalid; of a repeated hour, the first is used', () => {
    expect(read('2026-03-29 01:59:59', 'Europe/Berlin')).toBe('2026-03-29T00:59:59.000Z');
    expect(read('2026-03-29 02:00', 'Europe/Berlin')).toBeNull();
    expect(read('29.3.2026 02:59:59', 'Europe/Berlin')).toBeNull();
    expect(read('2026-03-29 03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z');
    expect(read('2026-03-29 02:30+01:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(read('today 02:30', 'Europe/Berlin', Date.parse('2026-03-29T20:00:00Z'))).toBeNull();
    expect(read('02:30', 'Europe/Berlin', Date.parse('2026-03-29T20:00:00Z'))).toBeNull();
    expect(read('2026-03-08 02:30', 'America/New_York')).toBeNull();
    expect(read('2026-10-25 02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    // Clocks of Cairo skip the hour after midnight: the day begins at 01:00.
    expect(read('2026-04-24', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z');
    expect(read('2026-04-23 24:00', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z');
    // A day of 23 hours still begins at its midnight.
    expect(read('today', 'Europe/Berlin', Date.parse('2026-03-29T20:00:00Z'))).toBe('2026-03-28T23:00:00.000Z');
    expect(read('yesterday', 'Europe/Berlin', Date.parse('2026-03-30T10:00:00Z'))).toBe('2026-03-28T23:00:00.000Z');
  });
});

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
const moments = fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2037-12-31') });

/** Returns the local time in the zone. */
function shown(moment: number, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
}

describe('any time', () => {
  test('in RFC 3339 is read exactly', () => {
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        expect(parseTime(new Date(moment).toISOString(), now, zone)).toBe(moment);
      }),
    );
  });

  test('of local clocks is the first moment at which they show it', () => {
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        const second = Math.floor(moment / 1000) * 1000;
        const wall = shown(second, zone);
        const found = parseTime(wall, now, zone);
        expect(found).not.toBeNull();
        expect(found).toBeLessThanOrEqual(second);
        expect(shown(found ?? 0, zone)).toBe(wall);
      }),
      { numRuns: 300 },
    );
  });

  test('without a zone is read like the machine does', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const date = new Date(moment);
        date.setMilliseconds(0);
        const text = shown(date.getTime(), Intl.DateTimeFormat().resolvedOptions().timeZone);
        expect(parseTime(text, now, undefined)).toBe(new Date(text.replace(' ', 'T')).getTime());
      }),
    );
  });

  test('relative to now has that distance', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.constantFrom('s', 'm', 'h', 'd'), fc.constantFrom('-', '+'), (n, unit, sign) => {
        const ms = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 }[unit] ?? 0;
        expect(parseTime(`${sign}${n}${unit}`, now, 'Asia/Kolkata')).toBe(now + (sign === '-' ? -1 : 1) * n * ms);
      }),
    );
  });

  test('is in the range of RFC 3339, or invalid', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9:TZ. dhms]{0,24}$/));
    fc.assert(
      fc.property(texts, zones, (text, zone) => {
        const moment = parseTime(text, now, zone);
        if (moment !== null) expect(new Date(moment).toISOString()).toMatch(/^\d{4}-/);
      }),
    );
  });
});

/** Returns a run to read a period in. */
function runIn(zone: string): ServiceRun {
  // Periods use only these members.
  return {
    io: { signal: new AbortController().signal },
    clock: { now: () => now },
    service: { now: () => null },
    zone: chosenZone({}, { TZ: zone }),
  } as unknown as ServiceRun;
}

/** Returns the first and the last moment of a period, as they are sent. */
async function periodOf(periodFlags: PeriodFlags, zone = 'UTC'): Promise<readonly [from: string, to: string]> {
  const run = runIn(zone);
  const flags = expandPeriodFlags(run, periodFlags);
  // The session has the time of the machine.
  const client = { connect: async () => undefined } as unknown as FleetClient;
  const span = await readPeriodExpression(run, flags.from ?? '', flags.to, () => endsTooEarly(flags.to)).span(
    run,
    client,
  );
  return [timestamp(span.from), timestamp(span.to)];
}

describe('a period', () => {
  const list = ['snapshots', 'list', 'Van 01', '--fields', 'timestamp', '-o', 'json'];

  test.each<[PeriodFlags, string]>([
    [{ from: 'yesterday', to: 'yesterday' }, '2026-03-01'],
    [{ from: '2026-02-27', to: '2026-02-27' }, '2026-02-27'],
    [{ from: 'sunday', to: 'yesterday' }, '2026-03-01'],
    [{ on: 'yesterday' }, '2026-03-01'],
    [{ on: 'last friday' }, '2026-02-27'],
    [{ on: '3 days ago' }, '2026-02-27'],
    [{ on: 'a day ago' }, '2026-03-01'],
  ])('of %j is the whole day', async (flags, day) => {
    expect(await periodOf(flags)).toEqual([`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`]);
  });

  test.each(['>', '<=', '='])('with %s in --filter too, before anything is sent', async (operator) => {
    const world = service();
    const words = ['vehicles', 'list', '--time-zone', 'Europe/Berlin'];
    const filter = `lastData.timestamp${operator}2026-03-29 02:30`;
    const { code, stderr } = await shellOf('demo', world.fetch)([...words, '--filter', filter]);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(
      '--filter "2026-03-29 02:30" is not a time: clocks skip it when daylight saving time begins.',
    );
  });

  test('of two weekdays has their order by the clock of the service, not by that of this machine', async () => {
    // It is Monday for this machine, after last week's Wednesday; Thursday for the service.
    const service = { now: (): number | null => null };
    const client = {
      connect: async () => {
        service.now = () => now + 3 * 86_400_000;
      },
    } as unknown as FleetClient;
    const run = { ...runIn('UTC'), service } as unknown as ServiceRun;
    const period = (from: string, to: string) => readPeriodExpression(run, from, to, () => endsTooEarly(to));
    const { from, to } = await period('monday', 'wednesday 12:00').span(run, client);
    expect([timestamp(from), timestamp(to)]).toEqual(['2026-03-02T00:00:00.000Z', '2026-03-04T12:00:00.000Z']);
    expect(() => period('today', 'yesterday')).toThrow('--from is after --to.');
  });

  test('with a local time that clocks skip is refused with the reason', async () => {
    const flags = { from: '2026-03-29 02:30', to: '2026-03-29 06:00' };
    await expect(periodOf(flags, 'Europe/Berlin')).rejects.toThrow(
      '--from "2026-03-29 02:30" is not a time: clocks skip it when daylight saving time begins.',
    );
  });

  test.each<[PeriodFlags, string, string]>([
    [{ on: 'last week' }, '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    [{ on: 'last month' }, '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    [{ from: 'last week', to: 'last week' }, '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    [{ on: '2026-W09' }, '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    [{ on: '2026-02' }, '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    [{ on: '1 week ago' }, '2026-02-23T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    [{ on: 'a-month-ago' }, '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    // In other flags it is a time.
    [{ from: '1 day ago' }, '2026-03-01T09:30:15.250Z', '2026-03-02T09:30:15.250Z'],
    [{ on: '-5h..-1h' }, '2026-03-02T04:30:15.250Z', '2026-03-02T08:30:15.250Z'],
    [{ from: '-5h..now' }, '2026-03-02T04:30:15.250Z', '2026-03-02T09:30:15.250Z'],
    [{ on: 'yesterday 8am..' }, '2026-03-01T08:00:00.000Z', '2026-03-02T09:30:15.250Z'],
    [{ from: 'yesterday..today 09:00' }, '2026-03-01T00:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ])('of %j is from %s to %s', async (flags, from, to) => {
    expect(await periodOf(flags)).toEqual([from, to]);
  });

  test('of a week follows the time zone', async () => {
    // In Kiritimati it is already Monday 23:30.
    expect(await periodOf({ on: 'last week' }, 'Pacific/Kiritimati')).toEqual([
      '2026-02-22T10:00:00.000Z',
      '2026-03-01T09:59:59.999Z',
    ]);
  });

  test('of a day follows the time zone, with 23 hours when clocks go forward', async () => {
    expect(await periodOf({ from: '2025-03-30', to: '2025-03-30' }, 'Europe/Tallinn')).toEqual([
      '2025-03-29T22:00:00.000Z',
      '2025-03-30T20:59:59.999Z',
    ]);
  });

  test('chooses the rows of a list, in the zone of TZ', async () => {
    const fleet = shellOf('demo', service().fetch);
    const rowsOf = async (words: readonly string[], zone: string) => {
      const { code, stdout, stderr } = await fleet([...list, ...words], { env: { TZ: zone } });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout).map(({ timestamp: time }: { timestamp: string }) => time);
    };
    const rows = await rowsOf(['--on', 'today 6:30..-1h'], 'Europe/Tallinn');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await rowsOf(['--from', '2026-03-02T04:30Z', '--to', '2026-03-02T08:30Z'], 'UTC'));
  });

  test.each([
    [['--on', 'today 08:00'], 'is not a day'],
    [['--on', '-1d'], 'is not a day'],
    [['--on', '3 hours ago'], 'is not a day'],
    [['--on', 'october'], 'is not a day. Nothing was sent.'],
    [['--on', 'october'], 'Write a month as 2025-10,'],
    [['--on', 'Feb'], 'Write a month as 2026-02,'],
    [['--on', 'monday', '--to', 'now'], 'either --on, or --from and --to'],
    [['--from', '-2d..-1d', '--to', 'now'], 'already contains an end'],
    [['--on', 'soon..now'], '--from \\"soon\\" is not a time'],
    [['--from', 'next year'], 'is not a time'],
    [['--on', 'now..-1d'], 'The period ends before it begins'],
    [['--from', 'now', '--to', 'now'], 'The period is empty: --from and --to are both 2026-03-02 09:30:00Z.'],
    [['--from', 'today 08:00', '--to', '08:00'], 'The period is empty'],
    [['--from', '-1M'], '--from \\"-1M\\" is not a time.'],
  ])('of %j is refused before anything is sent: %s', async (words, message) => {
    const requests: unknown[] = [];
    const { code, stderr } = await shellOf('demo', async (request) => {
      requests.push(request);
      return new Response(null, { status: 500 });
    })([...list, ...words]);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toContain(message);
  });
});
