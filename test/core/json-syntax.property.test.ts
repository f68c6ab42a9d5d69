// Compares the search for JSON errors with JSON.parse, on JSON that is cut or changed anywhere.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonProblem, lineAndColumn } from '../../src/core/json-syntax.js';
import { runs } from '../runs.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const json = fc.oneof(
  fc.json(),
  fc.json().map((text) => JSON.stringify(JSON.parse(text), null, '\t')),
);

describe('a slip', () => {
  test('is found in every text that JSON.parse refuses, and in no other', () => {
    const changed = fc
      .tuple(json, fc.nat(), fc.constantFrom(',', '}', '"', ' ', 'x', '\\', '\n', '-', '.', 'e', '\u0001', ''))
      .map(([text, place, added]) => {
        const at = place % (text.length + 1);
        return `${text.slice(0, at)}${added}${text.slice(at + 1)}`;
      });
    fc.assert(
      fc.property(changed, (text) => {
        const problem = findJsonProblem(text);
        expect(problem === null).toBe(isJson(text));
        if (problem === null) return;
        // The text before it is valid, or incomplete.
        expect([null, problem.at]).toContain(findJsonProblem(text.slice(0, problem.at))?.at ?? null);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('of a text that is cut anywhere is at its end', () => {
    fc.assert(
      fc.property(json, fc.nat(), (text, place) => {
        const cut = text.slice(0, place % text.length);
        expect(findJsonProblem(cut)).toEqual(isJson(cut) ? null : { at: cut.length, isCut: true });
      }),
      { numRuns: runs(1000) },
    );
  });

  test.each([
    ['', 0],
    ['[1, 2', 5],
    ['{"a": 1,\n  b: 2}', 11],
    ['{} x', 3],
    ['{"a": trux}', 9],
    ['{"a": undefined}', 6],
    ['{"a": 01}', 7],
    ['{"a": 1.}', 8],
    ['{"a": +1}', 6],
    ['[1,]', 3],
    ['["\\u12x4"]', 6],
    ['["\\x"]', 3],
    ['["a\tb"]', 3],
    ['[}', 1],
    ["{'a':1}", 1],
  ])('in %j is at %i', (text, at) => {
    expect(findJsonProblem(text)).toEqual({ at, isCut: at === text.length });
  });

  test('is found however deep the text is nested and however long a string is', () => {
    expect(findJsonProblem('['.repeat(1_000_000))).toEqual({ at: 1_000_000, isCut: true });
    const long = `{"a":"${'x\\n'.repeat(1_000_000)}`;
    expect(findJsonProblem(long)).toEqual({ at: long.length, isCut: true });
  });

  test('has a line and a column', () => {
    expect(lineAndColumn('{"a": 1,\n  b: 2}', 11)).toEqual({ line: 2, column: 3 });
  });
});
