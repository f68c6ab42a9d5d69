// The entry point of the page.
import './page.css';
import type { MapSetup } from '../shapes.js';
import { App } from './app.js';
import { bytesOfBase64 } from './bytes.js';
import { find, make } from './dom.js';
import { GROUND_EVENT, type GroundFactory } from './ground-link.js';
import { unpackFile } from './packed-file.js';
import { type Language, languageFor, languageNames, languages } from './words/language.js';
import { isWordKey } from './words/words.js';

/** The second script may arrive before a setup is unpacked. */
const ground = new Promise<GroundFactory>((resolve) => {
  document.addEventListener(GROUND_EVENT, ({ detail }) => resolve(detail), { once: true });
});

/** A string when the setup is packed. */
const embeddedSetup: MapSetup | string = JSON.parse(find('setup', HTMLScriptElement).textContent ?? '');
if (typeof embeddedSetup === 'string') void unpacked(embeddedSetup).then(start);
else start(embeddedSetup);

function start(setup: MapSetup): void {
  const language = languageFor(new URLSearchParams(location.search).get('lang'), navigator.languages);
  document.documentElement.lang = language.code;
  translate(document, language);
  showLanguages(language);
  new App(setup, performance, ground, language).start();
}

async function unpacked(base64: string): Promise<MapSetup> {
  const stream = new Blob([bytesOfBase64(base64)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return unpackFile(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Fills the language switch, which reloads the page with the same selection. */
function showLanguages({ code }: Language): void {
  const target = find('language', HTMLSelectElement);
  target.append(
    ...languages.map((each) =>
      make('option', { value: each, lang: each, selected: each === code }, languageNames[each]),
    ),
  );
  target.addEventListener('change', () => {
    const values = new URLSearchParams(location.search);
    values.set('lang', target.value);
    location.search = values.toString();
  });
}

/** Translates page.html: elements name the key of their text or of an attribute. */
function translate(root: ParentNode, language: Language): void {
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
