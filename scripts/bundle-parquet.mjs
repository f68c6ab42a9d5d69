// Bundles the two libraries that read and write Parquet, so that programs install neither:
// unbundled they are five times as large. There is one file for ES modules, and one for the
// CommonJS files and `fleet sync`.
import { join } from 'node:path';
import { writeLicenses } from './licenses.mjs';
import { root } from './source-files.mjs';

const source = 'packages/sync/src/parquet/hyparquet.ts';

/**
 * @param {string} target the folder that becomes dist of fleet-telematics-sync
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleParquet(target) {
  const { build } = await import('esbuild');
  const bundled = (/** @type {'esm' | 'cjs'} */ format, /** @type {string} */ outfile) =>
    build({
      absWorkingDir: root,
      entryPoints: [source],
      outfile: join(target, outfile),
      format,
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      minify: true,
      legalComments: 'none',
      metafile: true,
      logLevel: 'warning',
    });
  await bundled('cjs', 'commonjs/hyparquet.cjs');
  const { metafile } = await bundled('esm', 'esm/hyparquet.js');
  writeLicenses(metafile, join(target, 'esm/licenses.txt'));
  return metafile;
}

/**
 * Excludes the libraries from bundles of their importers.
 * @param {string} path of the CommonJS file, from the bundle
 * @returns {import('esbuild').Plugin}
 */
export const parquetAsFile = (path) => ({
  name: 'parquet-beside',
  setup(builder) {
    builder.onResolve({ filter: /\/hyparquet\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
});
