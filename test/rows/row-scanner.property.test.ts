// Compares the row scanner with JSON.parse: any document, cut into chunks anywhere.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactly } from '../../src/core/json.js';
import { ListReader } from '../../src/rows/list-reader.js';
import { parseBatch } from '../../src/rows/row-batch.js';
import { RowBuffer } from '../../src/rows/row-buffer.js';
import { RowScanner } from '../../src/rows/row-scanner.js';
import { anyCharacter } from '../any-character.js';
import { runs } from '../runs.js';

interface Answer {
  answer: unknown;
  rows: unknown[];
}

/** Reassembles the answer. The skimmer returns the same one, or throws as well. */
function scan(chunks: readonly Uint8Array[], batchBytes: number): Answer {
  const scanner = new RowScanner(['rows'], batchBytes);
  for (const chunk of chunks) scanner.feed(chunk);
  const { lists, rest } = scanner.end();
  const batches = lists.get('rows') ?? [];
  const skimmed = outcome(() => skim(chunks, batchBytes));
  const scanned = outcome(() => ({ answer: parseExactly(rest), rows: batches.flatMap(parseBatch) }));
  expect(skimmed).toEqual(scanned);
  expect(outcome(() => skimWhileArriving(chunks, batchBytes))).toEqual(scanned);
  if (scanned === 'no JSON') throw new SyntaxError(scanned);
  return scanned;
}

function outcome(read: () => Answer): Answer | 'no JSON' {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'no JSON';
  }
}

function skim(chunks: readonly Uint8Array[], batchBytes: number, memory = new RowBuffer()): Answer {
  const skimmer = new ListReader('rows', memory, batchBytes);
  for (const chunk of chunks) {
    // The owner of the bytes may overwrite them afterwards.
    const lent = Buffer.from(chunk);
    skimmer.feed(lent);
    lent.fill(0);
  }
  const rest = skimmer.end();
  const all: unknown[] = [];
  for (let some = skimmer.next(); some; some = skimmer.next()) all.push(...some);
  return { answer: parseExactly(rest), rows: all };
}

/** As `scan`, for a reader that takes all available rows after each chunk. */
function skimWhileArriving(chunks: readonly Uint8Array[], batchBytes: number): Answer {
  const skimmer = new ListReader('rows', new RowBuffer(), batchBytes);
  const all: unknown[] = [];
  for (const chunk of chunks) {
    skimmer.feed(chunk);
    for (let some = skimmer.next(); some; some = skimmer.next()) all.push(...some);
  }
  const rest = skimmer.end();
  for (let some = skimmer.next(); some; some = skimmer.next()) all.push(...some);
  return { answer: parseExactly(rest), rows: all };
}

function chunksOf(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end));
}

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
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('"', '\\', '\\"', '],[', '}', '{"', 'data', 'rows', 'é€😀', '\u2028'),
);
const json = fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter });
const row = fc.oneof(json, fc.dictionary(text, fc.oneof(text, json)), fc.constant(null));
const cuts = fc.array(fc.nat(), { maxLength: 30 });
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
/** Other members may have the very names that the scanner looks for. */
const otherMembers = fc.dictionary(
  fc.constantFrom('errors', 'extensions', 'rows', 'x'),
  fc.oneof(json, fc.constant({ data: { rows: [1] } })),
);

/** A chunk ends within a string, and the errors have a deeper list (found by fast-check). */
const listDeeperInTheErrors: [unknown[], object, object, boolean, string, number[], number] = [
  [{ '\u0000': '' }],
  { errors: { data: { rows: [1] } } },
  { data: { '': { '𐀀𐀀𐀀𐀀𐀀𐀀𐀀"𐀀': '𐀀𐀀', 𐀀𐀀𐀀𐀀: false } } },
  true,
  '',
  [187_922_635],
  1,
];

describe('the scanner gives what JSON.parse gives', () => {
  test('for any rows, anything around them, any white space, any chunks and any size of batch', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 20 }),
        otherMembers,
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
          expect(scanned.rows).toEqual(parseExactly(JSON.stringify(rows)));
          const rest: unknown = parseExactly(whole);
          expect(scanned.answer).toEqual(withoutRows(rest));
        },
      ),
      { numRuns: runs(1500), examples: [listDeeperInTheErrors] },
    );
  });

  test('for the rows of several lists, with anything between them', () => {
    const lists = fc.dictionary(fc.constantFrom('q0', 'q1', 'q2', 'other'), fc.oneof(fc.array(row), json));
    fc.assert(
      fc.property(
        lists,
        otherMembers,
        space,
        cuts,
        fc.integer({ min: 1, max: 200 }),
        (data, around, white, places, size) => {
          const whole = spaced({ data, ...around }, white);
          const scanner = new RowScanner(['q0', 'q1', 'q2'], size);
          for (const chunk of chunksOf(whole, places)) scanner.feed(chunk);
          const { lists, rest } = scanner.end();
          const parsed = parseExactly(whole) as { data: Record<string, unknown> };
          const expected = Object.entries(parsed.data).filter(
            ([name, rows]) => name !== 'other' && Array.isArray(rows),
          );
          expect([...lists].map(([name, batches]) => [name, batches.flatMap(parseBatch)])).toEqual(expected);
          const empty = Object.fromEntries(expected.map(([name]) => [name, []]));
          expect(parseExactly(rest)).toEqual({ ...parsed, data: { ...parsed.data, ...empty } });
        },
      ),
      { numRuns: runs(1500) },
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
          const parsed: unknown = parseExactly(whole);
          const list = listOf(parsed);
          expect(rows).toEqual(list ?? []);
          expect(answer).toEqual(list ? withoutRows(parsed) : parsed);
        },
      ),
      { numRuns: runs(1500) },
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

describe('the skimmer', () => {
  const alike = fc.oneof(
    fc.record({ id: fc.nat(9) }),
    fc.record({ id: fc.nat(9), list: fc.array(fc.record({ id: text }), { maxLength: 3 }) }),
    fc.record({ id: text, inner: fc.record({ id: text }) }),
    fc.constantFrom(null, { id: ',{"id":' }, { id: '},{"id' }, { id: '\\' }),
  );
  const others = fc.array(alike, { maxLength: 4 });

  test('cuts rows that begin alike, and is not misled by what else begins so', () => {
    fc.assert(
      fc.property(
        fc.array(alike, { maxLength: 20 }),
        fc.record({ errors: others, extensions: fc.record({ rows: others }) }, { requiredKeys: [] }),
        fc.boolean(),
        space,
        cuts,
        fc.integer({ min: 1, max: 100 }),
        (rows, around, errorsFirst, white, places, batchBytes) => {
          const { errors, ...others } = around;
          const document = errorsFirst ? { errors, data: { rows }, ...others } : { data: { rows }, ...around };
          const whole = spaced(JSON.parse(JSON.stringify(document)), white);
          const skimmed = outcome(() => skim(chunksOf(whole, places), batchBytes));
          // Nothing is returned if errors could be lost between look-alike rows.
          if (skimmed === 'no JSON' && !errorsFirst && errors?.length && others.extensions?.rows.length) return;
          expect(skimmed).toMatchObject({
            rows,
            answer: { data: { rows: [] }, ...(errors?.length ? { errors } : {}) },
          });
        },
      ),
      { numRuns: runs(1500) },
    );
  });

  test('uses its memory again, and mixes no answer with the one before', () => {
    const memory = new RowBuffer();
    for (const size of [3, 1000, 300, 5000]) {
      const rows = Array.from({ length: size }, (_, id) => ({ id, text: `${size} ä`.repeat(20) }));
      const whole = Buffer.from(JSON.stringify({ data: { rows } }));
      expect(skim([whole.subarray(0, 70_000), whole.subarray(70_000)], 64 * 1024, memory).rows).toEqual(rows);
    }
  });

  test('while an answer is read, others may write where its rows have been read, and only there', () => {
    const memory = new RowBuffer();
    // The middle rows are cut in the wrong place, so that the rest of the answer is scanned.
    const rows = Array.from({ length: 9000 }, (_, id) => ({ id, text: 'a'.repeat(100) })).map((row) =>
      row.id > 5000 && row.id < 6000 ? [1, row] : row,
    );
    const skimmer = new ListReader('rows', memory, 1000);
    skimmer.feed(Buffer.from(JSON.stringify({ data: { rows } })));
    skimmer.end();
    const blocks = new Set<Buffer>();
    const read: unknown[] = [];
    for (let some = skimmer.next(); some; some = skimmer.next()) {
      read.push(...some);
      const block = memory.acquire();
      blocks.add(block.fill(0));
      memory.release([block]);
    }
    expect(read).toEqual(rows);
    expect(blocks.size).toBeGreaterThan(2);
  });

  test('keeps the memory of two parts of a stream for the next ones, and not that of a longer answer', () => {
    const memory = new RowBuffer();
    const blocks = Array.from({ length: 60 }, () => memory.acquire());
    memory.release(blocks.slice(0, 20));
    memory.release(blocks.slice(20));
    const again = Array.from({ length: 60 }, () => memory.acquire());
    expect(again.filter((block) => blocks.includes(block))).toHaveLength(32);
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
  expect(() => parseExactly(broken)).toThrow();
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
