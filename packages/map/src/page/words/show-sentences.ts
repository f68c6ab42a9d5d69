// Displays problems. English parts are marked for screen readers.
import { make } from '../dom.js';
import { type ProblemSentence, textOf } from './problem-sentences.js';

export function nodesOf(said: readonly ProblemSentence[]): readonly (Node | string)[] {
  return said.flatMap(({ text, isEnglish }, index) => [
    index === 0 ? '' : ' ',
    isEnglish ? make('span', { lang: 'en' }, text) : text,
  ]);
}

/** Skips equal texts, because a live region would be read again. */
export function showSentences(target: HTMLElement, said: readonly ProblemSentence[]): void {
  if (target.textContent !== textOf(said)) target.replaceChildren(...nodesOf(said));
}
