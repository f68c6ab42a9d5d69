// Bundles the page of `fleet map` with Leaflet: a style sheet, a script, and a second script that
// draws the base map, to serve them or to put them into a file. Also copies the base map's archive.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { licenseOfPackage, writeLicenses } from './licenses.mjs';
import { root } from './source-files.mjs';

const page = join(root, 'packages/map/src/page');
const ground = join(root, 'packages/map/src/ground');

const packagesOfGround = ['pmtiles', 'fflate', 'pbf', '@mapbox/vector-tile', '@mapbox/point-geometry'];

/**
 * The parts of Leaflet that the page uses. Its index imports all others too, half of the code,
 * because markers, popups and controls register themselves with the map.
 */
const partsOfLeaflet = `
  import { Map } from './map/Map';
  import { BoxZoom } from './map/handler/Map.BoxZoom';
  import { DoubleClickZoom } from './map/handler/Map.DoubleClickZoom';
  import { Drag } from './map/handler/Map.Drag';
  import { Keyboard } from './map/handler/Map.Keyboard';
  import { ScrollWheelZoom } from './map/handler/Map.ScrollWheelZoom';
  import { TouchZoom } from './map/handler/Map.TouchZoom';
  Object.assign(Map, { BoxZoom, DoubleClickZoom, Drag, Keyboard, ScrollWheelZoom, TouchZoom });
  export { Map };
  export { TileLayer } from './layer/tile/TileLayer';
`;

/** @type {import('esbuild').Plugin} */
const leaflet = {
  name: 'leaflet',
  setup(build) {
    build.onResolve({ filter: /^leaflet$/ }, ({ path }) => ({ path, namespace: 'leaflet' }));
    build.onLoad({ filter: /.*/, namespace: 'leaflet' }, () => ({
      contents: partsOfLeaflet,
      resolveDir: join(root, 'node_modules/leaflet/src'),
    }));
  },
};

/**
 * @param {string} target the folder that becomes dist/page of fleet-telematics-map
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleMap(target) {
  mkdirSync(target, { recursive: true });
  // The script writes the texts; in the source they describe the elements.
  const html = readFileSync(join(page, 'page.html'), 'utf8')
    .replace(/(data-text="\w+">)[^<]+/g, '$1')
    .replace(/>\n</g, '><')
    // HTML needs no quotes around a value that is one word.
    .replace(/(\s[\w-]+)="([\w-]+)"(?=[\s>])/g, '$1=$2');
  writeFileSync(join(target, 'page.html'), html);
  copyFileSync(join(ground, 'world.pmtiles'), join(target, 'world.pmtiles'));
  const { build } = await import('esbuild');
  const common = /** @type {const} */ ({
    absWorkingDir: root,
    outdir: target,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    // Written as `1/0` in the bundle.
    define: { 'Number.POSITIVE_INFINITY': 'Infinity' },
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // No module of the kit that the page uses needs Node.
  const external = ['node:*'];
  // The page may be mailed without the licence file.
  const results = await Promise.all([
    build({
      ...common,
      external,
      entryPoints: { map: join(page, 'main.ts') },
      plugins: [leaflet],
      // Leaflet's private properties: 10 kB of names. It looks up `_leaflet…` by name.
      mangleProps: /^_[a-z]/,
      reserveProps: /^_leaflet/,
      banner: { js: `/* ${licenseOfPackage('leaflet')}*/` },
    }),
    build({
      ...common,
      external,
      entryPoints: { ground: join(page, 'ground/main.ts') },
      banner: { js: `/* ${packagesOfGround.map(licenseOfPackage).join('\n')}*/` },
    }),
  ]);
  const metafile = {
    inputs: Object.assign({}, ...results.map(({ metafile: { inputs } }) => inputs)),
    outputs: Object.assign({}, ...results.map(({ metafile: { outputs } }) => outputs)),
  };
  // A quarter of their size. The map's server unpacks them.
  for (const name of ['map.js', 'map.css', 'ground.js']) {
    writeFileSync(join(target, `${name}.br`), brotliCompressSync(readFileSync(join(target, name))));
    rmSync(join(target, name));
  }
  const licenses = join(target, 'licenses.txt');
  writeLicenses(metafile, licenses);
  appendFileSync(licenses, `\n${'-'.repeat(80)}\n\n${readFileSync(join(ground, 'licenses.txt'), 'utf8')}`);
  return metafile;
}
