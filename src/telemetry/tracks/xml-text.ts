// Text and numbers as XML 1.0 can carry them.

/** What no XML document may hold, not even escaped: most control characters, halves of surrogate pairs, two non-characters. */
const illegal = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Markup; what a parser would turn into something else; and what could do something to a terminal. */
const special = /[&<>"'\t\r\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Fit for the content of an element and for an attribute in quotes. */
export function xmlText(text: string): string {
  return text
    .replace(illegal, '')
    .replace(special, (character) => named[character] ?? `&#x${character.charCodeAt(0).toString(16)};`);
}

/** As `xsd:decimal` has it: without an exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value
    .toFixed(12)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');
}
