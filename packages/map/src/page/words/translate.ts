import type { Language } from './language.js';
import { isWordKey } from './words.js';

/** Translates page.html: elements name the key of their text or of an attribute. */
export function translate(root: ParentNode, language: Language): void {
  for (const [data, write] of [
    ['text', (target: Element, text: string) => target.replaceChildren(text)],
    ['label', (target: Element, text: string) => target.setAttribute('aria-label', text)],
    ['title', (target: Element, text: string) => target.setAttribute('title', text)],
    ['hint', (target: Element, text: string) => target.setAttribute('placeholder', text)],
  ] as const) {
    for (const target of root.querySelectorAll(`[data-${data}]`)) {
      const key = target.getAttribute(`data-${data}`) ?? '';
      if (isWordKey(key)) write(target, language.text(key));
    }
  }
}
