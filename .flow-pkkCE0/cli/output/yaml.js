import { Document, visit } from "yaml";
import { escapeControls, hasControls } from "../io/plain-text.js";
function yamlText(value) {
  const document = new Document(value ?? null, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && hasControls(node.value)) node.type = "QUOTE_DOUBLE";
    }
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
  return text.split("\n").map(escapeControls).join("\n");
}
const yaml = {
  async *rows(rows) {
    let empty = true;
    for await (const row of rows) {
      yield yamlText([row]);
      empty = false;
    }
    if (empty) yield "[]\n";
  },
  *record(record) {
    yield yamlText(record);
  }
};
export {
  yaml,
  yamlText
};
