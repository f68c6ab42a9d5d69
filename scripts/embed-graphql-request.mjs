// Embeds what the SDK uses of graphql-request in the one module that imports it, so that nothing more is installed. Only the function that
// is called and what it calls are taken. Of graphql they import the modules that they use: the package as a whole would load a hundred files,
// and the bundle of a program would hold them.
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Takes the functions of graphql-request that are called, and gives them the parts of graphql.
 * @type {import('esbuild').Plugin}
 */
export const partOfGraphqlRequest = {
  name: 'part-of-graphql-request',
  setup(builder) {
    const resolved = Symbol();
    const isInside = (/** @type {string} */ path) => /[\\/]node_modules[\\/]graphql-request[\\/]/.test(path);
    builder.onResolve(
      { filter: /^(graphql-request$|\.)/ },
      async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === resolved || !(path === 'graphql-request' || isInside(importer))) return undefined;
        // Its package.json does not say that loading a file of it does nothing else, so esbuild would keep more than is called.
        return {
          ...(await builder.resolve(path, { importer, kind, resolveDir, pluginData: resolved })),
          sideEffects: false,
        };
      },
    );
    builder.onResolve({ filter: /^graphql$/ }, ({ importer }) =>
      isInside(importer) ? { path: join(root, 'scripts/parts-of-graphql.mjs'), sideEffects: false } : undefined,
    );
  },
};

/** Leaves the other modules of the SDK where tsc wrote them. @type {import('esbuild').Plugin} */
const onlyThisModule = {
  name: 'only-this-module',
  setup(builder) {
    builder.onResolve({ filter: /^\./ }, ({ path, importer }) =>
      importer.startsWith(join(root, 'src', sep)) ? { path, external: true } : undefined,
    );
    builder.onResolve({ filter: /graphql-parts\.js$/ }, () => ({ path: './graphql-parts.js', external: true }));
  },
};

/**
 * @param {string} target the folder with the output of tsc, that becomes dist
 * @returns {Promise<import('esbuild').Metafile>} what the module is made of
 */
export async function embedGraphqlRequest(target) {
  const { build } = await import('esbuild');
  const folder = join(target, 'request');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/request/caller-document.ts'],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    plugins: [onlyThisModule, partOfGraphqlRequest],
    sourcemap: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeLicenses(metafile, join(folder, 'licenses.txt'));
  return metafile;
}
