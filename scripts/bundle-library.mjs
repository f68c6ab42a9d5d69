// Bundles the entry points of the library with esbuild, as ES modules and CommonJS. Entry points
// share files, so that a program has one copy of every class. Node loads a few files three times
// faster than one for each module. CommonJS is for tools with their own `require()` that cannot
// load ES modules: default Jest, some bundlers and test runners. Node never loads these files:
// `module-sync` comes before `require` in the exports of package.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parquetAsFile } from './bundle-parquet.mjs';
import { writeLicenses } from './licenses.mjs';
import { partOfGraphqlRequest } from './part-of-graphql-request.mjs';
import { withSmallerMap } from './smaller-map.mjs';
import { root } from './source-files.mjs';

/** As deep as dist/mock/graphiql, so that the service finds its page with one relative path. */
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

export const entryPointsOfSync = {
  'sdk/index': 'packages/sync/src/index.ts',
  'sdk/target-author': 'packages/sync/src/target-author.ts',
};

/** @typedef {typeof entryPoints | typeof entryPointsOfSync} EntryPoints */

/** Minified files without a source map: their stack lines are not needed. */
const withoutMap = /^(mock|redis)\//;

/**
 * @param {string} target the folder that becomes dist
 * @param {EntryPoints} [entries]
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleLibrary(target, entries = entryPoints) {
  await bundleCommonJs(join(target, 'commonjs'), entries);
  const folder = join(target, 'esm');
  const { metafile, outputFiles } = await bundle(entries, folder, '.js');
  const { transform } = await import('esbuild');
  const maps = new Map(outputFiles.map(({ path, text }) => [path, text]));
  for (const { path, text: written } of outputFiles) {
    const map = maps.get(`${path}.map`);
    if (map === undefined) continue;
    // esbuild imports files to keep the order of side effects, which these files do not have.
    const text = withClassNames(written).replace(/^import "\.[^"]+";$/gm, '');
    mkdirSync(dirname(path), { recursive: true });
    if (withoutMap.test(relative(folder, path))) {
      const options = /** @type {const} */ ({ minify: true, keepNames: true, legalComments: 'none' });
      writeFileSync(path, (await transform(text, { ...options, target: 'node20.19' })).code);
      continue;
    }
    const smaller = withSmallerMap(text, map);
    writeFileSync(path, `${smaller.code}//# sourceMappingURL=${basename(path)}.map\n`);
    writeFileSync(`${path}.map`, smaller.map);
  }
  writeLicenses(metafile, join(folder, 'licenses.txt'));
  return metafile;
}

/** @param {string} target the folder that becomes dist/commonjs @param {EntryPoints} entries */
async function bundleCommonJs(target, entries) {
  const { transform } = await import('esbuild');
  const { outputFiles } = await bundle(entries, target, '.cjs');
  for (const { path, text } of outputFiles) {
    if (path.endsWith('.map')) continue;
    const { code } = await transform(withClassNames(text), {
      platform: 'node',
      target: 'node20.19',
      format: 'cjs',
      define: { 'import.meta.url': 'fileUrl' },
      minify: true,
      // Stacks and errors show the names of functions and classes.
      keepNames: true,
      // An import() becomes a require(): Jest's modules have no import().
      supported: { 'dynamic-import': false },
      banner: `const fileUrl = require('node:url').pathToFileURL(__filename).href;`,
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}

/** @param {string} text in which esbuild renamed self-referring classes; errors show names */
function withClassNames(text) {
  let code = text;
  for (const [, name = ''] of text.matchAll(/^var (\w+) = class _\1\b/gm)) {
    code = code.replace(new RegExp(`\\b_${name}\\b`, 'g'), name);
  }
  return code;
}

/**
 * Bundles the entry points as ES modules, in memory.
 * @param {EntryPoints} entries @param {string} outdir @param {'.js' | '.cjs'} extension
 */
async function bundle(entries, outdir, extension) {
  const { build } = await import('esbuild');
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    outExtension: { '.js': extension },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    // esbuild splits only ES modules.
    format: 'esm',
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    // Dependencies or optional peers in CommonJS. Libraries in ES modules are bundled.
    external: ['@opentelemetry/api', 'graphql', 'msw', 'node-sqlite3-wasm', 'postgres', 'undici'],
    plugins: [fromCore, partOfGraphqlRequest, parquetAsFile(`../hyparquet${extension}`)],
    legalComments: 'none',
    sourcemap: 'external',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
}

/** @type {import('esbuild').Plugin} excludes fleet-telematics from the files of another package */
const fromCore = {
  name: 'from-core',
  setup(builder) {
    builder.onResolve({ filter: /^fleet-telematics(\/kit)?$/ }, ({ path }) => ({ path, external: true }));
  },
};
