// Makes the HTML of the page: the same for the page that is served and for the file that is mailed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { MapSetup, MapTiles } from './shapes.js';

/** The built files of the page. */
export interface PageAssets {
  readonly html: string;
  readonly script: string;
  /** The second script, which draws the ground. */
  readonly ground: string;
  readonly styles: string;
  /** The archive of the ground. */
  readonly world: Uint8Array;
}

/** What a page that is complete in itself holds of archives. */
export interface EmbeddedArchives {
  readonly world: Uint8Array;
  readonly streets: Uint8Array | null;
}

/** Null when they have not been built. Looks beside dist/command and, from the sources, in dist/. */
export function readAssets(): PageAssets | null {
  for (const folder of ['../page/', '../dist/page/']) {
    try {
      const read = (name: string) => readFileSync(new URL(`${folder}${name}`, import.meta.url));
      return {
        html: read('page.html').toString(),
        script: brotliDecompressSync(read('map.js.br')).toString(),
        ground: brotliDecompressSync(read('ground.js.br')).toString(),
        styles: brotliDecompressSync(read('map.css.br')).toString(),
        world: read('world.pmtiles'),
      };
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

/** The page of the server. It loads scripts and styles from beside itself; the ground comes after the first picture. */
export function servedPage({ html }: PageAssets, setup: MapSetup): string {
  return filled(html, {
    head: '<link rel="stylesheet" href="map.css">',
    setup: embeddedJson(setup),
    script: '<script src="map.js"></script>\n<script src="ground.js" defer></script>',
  });
}

/** A page that is complete in itself. Its policy stands in the page, because no server sends one. `packed`: the setup, compressed. */
export function filePage(
  assets: PageAssets,
  setup: Pick<MapSetup, 'tiles' | 'streets'>,
  packed: Uint8Array,
  archives: EmbeddedArchives,
): string {
  // Browsers read every end of a line in a page as \n, before they compare the hashes.
  const lines = (text: string) => text.replace(/\r\n?/g, '\n');
  const [script, ground, styles] = [lines(assets.script), lines(assets.ground), lines(assets.styles)];
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} ${hashOf(ground)}`,
    `style-src ${hashOf(styles)}`,
    ...(setup.streets?.url ? [`connect-src ${new URL(setup.streets.url).origin}`] : []),
    imageRule(setup.tiles, ''),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return filled(assets.html, {
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${styles}</style>`,
    setup: embeddedJson(Buffer.from(packed).toString('base64')),
    script: [
      ...Object.entries(archives).flatMap(([name, bytes]) => (bytes === null ? [] : [embeddedArchive(name, bytes)])),
      `<script>${script}</script>`,
      `<script>${ground}</script>`,
    ].join('\n'),
  });
}

function embeddedArchive(name: string, bytes: Uint8Array): string {
  return `<script type="application/octet-stream" id="${name}">${Buffer.from(bytes).toString('base64')}</script>`;
}

/** The policy of the served page. */
export function servedPolicy({ tiles, streets }: MapSetup): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${streets?.url ? ` ${new URL(streets.url).origin}` : ''}`,
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
