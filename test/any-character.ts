// Random texts of any characters. fast-check's unit `binary` takes a second to list them first.
import fc from 'fast-check';

const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

/** Generates any Unicode character except lone surrogates; pass it as the unit of a string. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - SURROGATES }).map(
  (number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES),
  (character) => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
