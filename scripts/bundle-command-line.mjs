// Bundles the command line with esbuild into a few CommonJS files: Node's loader of ES modules takes a fifth of a bare start.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Our own files. Each is loaded by the one that imports it with `import()`. */
const entries = {
  main: 'src/cli/run/main.ts',
  run: 'src/cli/run/run.ts',
  service: 'src/mock/service.ts',
};

/** Packages that few commands use. Each has a file of its own; the other packages are part of `run`. */
const packages = [
  '@tmcw/togeojson',
  '@xmldom/xmldom',
  'conf',
  'graphql',
  'graphql-request',
  'p-queue',
  'string-width',
  'yaml',
];

/**
 * Modules that load their package on first use, for packages that every command imports and few call: the table and progress lines
 * measure text with string-width, whose regular expressions take longer to compile than help takes to print; the client parses the
 * documents of `request()` with graphql.
 * @type {Readonly<Record<string, () => Promise<string>>>}
 */
const onFirstUse = {
  'string-width': async () => `let stringWidth;
    export default (...args) => (stringWidth ??= require('string-width').default)(...args);`,
  graphql: async () => `let graphql;
    for (const name of ${JSON.stringify(Object.keys(await import('graphql')))})
      Object.defineProperty(exports, name, { enumerable: true, get: () => (graphql ??= require('graphql'))[name] });`,
};

/**
 * @param {string} target the folder that becomes dist/cli
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleCommandLine(target) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries, ...Object.fromEntries(packages.map((name) => [fileOf(name), name])) },
    // As deep as dist/mock/graphiql, whose files the service reads.
    outdir: join(target, 'bundle'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // Large, and installed anyway.
    external: ['undici'],
    // An import() becomes a require(), so that the loader of ES modules is never started.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: `const fileUrl = require('node:url').pathToFileURL(__filename).href;` },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [separateFiles, withoutChildProcess],
    metafile: true,
    logLevel: 'warning',
  });
  writeLicenses(metafile, join(target, 'licenses.txt'));
  return metafile;
}

/** @param {string} name of a package */
const fileOf = (name) => name.replace(/\W+/g, '-').replace(/^-/, '');

/**
 * Keeps the packages and our own entries out of each other's files.
 * @type {import('esbuild').Plugin}
 */
const separateFiles = {
  name: 'separate-files',
  setup(builder) {
    for (const [name, source] of Object.entries(entries)) {
      builder.onResolve({ filter: new RegExp(`/${name}\\.js$`) }, ({ path, kind, resolveDir }) =>
        kind === 'dynamic-import' && join(resolveDir, path) === join(root, source.replace(/ts$/, 'js'))
          ? { path: `./${name}.cjs`, external: true }
          : undefined,
      );
    }
    builder.onResolve({ filter: /.*/, namespace: 'file-of-package' }, ({ path }) => ({
      path: `./${fileOf(path)}.cjs`,
      external: true,
    }));
    for (const name of packages) {
      builder.onResolve({ filter: new RegExp(`^${name}(/|$)`) }, ({ kind, importer }) =>
        kind === 'entry-point' || importer.startsWith(join(root, 'node_modules', name))
          ? undefined
          : { path: name, namespace: 'file-of-package' },
      );
    }
    builder.onLoad({ filter: /.*/, namespace: 'file-of-package' }, async ({ path }) => ({
      contents: (await onFirstUse[path]?.()) ?? `export * from '${path}'; export { default } from '${path}';`,
    }));
  },
};

/**
 * Commander imports node:child_process, and with it Node's sockets, for subcommands that are programs of their own. There are none here.
 * @type {import('esbuild').Plugin}
 */
const withoutChildProcess = {
  name: 'without-child-process',
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes(join('node_modules', 'commander')) ? { path, namespace: 'empty' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: '' }));
  },
};
