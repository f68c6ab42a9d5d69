// Formats a number by a spreadsheet number format: leading zeros, decimals and literal text.

/** The suffix of a percentage, whose stored number is a hundredth of the displayed one. */
export const PERCENT = '%';

/** Returns the displayed text; null for dates, and for formats that only add separators. */
export function shownNumber(number: number, format: string): string | null {
  const sections = format.match(/(?:"[^"]*"|\\.|[^;])+/gs) ?? [];
  const isSigned = number < 0 && sections.length === 1;
  const section = number < 0 ? (sections[1] ?? sections[0]) : number === 0 ? (sections[2] ?? sections[0]) : sections[0];
  const tokens = section === undefined ? [] : tokensOf(section);
  const isPercent = tokens.some(({ text, isLiteral }) => text === PERCENT && !isLiteral);
  const places = tokens.filter(({ isLiteral }) => !isLiteral).map(({ text }) => text);
  if (isPercent) return `${plain(number * 100)}${PERCENT}`;
  const [whole = '', fraction = ''] = places.join('').split('.');
  if (!/^[0#?]+$/.test(whole) || !/^[0#?]*$/.test(fraction) || Math.abs(number) >= 1e15) return null;
  const [digits = '', decimals = ''] = Math.abs(number).toFixed(fraction.length).split('.');
  // From the first 0 of the format on, missing digits are zeros.
  const needed = whole.length - Math.max(0, whole.indexOf('0'));
  const left = [...(whole.includes('0') ? digits.padStart(needed, '0') : digits.replace(/^0$/, ''))];
  const right = [...decimals];
  for (let at = fraction.length; at > 0 && fraction[at - 1] !== '0' && right[at - 1] === '0'; at--) right[at - 1] = '';
  return `${isSigned ? '-' : ''}${fillDigits(tokens, whole.length, left, right)}`;
}

/** Fills the digits into the format. The first digit place takes all surplus digits. */
function fillDigits(tokens: readonly Token[], places: number, whole: string[], fraction: string[]): string {
  let left = places;
  return tokens
    .map(({ text, isLiteral }) => {
      if (isLiteral) return text;
      if (text === '.') return fraction.some((digit) => digit !== '') ? '.' : '';
      if (left === 0) return fraction.shift() ?? '';
      const count = Math.max(0, whole.length - --left);
      return whole.splice(0, count).join('');
    })
    .join('');
}

interface Token {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** Splits a section into literal texts and codes, without padding, colors and conditions. */
function tokensOf(section: string): readonly Token[] {
  return [...section.matchAll(/"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|([-+() :€$£¥])|(.)/gsu)].flatMap(
    ([, quoted, escaped, currency, sign, code]): readonly Token[] => {
      if (code !== undefined) return [{ text: code, isLiteral: false }];
      const text = quoted ?? escaped ?? currency ?? sign;
      return text === undefined ? [] : [{ text, isLiteral: true }];
    },
  );
}

/** Returns the number with at most 15 significant digits, as spreadsheets show it. */
export function plain(number: number): string {
  return String(Number(number.toPrecision(15)));
}
