// Says where a text stops being JSON. The text is not quoted, because messages must not contain values.
import { jsonSlip, lineAndColumn } from '../../core/json-slip.js';

/** A sentence, for a text that is not JSON. `line`: the number of its first line in a larger text. */
export function jsonSlipText(text: string, line = 1): string {
  const slip = jsonSlip(text);
  if (slip === null) return '';
  if (slip.isCut) return 'It ends before it is complete.';
  const at = lineAndColumn(text, slip.at);
  return `The syntax error is at line ${at.line + line - 1}, column ${at.column}.`;
}
