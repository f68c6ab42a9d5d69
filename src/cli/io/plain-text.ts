// Makes foreign text safe to print. A vehicle's name may contain escape sequences that move the terminal's cursor, line breaks that
// break a table, marks that reverse the reading direction, or characters that nobody can see.

/** Scripts whose writing needs zero-width joiners between letters. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const joining = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Zero-width joiners and non-joiners, unless they join two emoji or stand between letters of a script that needs them. */
const misplacedJoiner = [
  `(?<!${joining}|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200c\\u200d]`,
  `[\\u200c\\u200d](?!${joining}|\\p{Extended_Pictographic})`,
].join('|');

/**
 * C0 and C1 controls, DEL, line and paragraph separators, the marks that reorder text, invisible characters (zero-width, soft hyphen,
 * fillers), tags, and halves of surrogate pairs.
 */
const unsafeCharacters = [
  '[\\p{Cc}\\p{Cs}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f',
  '\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]',
].join('');

let unsafe: RegExp | undefined;

/** Compiled on first use: the tables of Unicode take longer than a short command otherwise does. */
function unsafePattern(): RegExp {
  unsafe ??= new RegExp(`${unsafeCharacters}|${misplacedJoiner}`, 'gu');
  return unsafe;
}

/** Most texts: nothing in them can be unsafe. */
const PRINTABLE_ASCII = /^[ -~]*$/;

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** One line of text for people: line breaks and tabs become spaces, other control characters become visible escapes. */
export function plainText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(unsafePattern(), (character) =>
    /[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? ' ' : escapeOf(character),
  );
}

/** The same for text of several lines, such as an error message. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}

/** Writes control characters as `\u001b` escapes and leaves the rest as it is. */
export function escapeControls(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(unsafePattern(), escapeOf);
}

/** Whether the text has characters that `escapeControls` would write as escapes. */
export function hasControls(text: string): boolean {
  return !PRINTABLE_ASCII.test(text) && text.search(unsafePattern()) >= 0;
}

/** One line without them: what reads it is no terminal, and an escape would be a text of its own. */
export function withoutControls(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(unsafePattern(), (character) => (/[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? ' ' : ''));
}
