// @ts-check
// Bundles handler.mjs as for a cloud function, and measures each package and part of the SDK.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('handler.mjs', import.meta.url));

/**
 * @param {readonly string[]} [external] packages to leave out
 * @returns {Promise<{ code: Uint8Array, parts: Map<string, number> }>} the minified file, and bytes
 * by package; those of the SDK have one name
 */
export async function bundleHandler(external = []) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    outfile: 'handler.cjs',
    external: [...external],
    write: false,
    metafile: true,
  });
  /** @type {Map<string, number>} */
  const parts = new Map();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'fleet-telematics';
      parts.set(name, (parts.get(name) ?? 0) + bytesInOutput);
    }
  }
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild made no file');
  return { code: file.contents, parts };
}
