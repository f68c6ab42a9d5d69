// Reads the file of `--input`, in its format.
import { note, type ReportingRun } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { readBytes } from '../prompt/read-text.js';
import { decodeInput, formatOfFile, type InputFormat, isArchive } from './input-format.js';
import { type Input, parseInput, unusableInput } from './read-input.js';
import type { TableColumns } from './table/columns.js';
import type { TableInput } from './table/read-table.js';

type TextFormat = Exclude<InputFormat, 'xlsx'>;

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
  columns: TableColumns,
  many: boolean,
): Promise<Input> {
  return parseContent(run, await readContent(run, source, flags.inputFormat), columns, many, flags);
}

/** What a file holds: a text in a format that may not be known, or a workbook. */
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
  if (remark !== null) tellOrKeep(run, remark);
  return { text, kind: named === 'xlsx' ? null : named };
}

export async function parseContent(
  run: ReportingRun,
  content: Content,
  columns: TableColumns,
  many: boolean,
  { ignoreColumns }: Pick<InputFlags, 'ignoreColumns'>,
): Promise<Input> {
  const rules = { zone: run.zone.name, ignoreColumns: ignoreColumns === true };
  const tell = ({ notes, ...input }: TableInput) => {
    for (const line of notes) tellOrKeep(run, line);
    return input;
  };
  if ('workbook' in content) {
    const [{ readXlsx }, { tableOfRows }] = await Promise.all([
      import('./table/read-xlsx.js'),
      import('./table/read-table.js'),
    ]);
    const rows = await readXlsx(content.workbook);
    return tell(tableOfRows({ rows, decimalComma: false, format: 'csv' }, columns, rules));
  }
  const { text, kind } = content;
  if (kind !== 'csv' && kind !== 'tsv') return parseDocument(text, kind, many);
  const { readTable } = await import('./table/read-table.js');
  return tell(readTable(text, kind, columns, rules));
}

/** For a command that takes one object, so no table. */
export async function loadObjects(run: ReportingRun, source: string, format: InputFormat | undefined): Promise<Input> {
  const content = await readContent(run, source, format);
  if ('workbook' in content || content.kind === 'csv' || content.kind === 'tsv') {
    throw unusableInput('it takes no table', 'Give one object, as JSON or YAML.');
  }
  return parseDocument(content.text, content.kind, false);
}

async function parseDocument(text: string, kind: TextFormat | null, many: boolean): Promise<Input> {
  if (kind === 'yaml') return (await import('./read-yaml.js')).parseYaml(text, many);
  // A program that writes a file of lines expects results line by line, even for a single line.
  return parseInput(text, many || kind === 'ndjson');
}

/** With JSON, stderr is one line at most, so it waits until the command ends. */
export function tellOrKeep(run: ReportingRun, line: string): void {
  if (formatOf(run).jsonIndent === null) note(run, line);
  else run.report.warn(line);
}
