// What is said of a problem: sentences in the language of the page, and beside them what there is in English only, marked as such.
import type { LiveMessage, MapProblem } from '../../shapes.js';
import { durationText } from '../format.js';
import type { Language } from './language.js';
import { isWordKey } from './words.js';

export interface Said {
  readonly text: string;
  readonly isEnglish: boolean;
}

/** Of the page itself. */
export const ownWords = (text: string): Said => ({ text, isEnglish: false });
const english = (text: string): Said => ({ text, isEnglish: true });

export function saidOf({ kind, values, details, message, hint }: MapProblem, language: Language): readonly Said[] {
  // The page and the program may be of different versions: a kind that has no words here is told in those of the program.
  const key = kind ?? '';
  if (isWordKey(key)) return [ownWords(language.text(key, values)), ...details.map(english)];
  return [english(message), ...(hint === null ? [] : [english(hint)])];
}

/** Of the whole fleet, as the stream tells it. */
export function outageSaid(
  { problem, isOutage, waitMs }: LiveMessage & { readonly kind: 'problem' },
  language: Language,
): readonly Said[] {
  const said = saidOf(problem, language);
  if (!isOutage || waitMs === null) return said;
  const again = language.text('tryingAgain', { time: durationText(waitMs) });
  return [ownWords(`${language.text('noNewData')}.`), ...said, ownWords(again)];
}

export const textOf = (said: readonly Said[]): string => said.map(({ text }) => text).join(' ');
