// One JSON object per line, for programs that read while the rows arrive.
import type { Format } from './format.js';
import { jsonText } from './json.js';

export const ndjson: Format = {
  async *rows(rows) {
    for await (const row of rows) yield `${jsonText(row, 0)}\n`;
  },
  *record(record) {
    yield `${jsonText(record, 0)}\n`;
  },
};
