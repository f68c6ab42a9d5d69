// Bundles the used functions of graphql-request, so that nothing more is installed. They import
// single modules of graphql: the whole package would load a hundred files, and a program's bundle
// would hold them.
import { join } from 'node:path';
import { root } from './source-files.mjs';

/** @type {import('esbuild').Plugin} selects the used functions, with the parts of graphql */
export const partOfGraphqlRequest = {
  name: 'part-of-graphql-request',
  setup(builder) {
    const resolved = Symbol();
    const isInside = (/** @type {string} */ path) => /[\\/]node_modules[\\/]graphql-request[\\/]/.test(path);
    builder.onResolve(
      { filter: /^(graphql-request$|\.)/ },
      async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === resolved || !(path === 'graphql-request' || isInside(importer))) return undefined;
        // Its package.json does not declare files free of side effects: esbuild would keep more.
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
