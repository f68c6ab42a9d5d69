import { escapeControls } from "../io/plain-text.js";
import { isTerminal } from "./render-options.js";
function printedJson(value, indent, terminal) {
  const text = JSON.stringify(value ?? null, null, indent);
  if (terminal) return text.split("\n").map(escapeControls).join("\n");
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}
const json = {
  async *rows(rows, _view, options) {
    let empty = true;
    for await (const row of rows) {
      yield `${empty ? "[\n  " : ",\n  "}${printedJson(row, 2, isTerminal(options)).replaceAll("\n", "\n  ")}`;
      empty = false;
    }
    yield empty ? "[]\n" : "\n]\n";
  },
  *record(record, _view, options) {
    yield `${printedJson(record, 2, isTerminal(options))}
`;
  }
};
export {
  json,
  printedJson
};
