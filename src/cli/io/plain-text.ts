// Makes text from outside safe to print: escape sequences, line breaks, and marks that reorder or
// hide text.

const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const joining = `[${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}]`;

/** Zero-width joiners, except between emoji or letters of a script that needs them. */
const misplacedJoiner = [
  `(?<!${joining}|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])[\\u200c\\u200d]`,
  `[\\u200c\\u200d](?!${joining}|\\p{Extended_Pictographic})`,
].join('|');

/** Controls, separators, marks that reorder or hide text, tags, and unpaired surrogates. */
const unsafeCharacters = [
  '[\\p{Cc}\\p{Cs}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f',
  '\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]',
].join('');

let unsafe: RegExp | undefined;

/** Compiled on first use: the Unicode tables take longer than a short command. */
function unsafePattern(): RegExp {
  unsafe ??= new RegExp(`${unsafeCharacters}|${misplacedJoiner}`, 'gu');
  return unsafe;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** Returns one line for people: line breaks become spaces, other controls visible escapes. */
export function plainText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(unsafePattern(), (character) =>
    /[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? ' ' : escapeOf(character),
  );
}

/** Like plainText, but keeps line breaks, such as in an error message. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n');
}

/** Returns the text with control characters as Unicode escapes. */
export function escapeControls(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(unsafePattern(), escapeOf);
}

export function hasControls(text: string): boolean {
  return !PRINTABLE_ASCII.test(text) && text.search(unsafePattern()) >= 0;
}

/** Returns one line without control characters, for readers that are no terminal. */
export function withoutControls(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(unsafePattern(), (character) => (/[\t\n\v\f\r\u0085\u2028\u2029]/.test(character) ? ' ' : ''));
}
