// Compares texts that name records: exact matches first, then equal texts, then partial matches.

/**
 * The form of a text that names a record. In a `name`, numbers are compared by value: `Van 1`
 * equals `Van 01`. In a `code` such as a VIN, and in a `text`, each digit counts; but a code of
 * digits only is a number, because spreadsheets drop its leading zeros.
 */
export type TextForm = 'name' | 'code' | 'text';

/** Zero-width characters: zero-width space, word joiner, soft hyphen and byte order mark. */
const invisible = /[\u00AD\u200B\u2060\uFEFF]/g;

/** The leading zeros of a number. Zeros after a decimal point or comma count. */
const leadingZeros = /(?<!\d)(?<!\d[.,])0+(?=\d)/g;

/** Normalizes the Unicode form and the case, and removes zero-width characters. */
export function caseless(text: string): string {
  // Upper case first, so that `STRASSE` equals `Straße`.
  return text.normalize('NFC').replace(invisible, '').toUpperCase().toLowerCase().normalize('NFC');
}

/** Normalizes the Unicode form, white space, case and, by the form, leading zeros. */
export function comparable(text: string, form: TextForm): string {
  const plain = caseless(text).replace(/\s+/g, ' ').trim();
  const hasNumbers = form === 'name' || (form === 'code' && /^\d+$/.test(plain));
  return hasNumbers ? plain.replace(leadingZeros, '') : plain;
}

export function isSameText(one: string, other: string, form: TextForm): boolean {
  return one === other || comparable(one, form) === comparable(other, form);
}

/** Returns true when a text contains another one; `Van 10` does not contain `Van 1`. */
export function hasPart(text: string, part: string, form: TextForm): boolean {
  const [whole, needle] = [comparable(text, form), comparable(part, form)];
  if (needle === '') return false;
  for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, at + 1)) {
    if (!cutsNumber(whole, at) && !cutsNumber(whole, at + needle.length)) return true;
  }
  return false;
}

function cutsNumber(text: string, at: number): boolean {
  return /^\d\d$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** Removes white space, hyphens and underscores, which plates contain inconsistently. */
export function withoutSeparators(text: string, form: TextForm): string {
  return comparable(comparable(text, form).replace(/[\s_-]+/g, ''), form);
}
