// Prints help from files of the build, so that nothing else has to be loaded. They have 80 columns,
// which is also the width of a pipe.
import { readFileSync } from 'node:fs';
import { isHelpTopic } from '../help/topic-names.js';

const PREBUILT_HELP_COLUMNS = 80;

/** Returns null for other words, or when the terminal has another width. */
export function prebuiltHelp(words: readonly string[], columns: number | undefined): string | null {
  const name = requestedHelp(words);
  if (name === null || (columns || PREBUILT_HELP_COLUMNS) !== PREBUILT_HELP_COLUMNS) return null;
  try {
    return readFileSync(new URL(`../help/${name}.txt`, import.meta.url), 'utf8');
  } catch {
    // The word is not a noun, or the build has not written its help.
    return null;
  }
}

/**
 * Returns `fleet` for the program, or a word that may be a noun. Topics have a dash in their file
 * names, because `fleet options --help` is no help text.
 */
function requestedHelp(words: readonly string[]): string | null {
  const [first = '', second, third] = words;
  if (third !== undefined) return null;
  if (second === undefined) return first === 'help' || isHelpFlag(first) ? 'fleet' : null;
  if (first === 'help' && /^[a-z-]+$/.test(second)) return isHelpTopic(second) ? `help-${second}` : second;
  return isHelpFlag(second) && /^[a-z]+$/.test(first) && first !== 'fleet' ? first : null;
}

function isHelpFlag(word: string): boolean {
  return word === '--help' || word === '-h';
}
