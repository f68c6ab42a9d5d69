// Bundles the entry points of the library with esbuild into CommonJS, for tools that load packages with a `require()` of their own and
// cannot load ES modules with it: Jest in its default mode, some bundlers and test runners. Node never takes these files, because the
// condition `module-sync` comes before `require` in the exports of package.json: a program has one copy of every class.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetBeside } from './bundle-parquet.mjs';
import { partOfGraphqlRequest } from './embed-graphql-request.mjs';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** As deep as dist/mock/graphiql: the service finds its page with the same relative path here and there. */
export const entryPoints = {
  'sdk/index': 'src/index.ts',
  'mock/service': 'src/mock/service.ts',
  'mock/msw': 'src/mock/msw.ts',
  'redis/redis': 'src/redis/redis.ts',
  'otel/trace-fleet': 'src/otel/trace-fleet.ts',
  'kit/kit': 'src/kit/kit.ts',
};

/** Those of fleet-telematics-sync. */
export const entryPointsOfSync = {
  index: 'packages/sync/src/index.ts',
  'target-author': 'packages/sync/src/target-author.ts',
};

/**
 * @param {string} target the folder that becomes dist/commonjs
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export const bundleCommonJs = (target) => bundle(entryPoints, target);

/**
 * @param {string} target the folder that becomes dist/commonjs of fleet-telematics-sync
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export const bundleCommonJsOfSync = (target) => bundle(entryPointsOfSync, target);

/**
 * @param {Record<string, string>} entries @param {string} target
 */
async function bundle(entries, target) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: target,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // CommonJS themselves, and dependencies or optional peers. The other dependencies are ES modules, so they are bundled.
    external: ['@opentelemetry/api', 'graphql', 'msw', 'node-sqlite3-wasm', 'postgres', 'undici'],
    // An import() becomes a require(): Jest's modules have no import().
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: `const fileUrl = require('node:url').pathToFileURL(__filename).href;` },
    plugins: [fromCore, partOfGraphqlRequest, parquetBeside('./hyparquet.cjs')],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeLicenses(metafile, join(target, 'licenses.txt'));
  return metafile;
}

/**
 * Leaves the package fleet-telematics out of the files of another one.
 * @type {import('esbuild').Plugin}
 */
const fromCore = {
  name: 'from-core',
  setup(builder) {
    builder.onResolve({ filter: /^fleet-telematics(\/kit)?$/ }, ({ path }) => ({ path, external: true }));
  },
};
