// JSON with two spaces, for programs and for people who want everything: a list is an array, a record is an object.
import { type Format, isTerminal } from './format.js';
import { escapeControls } from './plain-text.js';

/**
 * JSON itself leaves DEL and the C1 controls as they are; escaped they read back the same. On a terminal the marks that turn
 * the reading direction are escaped too, so that what is seen is what is there.
 */
export function jsonText(value: unknown, indent: number, terminal: boolean): string {
  const text = JSON.stringify(value ?? null, null, indent);
  // The only line breaks in it are those of the indentation.
  if (terminal) return text.split('\n').map(escapeControls).join('\n');
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}

export const json: Format = {
  async *rows(rows, _view, look) {
    let empty = true;
    for await (const row of rows) {
      yield `${empty ? '[\n  ' : ',\n  '}${jsonText(row, 2, isTerminal(look)).replaceAll('\n', '\n  ')}`;
      empty = false;
    }
    yield empty ? '[]\n' : '\n]\n';
  },
  *record(record, _view, look) {
    yield `${jsonText(record, 2, isTerminal(look))}\n`;
  },
};
