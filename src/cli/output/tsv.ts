// The tsv format with a header line, the default in a pipe. Values are never shortened. Tabs, line
// breaks and backslashes in values are escaped, so that every line is one row.

import { escapeControls } from '../io/plain-text.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function tsvCell(text: string): string {
  return escapeControls(text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character));
}

function line(row: unknown, fields: readonly string[]): string {
  return `${fields.map((field) => tsvCell(cellText(valueAt(row, field)))).join('\t')}\n`;
}

export const tsv: Format = {
  async *rows(rows, view, { headers }) {
    // The header is written with the first row, so that an earlier failure leaves no output.
    let head = headers ? `${view.fields.join('\t')}\n` : '';
    for await (const row of rows) {
      yield head + line(row, view.fields);
      head = '';
    }
    if (head !== '') yield head;
  },
  *record(record, view, { headers }) {
    if (headers) yield `${view.fields.join('\t')}\n`;
    yield line(record, view.fields);
  },
};
