// Tab-separated values with a header line: what a pipe gets. Every value is whole; a tab, a line break or a backslash
// inside a value is written \t, \n, \r or \\, so that one line is always one row.
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { escapeControls } from './plain-text.js';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export function tsvCell(text: string): string {
  return escapeControls(text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character));
}

function line(row: unknown, fields: readonly string[]): string {
  return `${fields.map((field) => tsvCell(cellText(valueAt(row, field)))).join('\t')}\n`;
}

export const tsv: Format = {
  async *rows(rows, view) {
    // Nothing is written before the first row has come: what fails before it leaves no header behind.
    let head = `${view.fields.join('\t')}\n`;
    for await (const row of rows) {
      yield head + line(row, view.fields);
      head = '';
    }
    if (head !== '') yield head;
  },
  *record(record, view) {
    yield `${view.fields.join('\t')}\n`;
    yield line(record, view.fields);
  },
};
