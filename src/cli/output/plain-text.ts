// Makes text that came from elsewhere safe to show. A vehicle's name may hold escape sequences that move a terminal's
// cursor, line breaks that tear a table, or marks that turn the reading direction round.

// C0 and C1 controls, DEL, line and paragraph separators, and the marks that reorder text.
const unsafe = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of text for people: white space controls become spaces, other controls become visible escapes. */
export function plainText(text: string): string {
  return text.replace(unsafe, (character) => (/\s/.test(character) ? ' ' : escapeOf(character)));
}

/** The same for text of several lines, such as an error message. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}

/** A control character as a `\u001b` escape; everything else as it is. */
export function escapeControls(text: string): string {
  return text.replace(unsafe, escapeOf);
}
