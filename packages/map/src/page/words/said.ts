// Problems as sentences in the page's language; English parts are marked.
import type { LiveMessage, MapProblem } from '../../shapes.js';
import { durationText } from '../format.js';
import type { Language } from './language.js';
import { isWordKey } from './words.js';

export interface Said {
  readonly text: string;
  readonly isEnglish: boolean;
}

export const ownWords = (text: string): Said => ({ text, isEnglish: false });
const english = (text: string): Said => ({ text, isEnglish: true });

export function saidOf({ kind, values, details, message, hint }: MapProblem, language: Language): readonly Said[] {
  // Page and server may differ in version: an unknown kind is shown in the server's words.
  const key = kind ?? '';
  if (isWordKey(key)) return [ownWords(language.text(key, values)), ...details.map(english)];
  return [english(message), ...(hint === null ? [] : [english(hint)])];
}

/** Adds the time of the retry. */
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
