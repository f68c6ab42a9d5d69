// YAML for people and programs: a list is a sequence whose items are written as they come, a record is a mapping. Read as YAML
// 1.1, which many programs still do, it says the same.
import { Document, visit } from 'yaml';
import type { Format } from './format.js';
import { escapeControls } from './plain-text.js';

const unsafe = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function yamlText(value: unknown): string {
  // Without aliases and folded lines every value stands where it is looked for.
  const document = new Document(value ?? null, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_key, node) {
      // Controls can be written as escapes in double quotes only.
      if (typeof node.value === 'string' && unsafe.test(node.value)) node.type = 'QUOTE_DOUBLE';
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
