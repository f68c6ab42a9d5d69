// Integers beyond 2^53 keep their digits; everything else is as in JSON.parse.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactly } from '../../src/core/json.js';
import { runs } from '../runs.js';

test.each([
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['1234567890123456', 1234567890123456],
  ['9007199254740993.0', 9007199254740992],
  ['0.1234567890123456789', 0.12345678901234568],
  ['1e30', 1e30],
  ['1.7976931348623157e308', 1.7976931348623157e308],
  ['"9007199254740993"', '9007199254740993'],
  ['"at :9007199254740993, \\" 9007199254740993 "', 'at :9007199254740993, " 9007199254740993 '],
  ['{"9007199254740993":9007199254740993 }', { '9007199254740993': '9007199254740993' }],
  ['[9007199254740993,\t-9007199254740993\n,1]', ['9007199254740993', '-9007199254740993', 1]],
])('%s', (text, value) => {
  expect(parseExactly(`{"version":${text},"other":${text}}`)).toEqual({ version: value, other: value });
  expect(parseExactly(`[${text}]`)).toEqual([value]);
});

test.each([
  '[9007199254740993',
  '{"a":9007199254740993,}',
  '[09007199254740993]',
  '[9007199254740993 1]',
  '["9007199254740993]',
])('%s is no JSON', (text) => {
  expect(() => parseExactly(text)).toThrow(SyntaxError);
});

describe('any JSON', () => {
  interface Written {
    readonly text: string;
    readonly value: unknown;
  }
  const space = fc.constantFrom('', ' ', '\n', '\t');
  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  );
  const leaf: fc.Arbitrary<Written> = fc.oneof(
    number.map((whole) => {
      const value = Number(whole);
      return { text: String(whole), value: Number.isSafeInteger(value) ? value : String(whole) };
    }),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => !/^-?\d{16,}$/.test(JSON.stringify(value)))
      .map((value) => ({ text: JSON.stringify(value), value: value || 0 })),
    fc
      .constantFrom('1e15', '123456789012345678.5', '-1.5e-7', '0.00000000000000000001', '12345678901234567E3')
      .map((text) => ({
        text,
        value: Number(text),
      })),
    fc
      .array(fc.constantFrom('"', '\\', ':', ',', '9007199254740993', ' ', '}', '.', '-', 'é'), { maxLength: 6 })
      .map((parts) => ({ text: JSON.stringify(parts.join('')), value: parts.join('') })),
    fc.constantFrom(true, false, null).map((value) => ({ text: JSON.stringify(value), value })),
  );
  const { value: any } = fc.letrec<{ readonly value: Written }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space, space).map(([items, before, after]) => ({
        text: `[${items.map(({ text }) => `${before}${text}${after}`).join(',')}]`,
        value: items.map(({ value }) => value),
      })),
      fc
        .tuple(fc.dictionary(fc.constantFrom('version', 'a"b', '9007199254740993'), tie('value')), space, space)
        .map(([members, before, after]) => ({
          text: `{${Object.entries(members)
            .map(([name, { text }]) => `${JSON.stringify(name)}:${before}${text}${after}`)
            .join(',')}}`,
          value: Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value])),
        })),
    ),
  }));

  test('is read as JSON.parse does, with the digits of whole numbers', () => {
    fc.assert(
      fc.property(any, ({ text, value }) => {
        expect(parseExactly(`{"data":${text}}`)).toEqual({ data: value });
      }),
      { numRuns: runs(3_000) },
    );
  });
});
