// Describes where a text has a JSON syntax error, without quoting it: messages contain no values.
import { findJsonProblem, lineAndColumn } from '../../core/json-syntax.js';

/** Returns a sentence about the error. `line` is the number of the first line in a larger text. */
export function describeJsonError(text: string, line = 1): string {
  const syntaxError = findJsonProblem(text);
  if (syntaxError === null) return '';
  if (syntaxError.isCut) return 'It ends before it is complete.';
  const at = lineAndColumn(text, syntaxError.at);
  return `The syntax error is at line ${at.line + line - 1}, column ${at.column}.`;
}
