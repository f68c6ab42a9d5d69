// Reads the file of `--input`, in its format.
import { note, type ReportingRun, type Run } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { readBytes } from '../prompt/read-text.js';
import type { ChangeSpec } from './change-spec.js';
import { decodeInput, formatOfFile, type InputFormat } from './input-format.js';
import { type Input, parseInput, unusableInput } from './read-input.js';

/** What the columns of a table are. */
export type Columns = Pick<ChangeSpec, 'references' | 'input' | 'columns' | 'printed'>;

/** How a file is read, as the user said it. */
export interface InputFlags {
  readonly inputFormat?: InputFormat | undefined;
  /** Columns that nobody knows are left out. */
  readonly ignoreColumns?: true | undefined;
}

/**
 * `source` is a file, or `-` for stdin. A single line is one object, unless `many` says that there may
 * be more; a table always has many.
 * @throws CliError USAGE for a file that cannot be read or understood
 */
export async function loadInput(
  run: ReportingRun,
  source: string,
  flags: InputFlags,
  columns: Columns,
  many: boolean,
): Promise<Input> {
  const { text, kind } = await readDocument(run, source, flags.inputFormat);
  return parseText(run, text, kind, columns, many, flags);
}

/** The same for a text; null for a format that is not known. */
export async function parseText(
  run: ReportingRun,
  text: string,
  kind: InputFormat | null,
  columns: Columns,
  many: boolean,
  { ignoreColumns }: Pick<InputFlags, 'ignoreColumns'>,
): Promise<Input> {
  if (kind === 'csv' || kind === 'tsv') {
    const { readTable } = await import('./table/read-table.js');
    const { notes, ...input } = readTable(text, kind, columns, {
      zone: run.zone.name,
      ignoreColumns: ignoreColumns === true,
    });
    for (const line of notes) tellOrKeep(run, line);
    return input;
  }
  return parseDocument(text, kind, many);
}

/** For a command that takes one object, so no table. */
export async function loadObjects(run: Run, source: string, format: InputFormat | undefined): Promise<Input> {
  const { text, kind } = await readDocument(run, source, format);
  if (kind === 'csv' || kind === 'tsv') throw unusableInput(`it takes no ${kind}`, 'Give one object, as JSON or YAML.');
  return parseDocument(text, kind, false);
}

async function readDocument(
  run: Run,
  source: string,
  format: InputFormat | undefined,
): Promise<{ readonly text: string; readonly kind: InputFormat | null }> {
  const bytes = await readBytes(run, source === '-' ? source : `@${source}`);
  return { text: decodeInput(bytes), kind: format ?? formatOfFile(source) };
}

async function parseDocument(text: string, kind: InputFormat | null, many: boolean): Promise<Input> {
  if (kind === 'yaml') return (await import('./read-yaml.js')).parseYaml(text, many);
  // A program that writes a file of lines expects results line by line, even for a single line.
  return parseInput(text, many || kind === 'ndjson');
}

/** With JSON, stderr is one line at most, so it waits until the command ends. */
export function tellOrKeep(run: ReportingRun, line: string): void {
  if (formatOf(run).jsonIndent === null) note(run, line);
  else run.report.warn(line);
}
