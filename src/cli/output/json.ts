// JSON with two spaces, for programs and for people who want everything: a list is an array, a record is an object.
import type { Format } from './format.js';

/** Pretty JSON that is also safe to look at: JSON itself leaves DEL and the C1 controls as they are. */
export function jsonText(value: unknown, indent: number): string {
  const text = JSON.stringify(value ?? null, null, indent);
  return text.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

export const json: Format = {
  async *rows(rows) {
    let empty = true;
    for await (const row of rows) {
      yield `${empty ? '[\n  ' : ',\n  '}${jsonText(row, 2).replaceAll('\n', '\n  ')}`;
      empty = false;
    }
    yield empty ? '[]\n' : '\n]\n';
  },
  *record(record) {
    yield `${jsonText(record, 2)}\n`;
  },
};
