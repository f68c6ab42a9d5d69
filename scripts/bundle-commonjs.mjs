// Bundles the entry points of the library with esbuild into CommonJS, for tools that load packages with a `require()` of their own and
// cannot load ES modules with it: Jest in its default mode, some bundlers and test runners. Node never takes these files, because the
// condition `module-sync` comes before `require` in the exports of package.json: a program has one copy of every class.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetBeside } from './bundle-parquet.mjs';
import { partOfGraphqlRequest } from './embed-graphql-request.mjs';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * As deep as dist/mock/graphiql, and so are the shared files: the service finds its page with the
 * same relative path here and there.
 */
export const entryPoints = {
  'sdk/index': 'src/index.ts',
  'mock/service': 'src/mock/service.ts',
  'mock/msw': 'src/mock/msw.ts',
  'redis/redis': 'src/redis/redis.ts',
  'otel/trace-fleet': 'src/otel/trace-fleet.ts',
  'kit/kit': 'src/kit/kit.ts',
  'schema/check-schema': 'src/check-schema.ts',
  'tracks/write-tracks': 'src/telemetry/tracks/write-tracks.ts',
};

/** The entry points of fleet-telematics-sync. */
export const entryPointsOfSync = {
  index: 'packages/sync/src/index.ts',
  'target-author': 'packages/sync/src/target-author.ts',
};

/**
 * @param {string} target the folder that becomes dist/commonjs
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export const bundleCommonJs = (target) => bundle(entryPoints, target, 'shared/');

/**
 * @param {string} target the folder that becomes dist/commonjs of fleet-telematics-sync
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export const bundleCommonJsOfSync = (target) => bundle(entryPointsOfSync, target, '');

/**
 * @param {Record<string, string>} entries @param {string} target
 * @param {string} folder for what entry points share
 */
async function bundle(entries, target, folder) {
  const { build, transform } = await import('esbuild');
  const common = /** @type {const} */ ({
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
  });
  const { metafile, outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: entries,
    outdir: target,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    // Entry points share files, so that a program has one copy of every class. esbuild splits only
    // ES modules.
    format: 'esm',
    splitting: true,
    chunkNames: `${folder}[name]-[hash]`,
    // CommonJS themselves, and dependencies or optional peers. The other dependencies are ES modules, so they are bundled.
    external: ['@opentelemetry/api', 'graphql', 'msw', 'node-sqlite3-wasm', 'postgres', 'undici'],
    define: { 'import.meta.url': 'fileUrl' },
    plugins: [fromCore, partOfGraphqlRequest, parquetBeside('./hyparquet.cjs')],
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      ...common,
      format: 'cjs',
      // Stacks and errors show the names of functions and classes.
      minifyIdentifiers: true,
      keepNames: true,
      // An import() becomes a require(): Jest's modules have no import().
      supported: { 'dynamic-import': false },
      banner: `const fileUrl = require('node:url').pathToFileURL(__filename).href;`,
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
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
