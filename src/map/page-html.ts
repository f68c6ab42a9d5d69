// Makes the HTML of the page: the same for the page that is served and for the file that is mailed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { MapSetup, MapTiles } from './shapes.js';

/** The built files of the page. */
export interface PageAssets {
  readonly html: string;
  readonly script: string;
  readonly styles: string;
}

/** Null when they have not been built. Looks beside dist/cli and, from the sources, in dist/. */
export function readAssets(): PageAssets | null {
  for (const folder of ['../../map/', '../../dist/map/']) {
    try {
      const [html = '', script = '', styles = ''] = ['page.html', 'map.js', 'map.css'].map((name) =>
        readFileSync(new URL(`${folder}${name}`, import.meta.url), 'utf8'),
      );
      return { html, script, styles };
    } catch {
      // The other folder may have them.
    }
  }
  return null;
}

/** JSON that cannot end the element it stands in: `<` occurs in strings only. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** The page of the server. It loads script and styles from beside itself. */
export function servedPage({ html }: PageAssets, setup: MapSetup): string {
  return filled(html, {
    head: '<link rel="stylesheet" href="map.css">',
    setup: embeddedJson(setup),
    script: '<script src="map.js"></script>',
  });
}

/** A page that is complete in itself. Its policy stands in the page, because no server sends one. */
export function filePage(assets: PageAssets, setup: MapSetup): string {
  // Browsers read every end of a line in a page as \n, before they compare the hashes.
  const lines = (text: string) => text.replace(/\r\n?/g, '\n');
  const [script, styles] = [lines(assets.script), lines(assets.styles)];
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(styles)}`,
    imageRule(setup.tiles, ''),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return filled(assets.html, {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${styles}</style>`,
    setup: embeddedJson(setup),
    script: `<script>${script}</script>`,
  });
}

/** The policy of the served page. */
export function servedPolicy({ tiles }: MapSetup): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    imageRule(tiles, " 'self'"),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function imageRule(tiles: MapTiles | null, others: string): string {
  const origins = tiles === null ? [] : tileOrigins(tiles.template);
  return `img-src${others} data:${origins.map((origin) => ` ${origin}`).join('')}`;
}

/** The servers that `{s}` in the address stands for: the three that Leaflet asks. */
export function tileOrigins(template: string): readonly string[] {
  const servers = template.includes('{s}') ? ['a', 'b', 'c'] : [''];
  const addresses = servers.map((server) => template.replaceAll('{s}', server).replace(/\{\w+\}/g, '0'));
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function filled(html: string, parts: { readonly head: string; readonly setup: string; readonly script: string }) {
  // Functions, because `$` means something in a replacement text.
  return html
    .replace('<!-- head -->', () => parts.head)
    .replace('"{{setup}}"', () => parts.setup)
    .replace('<!-- script -->', () => parts.script);
}
