// The flags of `fleet map`.
import { describe, expect, test } from 'vitest';
import { datesOf, mapDateOf } from '../src/command/dates.js';
import { openBrowser } from '../src/command/opening-file.js';
import { tilesOf } from '../src/command/tiles.js';

describe('--tiles', () => {
  const attribution = '© Example';

  test.each([
    'https://tiles.example.com/{z}/{x}/{y}.png',
    'https://{s}.tiles.example.com/{z}/{x}/{y}{r}.png?key=1',
    'http://127.0.0.1:8080/{z}/{x}/{y}',
  ])('takes %s', (tiles) => {
    expect(tilesOf({ tiles, attribution })).toEqual({ template: tiles, attribution });
  });

  test.each([
    ['https://tiles.example.com/{z}/{x}.png', /must contain/],
    ['https://tiles.example.com/{z}/{x}/{y}?k={key}', /contains \{key\}/],
    ['tiles.example.com/{z}/{x}/{y}', /is not an address/],
    ['ftp://tiles.example.com/{z}/{x}/{y}', /https/],
    ['javascript:alert(1)//{z}/{x}/{y}', /https/],
    ['https://me:secret@tiles.example.com/{z}/{x}/{y}', /password/],
    ['https://{z}.example.com/{x}/{y}', /no placeholder but \{s\} in the host name/],
    ["https://a';script-src *;/{z}/{x}/{y}", /is not an address|host name/],
  ])('refuses %s', (tiles, message) => {
    expect(() => tilesOf({ tiles, attribution })).toThrow(message);
  });

  test('requires an attribution, and requests nothing without it', () => {
    expect(() => tilesOf({ tiles: 'https://tiles.example.com/{z}/{x}/{y}.png' })).toThrow(/needs --attribution/);
    expect(() => tilesOf({ attribution })).toThrow(/needs --tiles/);
    expect(tilesOf({})).toBe(null);
  });
});

describe('days', () => {
  const hours = ({ from, to }: { readonly from: number; readonly to: number }) => (to - from) / 3_600_000;

  test('begin and end at midnight of the zone, also when clocks change', () => {
    const date = mapDateOf('2026-03-01', 'Europe/Tallinn');
    expect(date && new Date(date.from).toISOString()).toBe('2026-02-28T22:00:00.000Z');
    expect(
      ['2026-03-28', '2026-03-29', '2026-10-25'].map((day) =>
        hours(mapDateOf(day, 'Europe/Tallinn') ?? { from: 0, to: 0 }),
      ),
    ).toEqual([24, 23, 25]);
  });

  test.each(['', '2026-02-30', '2026-3-1', 'yesterday', '2026-03-01T00:00'])(
    'returns null for %j, which is not a date',
    (text) => {
      expect(mapDateOf(text, 'UTC')).toBe(null);
    },
  );

  test('a period has the days that it touches', () => {
    const from = Date.parse('2026-02-28T21:59:00Z');
    expect(datesOf({ from, to: from + 86_400_000 }, 'Europe/Tallinn').map(({ day }) => day)).toEqual([
      '2026-02-28',
      '2026-03-01',
    ]);
    const midnight = Date.parse('2026-03-02T00:00:00Z');
    expect(datesOf({ from: midnight - 86_400_000, to: midnight }, 'UTC').map(({ day }) => day)).toEqual(['2026-03-01']);
  });
});

describe('--open', () => {
  const url = 'http://127.0.0.1:1/x/';

  test.each([
    ['linux', 'xdg-open', [url]],
    ['darwin', 'open', [url]],
    ['win32', 'rundll32', ['url.dll,FileProtocolHandler', url]],
  ] as const)('%s: %s', async (platform, command, args) => {
    const started: unknown[] = [];
    const isOpen = await openBrowser(url, platform, {}, (name, openerArgs, { shell }) => {
      started.push(name, openerArgs, shell);
      return { once: (event, listener) => event === 'spawn' && listener(), unref: () => undefined };
    });
    expect([isOpen, ...started]).toEqual([true, command, args, undefined]);
  });

  test('reports that the program to open it does not exist', async () => {
    const missing = () => ({
      once: (event: string, listener: () => void) => event === 'error' && listener(),
      unref: () => undefined,
    });
    expect(await openBrowser(url, 'linux', {}, missing)).toBe(false);
  });
});
