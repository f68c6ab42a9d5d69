// Reads YAML: an object, a list of them, or several documents.
import { type Document, parseAllDocuments, visit } from 'yaml';
import { type Input, lineOf, unusableInput } from './read-input.js';

/** Maximum number of aliases. Each is looked up in the whole document, so many take minutes. */
const MAX_ALIASES = 1000;

export function parseYaml(text: string): Input {
  const documents = parseAllDocuments(text);
  const values: unknown[] = [];
  for (const document of documents) {
    const [flaw] = document.errors;
    if (flaw) {
      const at = flaw.linePos?.[0];
      // The text is not quoted, because messages must not contain values.
      throw unusableInput('it is not YAML', at ? `The error is at line ${at.line}, column ${at.col}.` : '');
    }
    const value = resolved(document);
    if (value !== null) values.push(value);
  }
  const [only] = values;
  if (values.length === 0) throw unusableInput('it is empty', 'Give an object, or a list of objects.');
  if (values.length > 1) {
    return { lines: values.map((value, index) => lineOf(value, `document ${index + 1}`)), isList: true };
  }
  if (!Array.isArray(only)) return { lines: [lineOf(only, null)], isList: false };
  return { lines: only.map((entry: unknown, index) => lineOf(entry, `entry ${index + 1} of the list`)), isList: true };
}

function resolved(document: Document.Parsed): unknown {
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases++;
    },
  });
  if (aliases > MAX_ALIASES) {
    throw unusableInput(`it has more than ${MAX_ALIASES} aliases`, 'Write the values in place of the aliases.');
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    // Only aliases can fail in a document that was parsed.
    throw unusableInput(
      'its aliases cannot be resolved',
      'An alias needs its anchor before it, and aliases may not lead in a circle or multiply each other.',
    );
  }
}
