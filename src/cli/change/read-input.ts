// Reads `--input`: one JSON object, an array of them, or one per line (NDJSON).
import { CliError } from '../errors/cli-error.js';
import { readText } from '../prompt/read-text.js';
import type { Context } from '../run/context.js';

/** What one line says. A text alone stands for the id or the name of the record the change is about. */
export type InputLine = Readonly<Record<string, unknown>> | string;

export interface Input {
  readonly lines: readonly InputLine[];
  /** Whether results are told line by line: of an array or of lines, also when it is only one. */
  readonly many: boolean;
  /** Where in the text each one stands, from 1; without it they are counted. Of an array, which one it is. */
  readonly places?: readonly number[] | undefined;
}

/** `source` is a file, or `-` for stdin. A text of one line is one object, unless `many` says that there may be more. */
export async function readInput(context: Context, source: string, many: boolean): Promise<Input> {
  return parseInput(await readText(context, source === '-' ? source : `@${source}`), many || isLinesFile(source));
}

/** A program that writes such a file counts on results line by line also when it wrote only one. */
function isLinesFile(source: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(source);
}

export function parseInput(raw: string, many: boolean): Input {
  const text = raw.replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refused('it is empty', 'Give an object, an array of objects, or one object per line.');
  const whole = parse(text);
  if (Array.isArray(whole)) {
    const lines = whole.map((value: unknown, place) => readLine(value, `${place + 1}. in the array`));
    return { lines, many: true };
  }
  if (whole !== undefined) return { lines: [readLine(whole, null)], many, places: [firstLine(text)] };
  const numbered = text.split(/\r\n|\n|\r/).map((line, place) => ({ line, number: place + 1 }));
  const filled = numbered.filter(({ line }) => line.trim() !== '');
  const [first] = filled;
  // What does not begin with a whole line of JSON is meant as one object over several lines.
  if (filled.length < 2 || first === undefined || parse(first.line) === undefined) {
    throw refused('it is not JSON', `${whereItBreaks(text)}${inOneLine(text)}`);
  }
  return {
    lines: filled.map(({ line, number }) => parseLine(line, number)),
    many: true,
    places: filled.map(({ number }) => number),
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
  if (value === undefined) throw refused(`line ${number} is not JSON`, whereItBreaks(line, number));
  return readLine(value, `line ${number}`);
}

function readLine(value: unknown, where: string | null): InputLine {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw refused(`${where ?? 'it'} is no object`, '--skeleton, or --help, shows its form.');
}

/** Where the JSON breaks, without a piece of it: messages hold no values. */
function whereItBreaks(text: string, line = 1): string {
  // The longest beginning that could still become JSON.
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  if (good === text.length) return 'It ends before it is complete.';
  const before = text.slice(0, good).split('\n');
  return `It breaks at line ${before.length + line - 1}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}

function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const place = /position (\d+)/.exec(message)?.[1];
    return place === undefined ? message.includes('end of JSON') : Number(place) >= text.length;
  }
}

/** What jq writes without -c: several objects, each over several lines. */
function inOneLine(text: string): string {
  return /^[\]}]\s*^[[{]/m.test(text) ? ' Several objects go one per line: jq writes them so with -c.' : '';
}

function refused(why: string, hint: string): CliError {
  return new CliError('USAGE', `The input cannot be used: ${why}. Nothing was sent.`, { hint });
}
