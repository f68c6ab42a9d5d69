// Prints the help texts that the build has written for the program and its nouns, so that nothing else has to be loaded. They are
// wrapped for 80 columns; a terminal of another width gets a text made for it.
import { readFileSync } from 'node:fs';

const WIDTH = 80;

/** Null when the words ask for something else, or the text has to be made for another width. */
export function writtenHelp(words: readonly string[], columns: number | undefined): string | null {
  const name = helpWanted(words);
  if (name === null || (columns || WIDTH) !== WIDTH) return null;
  try {
    return readFileSync(new URL(`../help/${name}.txt`, import.meta.url), 'utf8');
  } catch {
    // Not a noun, or not built.
    return null;
  }
}

/** `fleet` for the program itself, else a word that may be a noun. */
function helpWanted(words: readonly string[]): string | null {
  const [first = '', second, third] = words;
  if (third !== undefined) return null;
  if (second === undefined) return isHelp(first) ? 'fleet' : null;
  return isHelp(second) && /^[a-z]+$/.test(first) && first !== 'fleet' ? first : null;
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
