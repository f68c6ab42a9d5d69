// Bundles the commands of the packages, and `fleet-telematics-mcp` and `fleet-telematics-map`. A
// command runs inside of the program `fleet`: its imports of `fleet-telematics` resolve to the
// program's own copy.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLicenses } from './licenses.mjs';
import { root } from './source-files.mjs';

const kit = 'fleet-telematics/kit/command';

/** The modules of each package that become files. Others are bundled into their importer. */
const entries = {
  sync: { command: 'src/command.ts', copy: 'src/copy.ts', library: 'src/index.ts' },
  map: { command: 'src/command.ts' },
  mcp: { command: 'src/command.ts' },
};

/**
 * @param {keyof typeof entries} name of the package
 * @param {string} target the folder that becomes its dist/command
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundlePackage(name, target) {
  const { build } = await import('esbuild');
  const folder = `packages/${name}`;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries[name]).map(([file, source]) => [file, `${folder}/${source}`]),
    ),
    outdir: target,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: ['graphql', 'node-sqlite3-wasm', 'postgres'],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: `const fileUrl = require('node:url').pathToFileURL(__filename).href;` },
    plugins: [ofProgram, libraryAsFile, withOneValidator],
    charset: 'ascii',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  if (name === 'sync') copyFileSync(join(root, folder, 'src/copy/sql-program.cjs'), join(target, 'sql-program.cjs'));
  writeLicenses(metafile, join(target, 'licenses.txt'));
  return metafile;
}

/** @type {import('esbuild').Plugin} resolves the SDK and the kit to the program's own */
const ofProgram = {
  name: 'of-program',
  setup(builder) {
    builder.onResolve({ filter: /^fleet-telematics(\/kit(\/command)?)?$/ }, () => ({ path: kit, external: true }));
  },
};

/** @type {import('esbuild').Plugin} loads the copy's library and Parquet from separate files */
const libraryAsFile = {
  name: 'library-beside',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/(index|hyparquet)\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: path.includes('index') ? './library.cjs' : '../commonjs/hyparquet.cjs', external: true }
        : undefined,
    );
  },
};

/**
 * Selects the smaller JSON Schema validator of the MCP server, which packages/mcp/src/server.ts
 * uses, and one of its two copies of zod.
 * @type {import('esbuild').Plugin}
 */
const withOneValidator = {
  name: 'with-one-validator',
  setup(builder) {
    const server = join(root, 'node_modules/@modelcontextprotocol/server');
    builder.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'one-validator',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'one-validator' }, () => ({
      contents: `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
        export { default as process } from 'node:process';`,
      resolveDir: server,
    }));
    builder.onResolve({ filter: /^zod(\/|$)/ }, ({ path, kind, resolveDir }) =>
      resolveDir === server || !resolveDir.includes(join('@modelcontextprotocol', 'core'))
        ? undefined
        : builder.resolve(path, { kind, resolveDir: server }),
    );
  },
};
