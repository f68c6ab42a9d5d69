// The xlsx format: the fields of csv, ids last, with typed values. Memory stays flat, because rows
// are written as they arrive; rows beyond 1,048,576 continue in another sheet. An empty row before
// the total ends the range of filters, sorting and pivot tables.
import { type ColumnDef, rangeRef, writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from 'hucre/xlsx';
import stringWidth from 'string-width';
import { DAY_MS, isSecondTime, offsetAt } from '../../core/time-zone.js';
import { localTime } from '../time/format-time.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { headingOfField, isDuration, isIdField } from './headings.js';
import type { RenderOptions } from './render-options.js';
import type { View } from './view.js';
import { withFilter } from './xlsx-filter.js';

const SAMPLE_ROWS = 500;
/** In characters. Longer text can be read in the formula bar. */
const [NARROWEST, WIDEST] = [8, 60];
/** Extra digits of a total. A number that does not fit is shown as #####. */
const ROOM_OF_TOTAL = 4;
/** Maximum length of a cell: Excel reports a file with longer texts as broken. */
const LONGEST_TEXT = 32_767;
/** Excel's calendar until 1970 in days, and its range: 1 March 1900 to the end of 9999. */
const DAYS_UNTIL_1970 = 25_569;
const [FIRST_DAY, LAST_DAY] = [61, 2_958_466];

const formats = { time: 'yyyy-mm-dd hh:mm:ss', duration: '[h]:mm:ss', other: undefined } as const;

type Cell = string | number | boolean | null;

const BOLD = { font: { bold: true } } as const;
const TOTAL = 'Total';

interface Column<Row> {
  readonly path: string;
  readonly heading: string;
  readonly kind: keyof typeof formats;
  readonly cell: (row: Row) => Cell;
}

export const xlsx: Format<Uint8Array> = {
  async *rows(rows, view, options) {
    const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
    try {
      yield* workbook(iterator, view, options);
    } finally {
      await iterator.return?.();
    }
  },
  record: (record, view, options) => xlsx.rows([record], view, options),
};

async function* workbook<Row>(
  iterator: Iterator<Row> | AsyncIterator<Row>,
  view: View<Row>,
  options: RenderOptions,
): AsyncGenerator<Uint8Array, void> {
  const problems = new Set<string>();
  const columns = columnsOf(view, options, problems);
  const total = view.total?.begin() ?? null;
  const cellsOf = (row: Row) => {
    total?.take(row);
    return columns.map(({ cell }) => cell(row));
  };
  const { sample, isDone } = await readSample(iterator, cellsOf);
  const totalNow = () => {
    const row = total?.row() ?? null;
    return row === null ? null : totalCells(columns, row, view);
  };
  // The total of rows that have not arrived may be longer.
  const knownTotal = isDone ? totalNow() : null;
  const widest = [...sample, ...(knownTotal === null ? [] : [knownTotal])];
  const sheetColumns = columns.map((column, index) => {
    const isLonger = !isDone && view.total?.fields.includes(column.path) === true;
    const cells = widest.map((row) => row[index] ?? null);
    return sheetColumn(column, cells, options.headers, isLonger ? ROOM_OF_TOTAL : 0);
  });
  let rowCount = 0;
  async function* cells(): AsyncGenerator<Cell[], void> {
    // The writer has styles for columns only, and has written the headings at this point.
    for (const column of sheetColumns) delete column.style;
    for (const row of sample.splice(0)) {
      rowCount++;
      yield row;
    }
    while (!isDone) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      rowCount++;
      yield cellsOf(value);
    }
    const last = totalNow();
    if (last === null) return;
    for (const column of sheetColumns) column.style = BOLD;
    yield [];
    yield last;
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(view.title),
    columns: sheetColumns,
    ...(options.headers ? { freezePane: { rows: 1 }, compress: false } : {}),
    repeatHeaders: options.headers,
  });
  // A filter without headings would take the first row as headings.
  if (!options.headers || columns.length === 0) yield* stream;
  else yield* withFilter(stream, (sheet) => rangeRef(0, 0, rowsOfSheet(rowCount, sheet), columns.length - 1));
  for (const problem of problems) options.note(problem);
}

/** Reads the first rows, whose texts set the widths of the columns. */
async function readSample<Row>(
  iterator: Iterator<Row> | AsyncIterator<Row>,
  cellsOf: (row: Row) => Cell[],
): Promise<{ readonly sample: Cell[][]; readonly isDone: boolean }> {
  const sample: Cell[][] = [];
  while (sample.length < SAMPLE_ROWS) {
    const { done, value } = await iterator.next();
    if (done === true) return { sample, isDone: true };
    sample.push(cellsOf(value));
  }
  return { sample, isDone: false };
}

/** Returns a column of the sheet, as wide as its heading and cells, and `room` characters more. */
function sheetColumn<Row>(
  { heading, kind }: Column<Row>,
  cells: readonly Cell[],
  hasHeading: boolean,
  room: number,
): ColumnDef {
  return {
    ...(hasHeading ? { header: heading, style: BOLD } : {}),
    ...(formats[kind] === undefined ? {} : { numFmt: formats[kind] }),
    width: widthOf([hasHeading ? heading : '', ...cells.map((cell) => shownText(cell, kind))]) + room,
  };
}

/** Returns the rows below the headings of a sheet; the writer may be in a later one. */
function rowsOfSheet(rowCount: number, sheet: number): number {
  const most = XLSX_MAX_ROWS_PER_SHEET - 1;
  return Math.min(most, Math.max(0, rowCount - sheet * most));
}

/** Returns the cells of the total, labelled in the first column; null without a total. */
function totalCells<Row>(columns: readonly Column<Row>[], row: Row, { total }: View<Row>): Cell[] | null {
  const added = new Set(total?.fields);
  if (!columns.some(({ path }) => added.has(path))) return null;
  return columns.map(({ path, cell }, index) => (added.has(path) ? cell(row) : index === 0 ? TOTAL : null));
}

/** Returns ids after the other fields, unless --fields sets the order. */
function sheetFields<Row>({ fields, hasChosenFields }: View<Row>): readonly string[] {
  if (hasChosenFields) return fields;
  return [...fields.filter((path) => !isIdField(path)), ...fields.filter(isIdField)];
}

function columnsOf<Row>(view: View<Row>, options: RenderOptions, problems: Set<string>): readonly Column<Row>[] {
  const { zone } = options;
  const zoneName = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return sheetFields(view).map((path) => {
    const { words, unit: ownUnit } = headingOfField(path);
    const moment = view.times?.get(path);
    if (moment) {
      const cell = (row: Row) => {
        const time = moment(row);
        // A number cannot distinguish the two times of the hour that occurs twice.
        if (time !== null && isSecondTime(time, zone)) return localTime(time, 'exact', { zone, offset: null });
        const day = time === null ? Number.NaN : (time + offsetAt(time, zone)) / DAY_MS + DAYS_UNTIL_1970;
        return day >= FIRST_DAY && day < LAST_DAY ? day : plainCell(valueAt(row, path), path, problems);
      };
      return { path, heading: `${words} (${zoneName})`, kind: 'time', cell };
    }
    if (isDuration(path)) {
      const cell = (row: Row) => {
        const seconds = valueAt(row, path);
        return typeof seconds === 'number' ? (seconds * 1000) / DAY_MS : plainCell(seconds, path, problems);
      };
      return { path, heading: words, kind: 'duration', cell };
    }
    const unit = view.units?.get(path) ?? ownUnit;
    const absent = view.absent?.[path] ?? null;
    return {
      path,
      heading: unit === null ? words : `${words} (${unit})`,
      kind: 'other',
      cell: (row) => plainCell(valueAt(row, path) ?? absent, path, problems),
    };
  });
}

function plainCell(value: unknown, path: string, problems: Set<string>): Cell {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = cellText(value);
  if (text.length <= LONGEST_TEXT) return text === '' ? null : text;
  problems.add(
    `Texts in ${path} are longer than a cell can be and are cut after 32,767 characters; -o csv has them in full.`,
  );
  return `${text.slice(0, LONGEST_TEXT - 1)}…`;
}

/** Returns the text that a spreadsheet shows for a cell, for the column width. */
function shownText(cell: Cell, kind: Column<unknown>['kind']): string {
  if (typeof cell === 'number' && kind === 'time') return formats.time;
  if (typeof cell === 'number' && kind === 'duration') return `${Math.floor(cell * 24)}:mm:ss`;
  return cell === null ? '' : String(cell);
}

function widthOf(texts: readonly string[]): number {
  const widest = texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
  return Math.min(WIDEST, Math.max(NARROWEST, widest + 2));
}

/** Returns a valid name of a sheet: some characters are not allowed, and it has at most 31. */
function sheetName(title = 'fleet'): string {
  return (
    title
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'|'$/g, '')
      .slice(0, 31)
      .trim() || 'fleet'
  );
}
