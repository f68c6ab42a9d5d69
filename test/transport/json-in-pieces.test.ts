// Long JSON is parsed in pieces: the same value as of JSON.parse, the same errors, and other work goes on meanwhile.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readResponse } from '../../src/request/send.js';
import { parseInPieces } from '../../src/transport/json-in-pieces.js';

/** JSON with white space and escapes wherever it may have them. */
const spaced = fc.tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t', ' \n\r')).map(([text, space]) => {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value, null, space);
});

describe('whatever the size of the pieces', () => {
  test('JSON becomes the value that JSON.parse makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(spaced, fc.integer({ min: 1, max: 40 }), async (text, piece) => {
        expect(await parseInPieces(` ${text}\n`, piece)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('what is no JSON is refused as JSON.parse refuses it', async () => {
    const outcome = async (parse: () => unknown) => {
      try {
        return { value: await parse() };
      } catch (error) {
        return { error: String(error) };
      }
    };
    const signs = fc.string({ unit: fc.constantFrom(...'{}[],:"\\ 1e-x', 'true', 'null', '"a"', '\n'), maxLength: 24 });
    const broken = fc.tuple(spaced, fc.nat(), signs).map(([text, at, sign]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + sign + text.slice(place + (at % 3));
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(broken, signs), fc.integer({ min: 1, max: 20 }), async (text, piece) => {
        expect(await outcome(() => parseInPieces(text, piece))).toEqual(await outcome(() => JSON.parse(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['{"__proto__":{"a":1},"b":[1]}', '{"a":1,"a":2}', '{"":[[],{},[[]]],"b\\"]":"}"}', '[-0,1e400]'])(
    '%s',
    async (text) => {
      const value = await parseInPieces(text, 2);
      expect(value).toEqual(JSON.parse(text));
      expect(Object.keys(Object(value))).toEqual(Object.keys(JSON.parse(text)));
      expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(JSON.parse(text)));
    },
  );
});

// The end of each level was looked for in a whole piece: this took minutes, and the end of the process.
test.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('%s that are nested deeply', async (_what, open, close) => {
  const depth = Math.ceil(400_000 / (open.length + close.length));
  let value = await parseInPieces(`${open.repeat(depth)}0${close.repeat(depth)}`);
  let levels = 0;
  for (; typeof value === 'object' && value !== null; levels++) [value] = Object.values(value);
  expect({ levels, value }).toEqual({ levels: depth, value: 0 });
});

describe('a long answer', () => {
  const rows = Array.from({ length: 80_000 }, (_, id) => ({ id, name: `Zürich, "${id}"`, tags: ['a', 'b'] }));

  /** The reply to this text, and how often the event loop had its turn meanwhile. */
  async function turnsToRead(text: string) {
    const response = { ok: true, status: 200, headers: new Headers(), text: async () => text, json: async () => null };
    let turns = 0;
    let immediate = setImmediate(function again() {
      turns++;
      immediate = setImmediate(again);
    });
    const reply = await readResponse(response);
    clearImmediate(immediate);
    return { reply, turns };
  }

  test('is the same as a short one, and the event loop has its turn in between', async () => {
    const text = JSON.stringify({ errors: [{ message: 'b' }], data: { a: rows, b: null }, extensions: { x: 1 } });
    expect(text.length).toBeGreaterThan(4_000_000);
    const { reply, turns } = await turnsToRead(text);
    expect(reply).toHaveProperty('value', { data: { a: rows, b: null }, errors: [{ message: 'b' }] });
    expect(reply.text).toBe(text);
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  test('of a thousand vehicles is not long: it is parsed at once, because pieces take twice the time', async () => {
    const text = JSON.stringify({ data: { a: rows.slice(0, 10_000) } });
    expect(text.length).toBeGreaterThan(500_000);
    const { reply, turns } = await turnsToRead(text);
    expect(reply).toHaveProperty('value.data', { a: rows.slice(0, 10_000) });
    expect(turns).toBe(0);
  });

  test('that is cut is no answer', async () => {
    const text = JSON.stringify({ data: { a: rows } }).slice(0, -1);
    const response = { ok: true, status: 200, headers: new Headers(), text: async () => text, json: async () => null };
    expect(await readResponse(response)).toMatchObject({ failure: { kind: 'truncated' }, text });
  });
});
