import { printedJson } from "./json.js";
import { isTerminal } from "./render-options.js";
const ndjson = {
  async *rows(rows, _view, options) {
    for await (const row of rows) yield `${printedJson(row, 0, isTerminal(options))}
`;
  },
  *record(record, _view, options) {
    yield `${printedJson(record, 0, isTerminal(options))}
`;
  }
};
export {
  ndjson
};
