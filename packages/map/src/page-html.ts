// Builds the HTML of the page, served or written to a file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { MapSetup, MapTiles } from './shapes.js';

export interface PageAssets {
  readonly html: string;
  readonly script: string;
  readonly ground: string;
  readonly styles: string;
  readonly world: Uint8Array;
}

export interface EmbeddedArchives {
  readonly world: Uint8Array;
  readonly streets: Uint8Array | null;
}

/** Returns null when the page has not been built. `../dist/page/` is for a run from the sources. */
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

/** Returns JSON that cannot close its HTML element: `<` occurs only in strings. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** Returns the served page. The base map script is deferred until after the first paint. */
export function servedPage({ html }: PageAssets, setup: MapSetup): string {
  return filled(html, {
    head: '<link rel="stylesheet" href="map.css">',
    setup: embeddedJson(setup),
    script: '<script src="map.js"></script>\n<script src="ground.js" defer></script>',
  });
}

/** The policy is in a meta tag, because no server sends headers. `packed`: the compressed setup. */
export function filePage(
  assets: PageAssets,
  setup: Pick<MapSetup, 'tiles' | 'streets'>,
  packed: Uint8Array,
  archives: EmbeddedArchives,
): string {
  // Browsers convert every line end to LF before they compare the hashes.
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

/** Returns the origins of the tiles. `{s}` stands for a, b and c, as in Leaflet. */
export function tileOrigins(template: string): readonly string[] {
  const servers = template.includes('{s}') ? ['a', 'b', 'c'] : [''];
  const addresses = servers.map((server) => template.replaceAll('{s}', server).replace(/\{\w+\}/g, '0'));
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function filled(html: string, parts: { readonly head: string; readonly setup: string; readonly script: string }) {
  // Functions, because `$` is special in a replacement string.
  return html
    .replace('<!-- head -->', () => parts.head)
    .replace('"{{setup}}"', () => parts.setup)
    .replace('<!-- script -->', () => parts.script);
}
