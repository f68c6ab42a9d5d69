// Reads JSON as one object, an array, or one object per line, and refuses other texts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/cli/errors/cli-error.js';
import { parseInput } from '../../src/cli/input/read-input.js';

function refusal(text: string): { readonly message: string; readonly hint: string | undefined } {
  try {
    parseInput(text);
  } catch (error) {
    if (error instanceof CliError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('it was taken');
}

describe('an input', () => {
  test('with one object is one change, on one line or several', () => {
    expect(parseInput('{"name":"a"}')).toMatchObject({ lines: [{ name: 'a' }], isList: false });
    expect(parseInput('\uFEFF{\r\n "name": "a"\r\n}\r\n')).toMatchObject({
      lines: [{ name: 'a' }],
      isList: false,
    });
  });

  test('with an array has an entry per element, also with none', () => {
    expect(parseInput('[{"name":"a"},"b"]')).toEqual({ lines: [{ name: 'a' }, 'b'], isList: true });
    expect(parseInput(' [] ')).toEqual({ lines: [], isList: true });
  });

  test('keeps members with names such as __proto__ as members', () => {
    const [line] = parseInput('{"__proto__":{"polluted":true},"constructor":1}').lines;
    expect(Object.keys(Object(line))).toEqual(['__proto__', 'constructor']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each([
    ['', 'it is empty', 'Give an object'],
    ['\uFEFF \r\n\n', 'it is empty', 'Give an object'],
    ['{"a":1', 'it is not JSON', 'It ends before it is complete.'],
    ['{"a": undefined}', 'it is not JSON', 'The syntax error is at line 1, column 7.'],
    ['{\n  "a": 1,\n}\n', 'it is not JSON', 'The syntax error is at line 3, column 1.'],
    ["{'a':1}", 'it is not JSON', 'The syntax error is at line 1, column 2.'],
    ['{"a":1}\n\n{"a":1\n', 'line 3 is not JSON', 'It ends before it is complete.'],
    ['{"a":1}\n{"a":1}}\n', 'line 2 is not JSON', 'The syntax error is at line 2, column 8.'],
    ['{"a":1}\nnull\n', 'line 2 is not an object', 'Give an object'],
    ['{"a":1}\n""\n', 'line 2 is not an object', 'Give an object'],
    ['[{"a":1},2]', 'entry 2 of the array is not an object', 'Give an object'],
    ['42', 'it is not an object', 'Give an object'],
    ['{\n  "a": 1\n}\n{\n  "a": 2\n}\n', 'it is not JSON', 'jq does so with -c.'],
  ])('%j is refused: %s', (text, why, hint) => {
    expect(refusal(text).message).toBe(`The input cannot be used: ${why}. Nothing was sent.`);
    expect(refusal(text).hint).toContain(hint);
  });

  test('is never quoted in messages', () => {
    for (const text of ['{"password": geheim}', '{"a":1}\n{"password": geheim}', '["geheim", 1]']) {
      expect(JSON.stringify(refusal(text))).not.toContain('geheim');
    }
  });
});

const members = fc.dictionary(fc.string(), fc.jsonValue());
const lines = fc.array(
  fc.oneof(
    members,
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
  ),
  {
    minLength: 2,
  },
);
const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\n \t\n');
/** Returns the value after a round trip through JSON, which turns -0 into 0. */
const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('any lines', () => {
  test('are returned in order with their line numbers, whatever the line ends are', () => {
    fc.assert(
      fc.property(lines, ends, fc.boolean(), fc.boolean(), (values, end, bom, last) => {
        const text = values.map((line) => JSON.stringify(line)).join(end);
        const input = parseInput(`${bom ? '\uFEFF' : ''}${text}${last ? end : ''}`);
        expect(input.isList).toBe(true);
        expect(input.lines.map(asRead)).toEqual(asRead(values));
        const step = end.split('\n').length - 1;
        expect(input.lineNumbers).toEqual(values.map((_, place) => place * step + 1));
      }),
    );
  });

  test('are returned from an array too', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(0, 2), (values, indent) => {
        expect(parseInput(JSON.stringify(values, null, indent)).lines.map(asRead)).toEqual(asRead(values));
      }),
    );
  });

  test('with one incomplete line are all refused, with its line number', () => {
    fc.assert(
      fc.property(fc.array(members, { minLength: 2, maxLength: 6 }), fc.nat(), fc.nat(), (values, which, cut) => {
        const texts = values.map((line) => JSON.stringify(line));
        // Not the first line, which would make the input one invalid object.
        const place = 1 + (which % (texts.length - 1));
        const whole = texts[place] ?? '';
        texts[place] = whole.slice(0, 1 + (cut % (whole.length - 1)));
        expect(refusal(texts.join('\n'))).toEqual({
          message: `The input cannot be used: line ${place + 1} is not JSON. Nothing was sent.`,
          hint: 'It ends before it is complete.',
        });
      }),
    );
  });

  test('of any text are read, or refused with a usage error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[{}[\]",:a1\n ]{0,30}$/)), (text) => {
        try {
          for (const line of parseInput(text).lines) expect(['string', 'object']).toContain(typeof line);
        } catch (error) {
          expect(error).toMatchObject({ name: 'CliError', code: 'USAGE' });
        }
      }),
    );
  });
});
