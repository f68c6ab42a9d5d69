// Reads records from a table: the header names the members of a record, and each row is a record.
import { isObject } from '../../../core/json.js';
import { firstOf } from '../../errors/unusable.js';
import { normalizeName } from '../../output/headings.js';
import { zoneInHeading } from '../../time/format-time.js';
import { type Input, type TableFormat, unusableInput } from '../read-input.js';
import { Headers, type InputColumn, type Printed, type TableColumns } from './columns.js';
import { CsvFlaw, type DelimitedRow, delimiterOf, readCsv, readTsv } from './delimited.js';
import { commandFor, isPrinted, settersOf } from './printed.js';
import { type CellRules, readCell } from './read-cell.js';

export interface TableInput extends Input {
  readonly notes: readonly string[];
}

interface TableRules {
  readonly zone: string | undefined;
  readonly ignoreColumns: boolean;
}

/** Reads records from csv or tsv text. Throws CliError USAGE for invalid text or columns. */
export function readTable(text: string, format: TableFormat, spec: TableColumns, rules: TableRules): TableInput {
  return tableOfRows({ ...rowsOf(text, format), format }, spec, rules);
}

interface TableRows {
  readonly rows: readonly DelimitedRow[];
  readonly decimalComma: boolean;
  /** The format for lines that are not done. */
  readonly format: TableFormat;
}

/** Reads records from rows of cells. Throws CliError USAGE for unknown or missing columns. */
export function tableOfRows(
  { rows, decimalComma, format }: TableRows,
  spec: TableColumns,
  { zone, ignoreColumns }: TableRules,
): TableInput {
  const [header, ...body] = rows;
  if (header === undefined) throw unusableInput('it is empty', 'The first line names the columns.');
  const titles = header.cells.map(({ text }) => text.trim());
  const headers = new Headers(spec);
  const found = titles.map((title) => findColumn(headers, title));
  const columns = found.map(({ column }) => column);
  refuseHeader(titles, columns, headers);
  const widths = body.filter(({ cells }) => cells.length !== titles.length);
  if (widths.length > 0) throw otherWidth(widths, titles.length, format);
  const names = new Set(columns.flatMap((column) => column?.name ?? []));
  const others = titles.flatMap((title, index) => {
    if (columns[index] !== undefined) return [];
    if (title !== '') return [title];
    // Spreadsheets leave empty columns behind.
    return body.some(({ cells }) => cells[index]?.text.trim()) ? [`column ${index + 1} has no title`] : [];
  });

  const problems = new Map<number, readonly string[]>();
  let unquoted = 0;
  const lines = body.map(({ cells }, row) => {
    const line: Record<string, unknown> = {};
    const wrong: string[] = [];
    for (const [index, cell] of cells.entries()) {
      const column = columns[index];
      if (!column) continue;
      const rules: CellRules = { zone: found[index]?.zone ?? zone, decimalComma };
      const reading = readCell(cell, column.type, rules);
      if ('problem' in reading) wrong.push(`${titles[index]}: ${reading.problem}`);
      if (!('value' in reading)) continue;
      if (reading.unquoted) unquoted++;
      put(line, column.path ?? column.name.split('.'), reading.value);
    }
    if (wrong.length > 0) problems.set(row, wrong);
    return line;
  });
  const values = body.flatMap(({ line }, row) => (problems.get(row) ?? []).map((text) => `line ${line}, ${text}`));
  refuseUnknown(others, headers, names, spec.printed, ignoreColumns, values);
  const notes = [
    ignoredColumnsNote(others, headers, spec.printed),
    removedQuotesNote(unquoted),
    literalQuotesNote(body, format),
  ];
  return {
    lines,
    isList: true,
    lineNumbers: body.map(({ line }) => line),
    problems,
    table: format,
    notes: notes.filter((note) => note !== null),
  };
}

interface FoundColumn {
  readonly column?: InputColumn | undefined;
  /** The zone in the title, or its offset in milliseconds. */
  readonly zone?: string | number;
}

/** Finds the column of a title, which may contain the zone: `startedAt (Europe/Tallinn)`. */
function findColumn(headers: Headers, title: string): FoundColumn {
  const column = headers.find(title);
  const [, words = '', inBrackets] = /^(.+?) *\(([^()]+)\)$/.exec(title) ?? [];
  if (column || inBrackets === undefined) return { column };
  const named = headers.find(words);
  // Only times have a zone: in `size (GB)`, GB is a unit, although it is also a zone name.
  if (!named?.type.startsWith('DateTime')) return named?.unit === inBrackets ? { column: named } : {};
  const heading = zoneInHeading(title);
  return heading === null ? {} : { column: named, zone: heading.zone };
}

function rowsOf(
  text: string,
  format: TableFormat,
): { readonly rows: readonly DelimitedRow[]; readonly decimalComma: boolean } {
  if (format === 'tsv') return { rows: readTsv(text), decimalComma: false };
  // Excel reads and writes a first line that names the delimiter.
  const named = /^"?sep=([,;\t])"?(?=\r|\n)/.exec(text);
  const delimiter = named ? (named[1] === ';' ? ';' : named[1] === '\t' ? '\t' : ',') : delimiterOf(text);
  try {
    const rows = readCsv(text, delimiter);
    // A comma is a decimal sign only if it is not the delimiter.
    return { rows: named ? rows.slice(1) : rows, decimalComma: delimiter !== ',' };
  } catch (error) {
    if (!(error instanceof CsvFlaw)) throw error;
    throw unusableInput(`line ${error.line}: ${error.message}`, 'Save it as CSV again, or correct the line.');
  }
}

function refuseHeader(
  titles: readonly string[],
  columns: readonly (InputColumn | undefined)[],
  headers: Headers,
): void {
  if (columns.every((column) => column === undefined)) {
    throw unusableInput(
      'none of its columns is an input',
      `The first line names the columns, such as ${headers.names.slice(0, 12).join(', ')}.`,
    );
  }
  for (const [index, column] of columns.entries()) {
    const first = columns.indexOf(column);
    if (column === undefined || first === index) continue;
    throw unusableInput(`"${titles[first]}" and "${titles[index]}" are both ${column.name}`, 'Leave one of them out.');
  }
}

function otherWidth(rows: readonly DelimitedRow[], width: number, format: TableFormat): Error {
  const lines = rows.map(({ line, cells }) => `line ${line} has ${cells.length} cells`);
  const isOne = lines.length === 1;
  return unusableInput(
    `the header has ${width} columns, and ${isOne ? lines[0] : `${rows.length} lines have more or fewer cells`}`,
    format === 'csv'
      ? 'Put a cell with a delimiter or a line break into quotes; spreadsheets do so when they save as CSV.'
      : 'Each line needs a tab between its cells, also for empty ones. For a file of a spreadsheet give --input-format csv.',
    isOne ? [] : firstOf(lines),
  );
}

/** Sets a member at a path. A table may have both `address` as JSON and `address.city`. */
function put(line: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    const before = line[first];
    const isNested = typeof before === 'object' && typeof value === 'object' && !Array.isArray(value);
    line[first] = isNested ? { ...value, ...before } : value;
    return;
  }
  const below = line[first];
  const nested: Record<string, unknown> = isObject(below) ? { ...below } : {};
  put(nested, rest, value);
  line[first] = nested;
}

/** Throws CliError USAGE for unknown columns that no list prints, and for misspelled ones. */
function refuseUnknown(
  titles: readonly string[],
  headers: Headers,
  usedNames: ReadonlySet<string>,
  printed: Printed,
  ignoreColumns: boolean,
  values: readonly string[],
): void {
  const unknown = titles.filter((title) => !isPrinted(title, printed));
  const near = unknown.flatMap((title) => {
    const name = headers.suggest(title, usedNames);
    return name === undefined ? [] : [{ title, text: `${title}: did you mean ${name}?` }];
  });
  const rest = unknown.filter((title) => !near.some((one) => one.title === title));
  const refused = [
    ...near.map(({ text }) => text),
    ...(ignoreColumns ? [] : rest.map((title) => `${title}: no input, and no list prints it`)),
  ];
  if (refused.length === 0) return;
  // Columns with the same prefix come first: licenseNumber for licenseExpiresAt.
  const likeness = (name: string) => Math.max(0, ...rest.map((title) => commonPrefixLength(name, title)));
  const columnNames = headers.names.toSorted((a, b) => likeness(b) - likeness(a));
  const hintParts = [
    ...(rest.length > 0
      ? [`Known: ${columnNames.slice(0, 12).join(', ')}${columnNames.length > 12 ? ', …' : ''}.`]
      : []),
    ...(rest[0] !== undefined && headers.open === 'customFields'
      ? [`A custom field is a column such as "customFields.${rest[0]}".`]
      : []),
    ...(near.length > 0 ? ['Correct the names, or remove the columns.'] : []),
    ...(rest.length > 0 && !ignoreColumns
      ? [`Add --ignore-columns to leave out ${near.length > 0 ? 'the others' : 'what is no input'}.`]
      : []),
  ];
  const count = refused.length === 1 ? 'a column is unknown' : `${refused.length} columns are unknown`;
  throw unusableInput(count, hintParts.join(' '), [...refused, ...firstOf(values)]);
}

/** Returns the length of the common prefix; 0 below 4 letters, which match by chance. */
function commonPrefixLength(name: string, title: string): number {
  const [one, other] = [normalizeName(name), normalizeName(title)];
  const differs = [...one].findIndex((letter, index) => letter !== other[index]);
  const count = differs < 0 ? one.length : differs;
  return count < 4 ? 0 : count;
}

/** Returns a note about columns that are no inputs, and how their values are set. */
function ignoredColumnsNote(titles: readonly string[], headers: Headers, printed: Printed): string | null {
  const names = titles.map((title) => {
    const setter = settersOf(title, printed).find((name) => headers.names.includes(name));
    if (setter !== undefined) return `${title} (the input is ${setter})`;
    const command = commandFor(title, printed);
    return command === null ? title : `${title} (\`${command}\` changes it)`;
  });
  return names.length === 0 ? null : `Not inputs, so edits in them change nothing: ${names.join(', ')}.`;
}

function removedQuotesNote(count: number): string | null {
  if (count === 0) return null;
  return `${count === 1 ? 'One cell begins' : `${count} cells begin`} with the quote of --safe-csv, which is taken away.`;
}

function literalQuotesNote(rows: readonly DelimitedRow[], format: TableFormat): string | null {
  const isQuoted = rows.some(({ cells }) => cells.some(({ text }) => /^".*"$/s.test(text)));
  if (format !== 'tsv' || !isQuoted) return null;
  return 'In tsv, quotes around a cell are a part of its text. For a file of a spreadsheet give --input-format csv.';
}
