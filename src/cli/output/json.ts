// The json format, indented by two spaces: a list is an array, a record is an object.

import { escapeControls } from '../io/plain-text.js';
import type { Format } from './format.js';
import { isTerminal } from './render-options.js';

/**
 * Returns JSON with DEL and C1 controls escaped, which JSON.stringify leaves; on a terminal also
 * marks that reorder text. It parses to the same text.
 */
export function printedJson(value: unknown, indent: number, terminal: boolean): string {
  const text = JSON.stringify(value ?? null, null, indent);
  // The only line breaks are those of the indentation.
  if (terminal) return text.split('\n').map(escapeControls).join('\n');
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}

export const json: Format = {
  async *rows(rows, _view, options) {
    let empty = true;
    for await (const row of rows) {
      yield `${empty ? '[\n  ' : ',\n  '}${printedJson(row, 2, isTerminal(options)).replaceAll('\n', '\n  ')}`;
      empty = false;
    }
    yield empty ? '[]\n' : '\n]\n';
  },
  *record(record, _view, options) {
    yield `${printedJson(record, 2, isTerminal(options))}\n`;
  },
};
