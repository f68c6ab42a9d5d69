// Bundles what the SDK uses of graphql-request, so that nothing more is installed. Only the function that is called
// and what it calls are taken. Of graphql they import the modules that they use: the package as a whole would load a
// hundred files, and the bundle of a program would hold them.
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
