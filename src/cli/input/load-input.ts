// Reads a file of records in its format, and the object of --input.
import { note, type ReportingRun } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { readBytes } from '../prompt/read-text.js';
import type { Members } from '../records/differences.js';
import { decodeInput, formatOfFile, type InputFormat, isArchive } from './input-format.js';
import { type Input, notOneObject, parseInput, unusableInput } from './read-input.js';
import type { TableColumns } from './table/columns.js';
import type { TableInput } from './table/read-table.js';

type TextFormat = Exclude<InputFormat, 'xlsx'>;

export interface InputFlags {
  readonly inputFormat?: InputFormat | undefined;
  readonly ignoreColumns?: true | undefined;
}

/** Reads the records of a file, or of stdin for `-`. Throws CliError USAGE. */
export async function loadInput(
  run: ReportingRun,
  source: string,
  flags: InputFlags,
  columns: TableColumns,
): Promise<Input> {
  return parseContent(run, await readContent(run, source, flags.inputFormat), columns, flags);
}

/** The content of a file: a text in a possibly unknown format, or a workbook. */
export type Content = { readonly text: string; readonly kind: TextFormat | null } | { readonly workbook: Uint8Array };

export async function readContent(
  run: ReportingRun,
  source: string,
  format: InputFormat | undefined,
): Promise<Content> {
  const bytes = await readBytes(run, source === '-' ? source : `@${source}`);
  if (format === 'xlsx' || (format === undefined && isArchive(bytes))) return { workbook: bytes };
  const named = format ?? formatOfFile(source);
  const { text, note: remark } = decodeInput(bytes);
  if (remark !== null) printOrDefer(run, remark);
  return { text, kind: named === 'xlsx' ? null : named };
}

export async function parseContent(
  run: ReportingRun,
  content: Content,
  columns: TableColumns,
  { ignoreColumns }: Pick<InputFlags, 'ignoreColumns'>,
): Promise<Input> {
  const rules = { zone: run.zone.name, ignoreColumns: ignoreColumns === true };
  const printNotes = ({ notes, ...input }: TableInput) => {
    for (const line of notes) printOrDefer(run, line);
    return input;
  };
  if ('workbook' in content) {
    const [{ readXlsx }, { tableOfRows }] = await Promise.all([
      import('./table/read-xlsx.js'),
      import('./table/read-table.js'),
    ]);
    const rows = await readXlsx(content.workbook);
    return printNotes(tableOfRows({ rows, decimalComma: false, format: 'csv' }, columns, rules));
  }
  const { text, kind } = content;
  if (kind !== 'csv' && kind !== 'tsv') return parseDocument(text, kind);
  const { readTable } = await import('./table/read-table.js');
  return printNotes(readTable(text, kind, columns, rules));
}

/** Reads the single object of --input. `hint` names the command that takes several objects. */
export async function loadObject(run: ReportingRun, source: string, hint: string): Promise<Members> {
  const content = await readContent(run, source, undefined);
  if ('workbook' in content || content.kind === 'csv' || content.kind === 'tsv') {
    throw unusableInput('it is a table, and this takes one JSON object', hint);
  }
  if (content.text.trim() === '') throw unusableInput('it is empty', 'Give one JSON object.');
  const { lines, isList } = await parseDocument(content.text, content.kind, hint);
  const [only] = lines;
  if (!isList && typeof only === 'object') return only;
  throw notOneObject(hint);
}

async function parseDocument(text: string, kind: TextFormat | null, manyHint?: string): Promise<Input> {
  return kind === 'yaml' ? (await import('./read-yaml.js')).parseYaml(text) : parseInput(text, manyHint);
}

/** Prints a line; with JSON, defers it to the end, because stderr is at most one line. */
export function printOrDefer(run: ReportingRun, line: string): void {
  if (formatOf(run).jsonIndent === null) note(run, line);
  else run.report.warn(line);
}
