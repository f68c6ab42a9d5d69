// The one comparison of the texts that name records. Exact texts come first, then texts that are equal here, then parts of names.

/**
 * Names are compared with their numbers by value, so that `Van 1` is `Van 01`. In codes such as e-mail addresses and VINs each digit
 * counts; a code of digits alone is a number, because spreadsheets drop its leading zeros. In other texts each digit counts.
 */
export type TextForm = 'name' | 'code' | 'text';

/** Characters that take no room: zero-width space and joiner of words, soft hyphen, mark of the byte order. */
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;

/** The zeros before a number. Those behind a decimal point or comma count. */
const leadingZeros = /(?<!\d)(?<!\d[.,])0+(?=\d)/g;

/** Equal for texts that differ only in the Unicode form or in upper and lower case. */
export function caseless(text: string): string {
  // Upper case first: `STRASSE` is `Straße`.
  return text.normalize('NFC').replace(invisible, '').toUpperCase().toLowerCase().normalize('NFC');
}

/** Equal for texts that mean the same: any Unicode form, white space and case. */
export function comparable(text: string, form: TextForm): string {
  const plain = caseless(text).replace(/\s+/g, ' ').trim();
  const hasNumbers = form === 'name' || (form === 'code' && /^\d+$/.test(plain));
  return hasNumbers ? plain.replace(leadingZeros, '') : plain;
}

export function isSameText(one: string, other: string, form: TextForm): boolean {
  return one === other || comparable(one, form) === comparable(other, form);
}

/** Returns true when a text contains another one. Numbers are compared as wholes: `Van 1` is not in `Van 10`. */
export function hasPart(text: string, part: string, form: TextForm): boolean {
  const [whole, wanted] = [comparable(text, form), comparable(part, form)];
  if (wanted === '') return false;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (!cutsNumber(whole, at) && !cutsNumber(whole, at + wanted.length)) return true;
  }
  return false;
}

function cutsNumber(text: string, at: number): boolean {
  return /^\d\d$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** Removes white space and hyphens, which people put into plates as they like. */
export function withoutSeparators(text: string, form: TextForm): string {
  return comparable(comparable(text, form).replace(/[\s_-]+/g, ''), form);
}
