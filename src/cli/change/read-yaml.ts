// Reads --input as YAML: an object, a list of them, or several documents.
import { parseAllDocuments } from 'yaml';
import { type Input, lineOf, unusableInput } from './read-input.js';

export function parseYaml(text: string, many: boolean): Input {
  const documents = parseAllDocuments(text);
  const values: unknown[] = [];
  for (const document of documents) {
    const [flaw] = document.errors;
    if (flaw) {
      const at = flaw.linePos?.[0];
      // The text is not quoted, because messages must not contain values.
      throw unusableInput('it is not YAML', at ? `The error is at line ${at.line}, column ${at.col}.` : '');
    }
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    if (value !== null) values.push(value);
  }
  const [only] = values;
  if (values.length === 0) throw unusableInput('it is empty', 'Give an object, or a list of objects.');
  if (values.length > 1) {
    return { lines: values.map((value, index) => lineOf(value, `document ${index + 1}`)), many: true };
  }
  if (!Array.isArray(only)) return { lines: [lineOf(only, null)], many };
  return { lines: only.map((entry: unknown, index) => lineOf(entry, `entry ${index + 1} of the list`)), many: true };
}
