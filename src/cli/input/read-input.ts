// Parses JSON: one object, an array of them, or one per line (NDJSON).

import { isObject } from '../../core/json.js';
import type { CliError } from '../errors/cli-error.js';
import { unusable } from '../errors/unusable.js';
import { describeJsonError } from '../parse/json-error-text.js';
import { isTooDeep, MAX_LEVELS } from '../parse/nesting.js';

/** A line of a file, or the object of --input. A text is the id or name of the record to change. */
export type InputLine = Readonly<Record<string, unknown>> | string;

export type TableFormat = 'csv' | 'tsv';

export interface Input {
  readonly lines: readonly InputLine[];
  /** True for an array, several lines or several documents, even with one object. */
  readonly isList: boolean;
  /** The line number of each entry, from 1; missing when entries are counted, as in an array. */
  readonly lineNumbers?: readonly number[] | undefined;
  /** The errors of invalid entries, by index. */
  readonly problems?: ReadonlyMap<number, readonly string[]> | undefined;
  readonly table?: TableFormat | undefined;
}

/** Parses one object, an array or NDJSON. `manyHint` is set when it must be one object. */
export function parseInput(raw: string, manyHint?: string): Input {
  const text = raw.replace(/^\uFEFF/, '');
  if (text.trim() === '')
    throw unusableInput('it is empty', 'Give an object, an array of objects, or one object per line.');
  const value = parse(text);
  if (Array.isArray(value)) {
    const lines = value.map((entry: unknown, index) => lineOf(entry, `entry ${index + 1} of the array`));
    return { lines, isList: true };
  }
  if (value !== undefined) return { lines: [lineOf(value, null)], isList: false, lineNumbers: [firstLine(text)] };
  const numbered = text.split(/\r\n|\n|\r/).map((line, index) => ({ line, number: index + 1 }));
  const filled = numbered.filter(({ line }) => line.trim() !== '');
  const [first] = filled;
  // If the first line is not complete JSON, the text is one object over several lines.
  const isOne = filled.length < 2 || first === undefined || parse(first.line) === undefined;
  const isSeveral = isManyObjects(text) || isTable(text);
  if (manyHint !== undefined && (!isOne || isSeveral)) throw notOneObject(manyHint);
  if (isOne) {
    const hint = [
      describeJsonError(text),
      isManyObjects(text) ? 'Write one object per line; jq does so with -c.' : '',
      isTable(text) ? 'For a table give --input-format csv or tsv.' : '',
    ];
    throw unusableInput('it is not JSON', hint.filter((part) => part !== '').join(' '));
  }
  return {
    lines: filled.map(({ line, number }) => parseLine(line, number)),
    isList: true,
    lineNumbers: filled.map(({ number }) => number),
  };
}

function firstLine(text: string): number {
  return text.slice(0, text.search(/\S/)).split(/\r\n|\n|\r/).length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLine(line: string, number: number): InputLine {
  const value = parse(line);
  if (value === undefined) throw unusableInput(`line ${number} is not JSON`, describeJsonError(line, number));
  return lineOf(value, `line ${number}`);
}

export function lineOf(value: unknown, where: string | null): InputLine {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (isTooDeep(value)) {
    throw unusableInput(
      `${where ?? 'it'} is nested deeper than ${MAX_LEVELS} levels`,
      'No record needs so many levels.',
    );
  }
  if (isObject(value)) return value;
  throw unusableInput(`${where ?? 'it'} is not an object`, 'Give an object with names and values.');
}

/** Returns true for the output of jq without -c: several objects, each over several lines. */
function isManyObjects(text: string): boolean {
  return /^[\]}]\s*^[[{]/m.test(text);
}

function isTable(text: string): boolean {
  const [header = ''] = text.split(/[\r\n]/, 1);
  return /[,;\t]/.test(header) && !/^\s*[[{"']/.test(header);
}

export function notOneObject(manyHint: string): CliError {
  return unusableInput('it is not one JSON object', manyHint);
}

export function unusableInput(reason: string, hint: string, details: readonly string[] = []): CliError {
  return unusable('input', reason, { undone: 'sent', hint, details });
}
