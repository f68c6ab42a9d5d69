// Comma-separated values as in RFC 4180: a header line, CRLF, and quotes where they are needed. Values are exact, except that control
// characters are escaped on a terminal and formulas are defused with --safe-csv.

import { escapeControls } from '../io/plain-text.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { isTerminal, type RenderOptions } from './render-options.js';

export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** First characters that make a spreadsheet run a cell as a formula, and white space that it skips before them. */
const formula = /^[=+\-@\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Puts a quote before a formula. Numbers stay as they are, negative ones too. */
export function safeText(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

function lineOf(row: unknown, fields: readonly string[], options: RenderOptions): string {
  const cells = fields.map((field) => cellText(valueAt(row, field)));
  const texts = options.safeCsv ? cells.map(safeText) : cells;
  return line(isTerminal(options) ? texts.map(escapeControls) : texts);
}

export const csv: Format = {
  async *rows(rows, view, options) {
    // The header is written with the first row, so that a failure before it leaves no output.
    let head = line(view.fields);
    for await (const row of rows) {
      yield head + lineOf(row, view.fields, options);
      head = '';
    }
    if (head !== '') yield head;
  },
  *record(record, view, options) {
    yield line(view.fields);
    yield lineOf(record, view.fields, options);
  },
};
