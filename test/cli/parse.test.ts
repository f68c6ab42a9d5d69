// The parsers of typed values, with any text.
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { parseKeyValue } from '../../src/cli/api/variables.js';
import { plainText } from '../../src/cli/io/plain-text.js';
import { wrap } from '../../src/cli/io/wrap.js';
import { csvCell } from '../../src/cli/output/csv.js';
import { cellText, valueAt } from '../../src/cli/output/field-path.js';
import { fitWidths } from '../../src/cli/output/fit.js';
import { shorten } from '../../src/cli/output/table.js';
import { tsvCell } from '../../src/cli/output/tsv.js';
import { parseDuration } from '../../src/cli/parse/duration.js';
import { parseUserSelector } from '../../src/cli/parse/user-selector.js';
import { ageText, shortAge, wholeNumber } from '../../src/cli/views/humanize.js';
import { anyCharacter } from '../any-character.js';

const anyText = fc.string({ unit: anyCharacter });

describe('durations', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['1.5s', 1_500],
    ['7', 7_000],
    [' 7 ', 7_000],
  ])('%s', (text, expected) => expect(parseDuration(text, 's')).toBe(expected));

  test.each(['', 's', '-1s', '1 s', '1e3', '0x10', '1w', 'NaN', '5,5s'])('"%s" is none', (text) => {
    expect(parseDuration(text, 's')).toBeNull();
  });

  test('whole numbers are exact in every unit, and the default unit applies without one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (count) => {
        expect(parseDuration(`${count}ms`, 's')).toBe(count);
        expect(parseDuration(`${count}s`, 'ms')).toBe(count * 1_000);
        expect(parseDuration(`${count}m`, 'ms')).toBe(count * 60_000);
        expect(parseDuration(`${count}`, 'ms')).toBe(count);
        expect(parseDuration(`${count}`, 's')).toBe(count * 1_000);
      }),
    );
  });

  test('always gives whole milliseconds or null', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = parseDuration(text, 's');
        expect(value === null || (Number.isSafeInteger(value) && value >= 0)).toBe(true);
      }),
    );
  });
});

test('key=value splits at the first equals sign, whatever the value holds', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[^=]+$/), anyText, (key, value) => {
      expect(parseKeyValue(`${key}=${value}`)).toEqual({ key, value });
    }),
  );
  expect(parseKeyValue('novalue')).toBeNull();
  expect(parseKeyValue('=x')).toBeNull();
});

test('a user is an id, a fleet id or a name, and keeps its text', () => {
  fc.assert(
    fc.property(fc.uuid(), (userId) => {
      expect(parseUserSelector(userId)).toEqual({ by: 'userId', userId });
      expect(parseUserSelector(`fleet:${userId}`)).toEqual({ by: 'fleetId', fleetId: userId });
    }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const selector = parseUserSelector(text);
      if (selector?.by === 'name') expect(selector.name).toBe(text.trim());
      else if (selector === null) expect(['', 'fleet:']).toContain(text.trim());
    }),
  );
});

describe('cells', () => {
  test('a tsv cell is one cell of one line and can be parsed back', () => {
    const back: Record<string, string> = { '\\t': '\t', '\\n': '\n', '\\r': '\r', '\\\\': '\\' };
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = tsvCell(text);
        expect(cell).not.toMatch(/[\t\n\r]/);
        const read = cell.replace(/\\(u[0-9a-f]{4}|.)/g, (escaped, rest: string) =>
          rest.length > 1 ? String.fromCharCode(Number.parseInt(rest.slice(1), 16)) : (back[escaped] ?? escaped),
        );
        expect(read).toBe(text);
      }),
    );
  });

  test('a csv cell can be parsed back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = csvCell(text);
        if (cell.startsWith('"')) expect(cell.slice(1, -1).replaceAll('""', '"')).toBe(text);
        else expect(cell).toBe(text);
        expect(/^"|^[^",\r\n]*$/.test(cell)).toBe(true);
      }),
    );
  });

  test('text for people is one line without control characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(text)).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e]/u);
      }),
    );
  });

  test('a path reads through records and lists, and gives null for a missing field', () => {
    const row = { a: { b: 1 }, list: [{ n: 'x' }, { n: 'y' }, null], deep: [{ m: { k: 1 } }] };
    expect(cellText(valueAt(row, 'a.b'))).toBe('1');
    expect(cellText(valueAt(row, 'list.n'))).toBe('x;y;');
    expect(cellText(valueAt(row, 'deep'))).toBe('[{"m":{"k":1}}]');
    expect(cellText(valueAt(row, 'a.nothing.there'))).toBe('');
    expect(cellText(valueAt(row, 'toString'))).toBe('');
  });
});

describe('fitting a terminal', () => {
  test('a shortened text is never too wide, also with wide characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        expect(stringWidth(shorten(text, width))).toBeLessThanOrEqual(width);
      }),
    );
    expect(shorten('日本語トラック', 7)).toBe('日本語…');
  });

  test('wrapping keeps every word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        (words, width) => {
          const lines = wrap(words.join(' '), width);
          expect(lines.join(' ')).toBe(words.join(' '));
          for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true);
        },
      ),
    );
  });

  const column = fc
    .record({
      natural: fc.integer({ min: 1, max: 60 }),
      least: fc.integer({ min: 1, max: 60 }),
      rank: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ natural, least, rank }) => ({ natural, min: Math.min(natural, least), rank }));

  test('the columns fit, unless the required ones do not', () => {
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 200 }),
        (columns, width) => {
          const widths = fitWidths(columns, width, 2);
          const shown = widths.filter((one) => one !== null);
          const total = shown.reduce((sum, one) => sum + one, 0) + 2 * Math.max(0, shown.length - 1);
          const onlyMusts = columns.every(({ rank }, index) => rank === 0 || widths[index] === null);
          expect(total <= width || onlyMusts).toBe(true);
          for (const [index, { natural, min, rank }] of columns.entries()) {
            const fitWidth = widths[index];
            if (rank === 0) expect(fitWidth).not.toBeNull();
            if (typeof fitWidth === 'number') expect(fitWidth >= min && fitWidth <= natural).toBe(true);
          }
        },
      ),
    );
  });

  test('nothing is shortened when there is no terminal', () => {
    expect(fitWidths([{ natural: 500, min: 3, rank: 9 }], undefined, 2)).toEqual([500]);
  });
});

test('ages and numbers for people', () => {
  const now = Date.parse('2026-03-02T09:30:00Z');
  expect(ageText(now - 12 * 60_000 - 40_000, now)).toBe('12 min ago');
  expect(ageText(now + 299_900, now)).toBe('in 5 min');
  expect(ageText(now, now)).toBe('now');
  expect(shortAge(now - 3 * 86_400_000, now)).toBe('3d');
  expect(shortAge(now + 5_000, now)).toBe('0s');
  expect(shortAge(now + 400 * 86_400_000, now)).toBe('in 400d');
  expect(wholeNumber(1_234_567.5)).toBe('1,234,568');
  expect(wholeNumber(-1_234)).toBe('-1,234');
});
