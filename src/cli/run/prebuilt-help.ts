// Prints the help of the program, of its nouns and the topics of `fleet help` from files that the build has written, so that nothing
// else has to be loaded. The files are for a terminal of 80 columns, which is also the width of a pipe.
import { readFileSync } from 'node:fs';
import { isHelpTopic } from '../help/topic-names.js';

/** Width of a help text that the build prints in advance. */
const PREBUILT_HELP_COLUMNS = 80;

/** Null when the words do not ask for such a help text, or the terminal has another width. */
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
 * `fleet` for the program itself, or a word that may be a noun. Topics have a dash in the names of their files, because
 * `fleet options --help` is no help text.
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
