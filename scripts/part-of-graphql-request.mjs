// Bundles the parts of graphql-request that the SDK uses, so that nothing more is installed: the
// function that is called, and the functions that it calls. They import single modules of graphql:
// the package as a whole would load a hundred files, and the bundle of a program would hold them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
        // Its package.json does not say that its files have no side effects: esbuild would keep more.
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
