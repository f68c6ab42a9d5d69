// The yaml format: a list is a sequence whose items are written as they arrive, a record is a
// mapping. The text reads the same in YAML 1.1, which is still common.
import { Document, visit } from 'yaml';
import { escapeControls, hasControls } from '../io/plain-text.js';
import type { Format } from './format.js';

export function yamlText(value: unknown): string {
  // No aliases and no folded lines, so that tools such as grep find every value.
  const document = new Document(value ?? null, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_key, node) {
      // YAML allows escapes of control characters only in double quotes.
      if (typeof node.value === 'string' && hasControls(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
  return text.split('\n').map(escapeControls).join('\n');
}

export const yaml: Format = {
  async *rows(rows) {
    let empty = true;
    for await (const row of rows) {
      yield yamlText([row]);
      empty = false;
    }
    if (empty) yield '[]\n';
  },
  *record(record) {
    yield yamlText(record);
  },
};
