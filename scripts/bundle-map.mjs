// Bundles the page of `fleet map` with Leaflet: one script and one style sheet, so that it can be served and put into a file.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'src/map/page');

/**
 * @param {string} target the folder that becomes dist/map
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleMap(target) {
  mkdirSync(target, { recursive: true });
  copyFileSync(join(page, 'page.html'), join(target, 'page.html'));
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { map: join(page, 'main.ts') },
    outdir: target,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // Its modules: what the page does not use stays out.
    alias: { leaflet: join(root, 'node_modules/leaflet/dist/leaflet-src.esm.js') },
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    // The page is mailed without the file of licences.
    banner: { js: `/* Leaflet\n${readFileSync(join(root, 'node_modules/leaflet/LICENSE'), 'utf8')}*/` },
    metafile: true,
    logLevel: 'warning',
  });
  writeLicenses(metafile, join(target, 'licenses.txt'));
  return metafile;
}
