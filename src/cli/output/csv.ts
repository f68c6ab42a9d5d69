// Comma-separated values as RFC 4180 has them: a header line, CRLF, and quotes around what needs them. Values are exact, but
// for a terminal, where their control characters are escaped, and for --safe-csv.
import { cellText, valueAt } from './field-path.js';
import { type Format, isTerminal, type Look } from './format.js';
import { escapeControls } from './plain-text.js';

export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** What makes a spreadsheet take a cell for a formula, and what it skips before looking for it. */
const formula = /^[=+\-@\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A quote before what a spreadsheet would run; numbers stay numbers, negative ones too. */
export function safeText(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

function lineOf(row: unknown, fields: readonly string[], look: Look): string {
  const plain = fields.map((field) => cellText(valueAt(row, field)));
  const texts = look.safeCsv ? plain.map(safeText) : plain;
  return line(isTerminal(look) ? texts.map(escapeControls) : texts);
}

export const csv: Format = {
  async *rows(rows, view, look) {
    // Nothing is written before the first row has come: what fails before it leaves no header behind.
    let head = line(view.fields);
    for await (const row of rows) {
      yield head + lineOf(row, view.fields, look);
      head = '';
    }
    if (head !== '') yield head;
  },
  *record(record, view, look) {
    yield line(view.fields);
    yield lineOf(record, view.fields, look);
  },
};
