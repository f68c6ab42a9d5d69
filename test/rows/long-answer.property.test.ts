// A long answer is parsed in pieces, with the same value, while other work continues.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactly } from '../../src/core/json.js';
import { readResponse } from '../../src/request/answer.js';
import { parseLongAnswer } from '../../src/rows/long-answer.js';
import { anyCharacter } from '../any-character.js';
import { runs } from '../runs.js';

const space = fc.constantFrom(undefined, 1, '\t', ' \n\r');
const json = fc.jsonValue({ maxDepth: 5, stringUnit: anyCharacter });
const data = fc.dictionary(fc.string({ maxLength: 3 }), fc.oneof(fc.array(json), json));
const answer = fc.oneof(fc.record({ data, errors: json, extensions: json }, { requiredKeys: [] }), json);

describe('whatever the size of the pieces', () => {
  test('an answer becomes the value that parsing it at once makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(answer, space, fc.integer({ min: 1, max: 40 }), async (value, white, piece) => {
        const text = ` ${JSON.stringify(value, null, white)}\n`;
        expect(await parseLongAnswer(text, piece)).toEqual(parseExactly(text));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('what is no JSON is refused', async () => {
    const isRefused = async (parse: () => unknown) => {
      try {
        await parse();
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return true;
      }
    };
    const signs = fc.constantFrom(...'{}[],:"\\ 1e-x', 'true', 'null', '"a"', '\n');
    await fc.assert(
      fc.asyncProperty(answer, fc.nat(), signs, fc.integer({ min: 1, max: 20 }), async (value, at, sign, piece) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + sign + text.slice(place + (at % 3));
        expect(await isRefused(() => parseLongAnswer(broken, piece))).toBe(await isRefused(() => parseExactly(broken)));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.each([
    '{"data":{"__proto__":[{"a":1}],"b":[1]}}',
    '{"data":{"a":[],"":[[],{},[[]]],"b\\"]":["}"]}}',
    '[-0,1e400]',
  ])('%s', async (text) => {
    const value = await parseLongAnswer(text, 2);
    expect(value).toEqual(parseExactly(text));
    const [own, expected] = [value, parseExactly(text)].map((one) => Object(Object(one).data));
    expect(Object.keys(own)).toEqual(Object.keys(expected));
    expect(Object.getPrototypeOf(own)).toBe(Object.getPrototypeOf(expected));
  });
});

// A recursive parser would overflow the stack.
test.each([
  ['in a row', '{"data":{"a":[1,', ']}}'],
  ['in no list', '{"data":{"a":', '}}'],
])('nested deeply %s', async (_what, open, close) => {
  const depth = 200_000;
  const value = await parseLongAnswer(`${open}${'['.repeat(depth)}0${']'.repeat(depth)}${close}`);
  let levels = 0;
  for (let one: unknown = Object(value).data.a; Array.isArray(one); one = one.at(-1)) levels++;
  expect(levels).toBe(open.includes('[') ? depth + 1 : depth);
});

describe('a long answer', () => {
  const rows = Array.from({ length: 80_000 }, (_, id) => ({ id, name: `Zürich, "${id}" 😀`, tags: ['a', 'b'] }));

  /** Returns the reply to this text, and the number of event-loop turns meanwhile. */
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
    expect(reply.bytes).toBe(Buffer.byteLength(text));
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
    expect(await readResponse(response)).toMatchObject({
      failure: { kind: 'truncated' },
      bytes: Buffer.byteLength(text),
    });
  });
});
