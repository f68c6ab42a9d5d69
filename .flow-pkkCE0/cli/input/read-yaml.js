import { parseAllDocuments, visit } from "yaml";
import { lineOf, unusableInput } from "./read-input.js";
const MAX_ALIASES = 1e3;
function parseYaml(text) {
  const documents = parseAllDocuments(text);
  const values = [];
  for (const document of documents) {
    const [flaw] = document.errors;
    if (flaw) {
      const at = flaw.linePos?.[0];
      throw unusableInput("it is not YAML", at ? `The error is at line ${at.line}, column ${at.col}.` : "");
    }
    const value = resolved(document);
    if (value !== null) values.push(value);
  }
  const [only] = values;
  if (values.length === 0) throw unusableInput("it is empty", "Give an object, or a list of objects.");
  if (values.length > 1) {
    return { lines: values.map((value, index) => lineOf(value, `document ${index + 1}`)), isList: true };
  }
  if (!Array.isArray(only)) return { lines: [lineOf(only, null)], isList: false };
  return { lines: only.map((entry, index) => lineOf(entry, `entry ${index + 1} of the list`)), isList: true };
}
function resolved(document) {
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases++;
    }
  });
  if (aliases > MAX_ALIASES) {
    throw unusableInput(`it has more than ${MAX_ALIASES} aliases`, "Write the values in place of the aliases.");
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw unusableInput(
      "its aliases cannot be resolved",
      "An alias needs its anchor before it, and aliases may not lead in a circle or multiply each other."
    );
  }
}
export {
  parseYaml
};
