// The ndjson format: one JSON object per line, for programs that read rows as they arrive.
import type { Format } from './format.js';
import { printedJson } from './json.js';
import { isTerminal } from './render-options.js';

export const ndjson: Format = {
  async *rows(rows, _view, options) {
    for await (const row of rows) yield `${printedJson(row, 0, isTerminal(options))}\n`;
  },
  *record(record, _view, options) {
    yield `${printedJson(record, 0, isTerminal(options))}\n`;
  },
};
