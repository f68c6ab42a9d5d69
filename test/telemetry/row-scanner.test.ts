// The row scanner against JSON.parse: any document, cut into chunks anywhere.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBatch, RowScanner } from '../../src/request/row-scanner.js';

/** The answer put together again from its rows and the rest. */
function scan(chunks: readonly Uint8Array[], batchBytes: number): { answer: unknown; rows: unknown[] } {
  const scanner = new RowScanner('rows', batchBytes);
  for (const chunk of chunks) scanner.feed(chunk);
  const { batches, rest } = scanner.end();
  return { answer: JSON.parse(rest), rows: batches.flatMap(parseBatch) };
}

function chunksOf(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

/** White space wherever JSON allows it. */
function spaced(value: unknown, space: string): string {
  if (Array.isArray(value))
    return `[${space}${value.map((one) => spaced(one, space)).join(`${space},${space}`)}${space}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}${space}:${space}${spaced(one, space)}`,
  );
  return `${space}{${space}${members.join(`${space},${space}`)}${space}}${space}`;
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '],[', '}', '{"', 'data', 'rows', 'é€😀', '\u2028'),
);
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const row = fc.oneof(json, fc.dictionary(text, fc.oneof(text, json)), fc.constant(null));
const cuts = fc.array(fc.nat(), { maxLength: 30 });
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
/** Beside the rows there may be anything, with the very names that the scanner looks for. */
const beside = fc.dictionary(
  fc.constantFrom('errors', 'extensions', 'rows', 'x'),
  fc.oneof(json, fc.constant({ data: { rows: [1] } })),
);

describe('the scanner gives what JSON.parse gives', () => {
  test('for any rows, anything around them, any white space, any chunks and any size of batch', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 20 }),
        beside,
        fc.dictionary(fc.constantFrom('a', 'data', 'other'), json),
        fc.boolean(),
        space,
        cuts,
        fc.integer({ min: 1, max: 200 }),
        (rows, around, siblings, dataFirst, white, places, batchBytes) => {
          const data = dataFirst ? { rows, ...siblings } : { ...siblings, rows };
          const answer = dataFirst ? { data, ...around } : { ...around, data };
          const whole = spaced(answer, white);
          const scanned = scan(chunksOf(whole, places), batchBytes);
          expect(scanned.rows).toEqual(JSON.parse(JSON.stringify(rows)));
          const rest: unknown = JSON.parse(whole);
          expect(scanned.answer).toEqual(withoutRows(rest));
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('for any document at all, whatever it holds under data', () => {
    fc.assert(
      fc.property(
        fc.oneof(json, fc.record({ data: json }), fc.record({ data: fc.record({ rows: json }) })),
        cuts,
        (document, places) => {
          const whole = JSON.stringify(document);
          const { answer, rows } = scan(chunksOf(whole, places), 10);
          const parsed: unknown = JSON.parse(whole);
          const list = listOf(parsed);
          expect(rows).toEqual(list ?? []);
          expect(answer).toEqual(list ? withoutRows(parsed) : parsed);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('at every single place where an answer can be cut in two', () => {
    const rows = [{ s: 'a"],[{\\', 'é€😀': '\\"' }, null, [[]], 'x,"y', -1.5e3, {}];
    const whole = Buffer.from(spaced({ errors: [{ message: '"data":{"rows":[1]}' }], data: { rows } }, ' '));
    for (let at = 0; at <= whole.length; at++) {
      expect(scan([whole.subarray(0, at), whole.subarray(at)], 1).rows).toEqual(rows);
    }
  });
});

test('names are read through their escapes, and a byte order mark is passed over', () => {
  const escaped = '\ufeff{"d\\u0061ta":{"r\\u006fws":[1,2]}}';
  expect(scan([Buffer.from(escaped)], 1)).toEqual({ answer: { data: { rows: [] } }, rows: [1, 2] });
});

test.each([
  ['a comma too many', '{"data":{"rows":[1,2,]}}'],
  ['a comma too many, and nothing else', '{"data":{"rows":[,]}}'],
  ['two commas', '{"data":{"rows":[1,,2]}}'],
  ['no comma', '{"data":{"rows":[{} {}]}}'],
  ['the wrong bracket', '{"data":{"rows":[{]}}}'],
  ['the wrong bracket at the end', '{"data":{"rows":[1}}}'],
  ['nothing after some rows', '{"data":{"rows":[1,{"a":'],
  ['a row that is no JSON', '{"data":{"rows":[{a:1}]}}'],
  ['two lists', '{"data":{"rows":[1][2]}}'],
])('what JSON.parse refuses is refused: %s', (_what, broken) => {
  expect(() => JSON.parse(broken)).toThrow();
  for (const batchBytes of [1, 1000]) expect(() => scan([Buffer.from(broken)], batchBytes)).toThrow();
});

function listOf(parsed: unknown): unknown[] | null {
  const data = member(parsed, 'data');
  const rows = member(data, 'rows');
  return Array.isArray(rows) ? rows : null;
}

function withoutRows(parsed: unknown): unknown {
  const data = member(parsed, 'data');
  return { ...Object(parsed), data: { ...Object(data), rows: [] } };
}

function member(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null && !Array.isArray(of) && Object.hasOwn(of, name)
    ? Reflect.get(of, name)
    : undefined;
}
