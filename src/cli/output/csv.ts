// Comma-separated values as in RFC 4180: a header line, CRLF, and quotes where they are needed. Values are exact, except that control
// characters are escaped on a terminal, formulas are defused with --safe-csv, and times are local under --time-zone and --utc; --input understands their headings.

import { escapeControls } from '../io/plain-text.js';
import { commonOffset, localTime, offsetName } from '../time/local-time.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { isTerminal, type RenderOptions } from './render-options.js';
import type { View } from './view.js';

export function csvCell(text: string): string {
  // As an input, null without quotes clears a member.
  return /[",\r\n]|^\s|\s$|^null$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What makes a spreadsheet run a cell as a formula: these characters, their full-width forms, and a tab or line break, after white space. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Puts a quote before a formula. Numbers stay as they are, negative ones too. */
export function safeText(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

type Times = ReadonlyMap<string, (row: unknown) => number | null>;

function lineOf(row: unknown, fields: readonly string[], times: Times, options: RenderOptions): string {
  const cells = fields.map((field) => {
    const moment = times.get(field)?.(row) ?? null;
    return moment === null ? cellText(valueAt(row, field)) : localTime(moment, 'exact', options);
  });
  const texts = options.safeCsv ? cells.map(safeText) : cells;
  return line(isTerminal(options) ? texts.map(escapeControls) : texts);
}

export const csv: Format = {
  async *rows(rows, view, options) {
    // The header is written with the first row, so that a failure before it leaves no output.
    let writer: Writer | null = null;
    for await (const row of rows) {
      const head: string = writer === null ? headOf(view, row, options) : '';
      writer ??= writerOf(view, row, options);
      yield head + writer(row);
    }
    if (writer === null && options.headers) yield line(view.fields);
  },
  *record(record, view, options) {
    yield headOf(view, record, options);
    yield writerOf(view, record, options)(record);
  },
};

type Writer = (row: unknown) => string;

/** Local times, if they are asked for. The header names the offset of the first row; a time at another offset carries its own. */
function writerOf<Row>(view: View<Row>, first: Row, options: RenderOptions): Writer {
  const times = timesOf(view, options);
  const own = { ...options, offset: offsetOf(times, first, options) };
  return (row) => lineOf(row, view.fields, times, own);
}

function headOf<Row>(view: View<Row>, first: Row, options: RenderOptions): string {
  if (!options.headers) return '';
  const times = timesOf(view, options);
  const offset = offsetOf(times, first, options);
  return line(
    view.fields.map((field) => (offset !== null && times.has(field) ? `${field} (${offsetName(offset)})` : field)),
  );
}

function timesOf<Row>({ times }: View<Row>, { hasZone }: RenderOptions): Times {
  return hasZone && times ? times : new Map();
}

function offsetOf(times: Times, row: unknown, { zone, headers }: RenderOptions): number | null {
  if (!headers) return null;
  const moments = [...times.values()].map((momentIn) => momentIn(row)).filter((moment) => moment !== null);
  return commonOffset(moments, zone);
}
