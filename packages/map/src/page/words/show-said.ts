// Puts what is said of a problem on the page. Screen readers pronounce its English parts as English.
import { make } from '../dom.js';
import { type Said, textOf } from './said.js';

export function nodesOf(said: readonly Said[]): readonly (Node | string)[] {
  return said.flatMap(({ text, isEnglish }, index) => [
    index === 0 ? '' : ' ',
    isEnglish ? make('span', { lang: 'en' }, text) : text,
  ]);
}

/** Only when it is another text: a live region would read it again. */
export function showSaid(target: HTMLElement, said: readonly Said[]): void {
  if (target.textContent !== textOf(said)) target.replaceChildren(...nodesOf(said));
}
