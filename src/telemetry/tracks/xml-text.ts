// Escapes text and formats numbers for XML 1.0.

/** Characters that XML forbids even when escaped: controls, lone surrogates, two non-characters. */
const illegal = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Markup, white space that parsers normalise, and characters that can control a terminal. */
const special = /[&<>"'\t\r\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for an element or a quoted attribute. */
export function xmlText(text: string): string {
  return text
    .replace(illegal, '')
    .replace(special, (character) => named[character] ?? `&#x${character.charCodeAt(0).toString(16)};`);
}

/** Writes a number as `xsd:decimal`: without an exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value
    .toFixed(12)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
}
