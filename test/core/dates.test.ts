// toDate parses every form of a timestamp, and never invents one.
import { expect, test } from 'vitest';
import { InvalidInputError, toDate } from '../../src/index.js';

test.each<[unknown, string]>([
  ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01t08:30:00z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T08:30:00.123456789Z', '2026-03-01T08:30:00.123Z'],
  ['2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00.000Z'],
  ['2026-03-01T08:30:00-0330', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01 08:30:00Z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T08:30:00', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01T08:30Z', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  [1_772_353_800_000, '2026-03-01T08:30:00.000Z'],
  [1_772_353_800, '2026-03-01T08:30:00.000Z'],
  [1_772_353_800.5, '2026-03-01T08:30:00.500Z'],
  ['1772353800000', '2026-03-01T08:30:00.000Z'],
  ['1772353800', '2026-03-01T08:30:00.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('%j', (value, expected) => {
  // the table mixes types that the overloads separate
  expect(toDate(value as string)?.toISOString()).toBe(expected);
});

test('null stays null', () => {
  expect(toDate(null)).toBeNull();
  expect(toDate(undefined)).toBeNull();
});

test.each([
  '',
  'now',
  'March 1, 2026',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00.5+01:00',
  '2026-04-31',
  1_772_366_400_000_000,
  '2026-03-01T25:00:00Z',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new Date(Number.NaN),
  {},
  true,
])('%j is refused', (value) => {
  expect(() => toDate(value as string)).toThrow(InvalidInputError);
});
