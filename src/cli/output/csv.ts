// Comma-separated values as RFC 4180 has them: a header line, CRLF, and quotes around what needs them.
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';

export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function lineOf(row: unknown, fields: readonly string[]): string {
  return line(fields.map((field) => cellText(valueAt(row, field))));
}

export const csv: Format = {
  async *rows(rows, view) {
    yield line(view.fields);
    for await (const row of rows) yield lineOf(row, view.fields);
  },
  *record(record, view) {
    yield line(view.fields);
    yield lineOf(record, view.fields);
  },
};
