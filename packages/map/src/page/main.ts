import './page.css';
import type { MapSetup } from '../shapes.js';
import { App } from './app.js';
import { bytesOfBase64 } from './base64.js';
import { find } from './dom.js';
import { GROUND_EVENT, type GroundFactory } from './ground-link.js';
import { unpackFile } from './packed-file.js';
import { languageFor } from './words/language.js';
import { showLanguages } from './words/language-switch.js';
import { translate } from './words/translate.js';

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
