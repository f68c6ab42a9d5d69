// Makes foreign text safe to print. A vehicle's name may contain escape sequences that move the terminal's cursor, line breaks that
// break a table, or marks that reverse the reading direction.

// C0 and C1 controls, DEL, line and paragraph separators, and the marks that reorder text.
const unsafe = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of text for people: line breaks and tabs become spaces, other control characters become visible escapes. */
export function plainText(text: string): string {
  return text.replace(unsafe, (character) => (/\s/.test(character) ? ' ' : escapeOf(character)));
}

/** The same for text of several lines, such as an error message. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}

/** Writes control characters as `\u001b` escapes and leaves the rest as it is. */
export function escapeControls(text: string): string {
  return text.replace(unsafe, escapeOf);
}
