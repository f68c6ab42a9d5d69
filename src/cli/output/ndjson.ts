// One JSON object per line, for programs that read while the rows arrive.
import { type Format, isTerminal } from './format.js';
import { jsonText } from './json.js';

export const ndjson: Format = {
  async *rows(rows, _view, look) {
    for await (const row of rows) yield `${jsonText(row, 0, isTerminal(look))}\n`;
  },
  *record(record, _view, look) {
    yield `${jsonText(record, 0, isTerminal(look))}\n`;
  },
};
