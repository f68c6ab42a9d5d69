// Problems as sentences in the page's language; English parts are marked.
import type { LiveMessage, MapProblem } from '../../shapes.js';
import { formatDuration } from '../format.js';
import type { Language } from './language.js';
import { isWordKey } from './words.js';

export interface ProblemSentence {
  readonly text: string;
  readonly isEnglish: boolean;
}

export const pageSentence = (text: string): ProblemSentence => ({ text, isEnglish: false });
const english = (text: string): ProblemSentence => ({ text, isEnglish: true });

export function problemSentences(
  { kind, values, details, message, hint }: MapProblem,
  language: Language,
): readonly ProblemSentence[] {
  // Page and server may differ in version: an unknown kind is shown in the server's words.
  const key = kind ?? '';
  if (isWordKey(key)) return [pageSentence(language.text(key, values)), ...details.map(english)];
  return [english(message), ...(hint === null ? [] : [english(hint)])];
}

/** Adds the time of the retry. */
export function outageSentences(
  { problem, isOutage, waitMs }: LiveMessage & { readonly kind: 'problem' },
  language: Language,
): readonly ProblemSentence[] {
  const said = problemSentences(problem, language);
  if (!isOutage || waitMs === null) return said;
  const again = language.text('tryingAgain', { time: formatDuration(waitMs) });
  return [pageSentence(`${language.text('noNewData')}.`), ...said, pageSentence(again)];
}

export const textOf = (said: readonly ProblemSentence[]): string => said.map(({ text }) => text).join(' ');
