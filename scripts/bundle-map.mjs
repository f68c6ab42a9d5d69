// Bundles the page of `fleet map` with Leaflet: a style sheet, a script, and a second script that draws the ground, so that they can be served and
// put into a file; and brings the archive of the ground along.
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { licenseOfPackage, writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'src/map/page');
const ground = join(root, 'src/map/ground');

/** What is in the second script. */
const packagesOfGround = ['pmtiles', 'fflate', 'pbf', '@mapbox/vector-tile', '@mapbox/point-geometry'];

/**
 * @param {string} target the folder that becomes dist/map
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleMap(target) {
  mkdirSync(target, { recursive: true });
  copyFileSync(join(page, 'page.html'), join(target, 'page.html'));
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
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // The page is mailed without the file of licences.
  const results = await Promise.all([
    build({
      ...common,
      entryPoints: { map: join(page, 'main.ts') },
      // Its modules: what the page does not use stays out.
      alias: { leaflet: join(root, 'node_modules/leaflet/dist/leaflet-src.esm.js') },
      banner: { js: `/* ${licenseOfPackage('leaflet')}*/` },
    }),
    build({
      ...common,
      entryPoints: { ground: join(page, 'ground/main.ts') },
      banner: { js: `/* ${packagesOfGround.map(licenseOfPackage).join('\n')}*/` },
    }),
  ]);
  const metafile = {
    inputs: Object.assign({}, ...results.map(({ metafile: { inputs } }) => inputs)),
    outputs: Object.assign({}, ...results.map(({ metafile: { outputs } }) => outputs)),
  };
  // A quarter of their size, for the sake of the package. The server of the map unpacks them.
  for (const name of ['map.js', 'ground.js']) {
    writeFileSync(join(target, `${name}.br`), brotliCompressSync(readFileSync(join(target, name))));
    rmSync(join(target, name));
  }
  const licenses = join(target, 'licenses.txt');
  writeLicenses(metafile, licenses);
  appendFileSync(licenses, `\n${'-'.repeat(80)}\n\n${readFileSync(join(ground, 'licenses.txt'), 'utf8')}`);
  return metafile;
}
