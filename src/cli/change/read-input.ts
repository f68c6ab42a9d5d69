// Reads `--input`: one JSON object, an array of them, or one per line (NDJSON).
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';
import { readText } from '../prompt/read-text.js';

/** What one line says. A text alone stands for the id or the name of the record the change is about. */
export type InputLine = Readonly<Record<string, unknown>> | string;

export interface Input {
  readonly lines: readonly InputLine[];
  /** Whether results are told line by line: of an array or of lines, also when it is only one. */
  readonly many: boolean;
}

/** `source` is a file, or `-` for stdin. */
export async function readInput(context: Context, source: string): Promise<Input> {
  const text = (await readText(context, source === '-' || source.startsWith('@') ? source : `@${source}`)).replace(
    /^\uFEFF/,
    '',
  );
  const whole = parse(text);
  if (whole !== undefined) {
    if (!Array.isArray(whole)) return { lines: [readLine(whole, null)], many: false };
    return { lines: nonEmpty(whole.map((value: unknown, place) => readLine(value, place + 1))), many: true };
  }
  const numbered = text.split(/\r?\n/).map((line, place) => ({ line, number: place + 1 }));
  const lines = numbered.filter(({ line }) => line.trim() !== '');
  if (lines.length > 1) return { lines: lines.map(({ line, number }) => parseLine(line, number)), many: true };
  if (text.trim() === '') return { lines: nonEmpty([]), many: true };
  throw refused('it is not JSON', jsonError(text));
}

function nonEmpty(lines: readonly InputLine[]): readonly InputLine[] {
  if (lines.length > 0) return lines;
  throw refused('it is empty', 'Give an object, an array of objects, or one object per line.');
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
  if (value === undefined) throw refused(`line ${number} is not JSON`, jsonError(line));
  return readLine(value, number);
}

function readLine(value: unknown, number: number | null): InputLine {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw refused(number === null ? 'it is no object' : `line ${number} is no object`, '--skeleton shows its form.');
}

/** Where the JSON breaks, without a piece of it: messages hold no values. */
function jsonError(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const place = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (place === undefined) return 'It ends before it is complete.';
    const before = text.slice(0, Number(place)).split('\n');
    return `It breaks at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
  }
}

function refused(why: string, hint: string): CliError {
  return new CliError('USAGE', `The input cannot be used: ${why}. Nothing was sent.`, { hint });
}
