import { escapeControls } from "../io/plain-text.js";
import { cellText, valueAt } from "./field-path.js";
const escapes = { "\\": "\\\\", "	": "\\t", "\n": "\\n", "\r": "\\r" };
function tsvCell(text) {
  return escapeControls(text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character));
}
function line(row, fields) {
  return `${fields.map((field) => tsvCell(cellText(valueAt(row, field)))).join("	")}
`;
}
const tsv = {
  async *rows(rows, view, { headers }) {
    let head = headers ? `${view.fields.join("	")}
` : "";
    for await (const row of rows) {
      yield head + line(row, view.fields);
      head = "";
    }
    if (head !== "") yield head;
  },
  *record(record, view, { headers }) {
    if (headers) yield `${view.fields.join("	")}
`;
    yield line(record, view.fields);
  }
};
export {
  tsv,
  tsvCell
};
