// Bundles the command line with esbuild into a few CommonJS files. ES modules would start slower: on Node 20 their loader alone takes
// about a fifth of the time of `node -e 0`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Our entry points. Each becomes a file, which is loaded when another file imports it with `import()`. */
const entries = {
  main: 'src/cli/run/main.ts',
  run: 'src/cli/run/run.ts',
  service: 'src/mock/service.ts',
};

/** Packages that only few commands use. Each becomes a file of its own; all other packages are part of `run`. */
const packages = ['@tmcw/togeojson', '@xmldom/xmldom', 'conf', 'graphql', 'string-width', 'yaml'];

/**
 * Replacements for packages that every command imports but few commands call; they load the package on first use. Tables and progress
 * lines measure text with string-width, whose regular expressions take 20 ms to compile. The client parses the documents of `request()`
 * with graphql.
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
    // As deep as dist/mock/graphiql: the service finds its page with the same relative path here and there.
    outdir: join(target, 'bundle'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // Large, and installed as a dependency.
    external: ['undici'],
    // An import() becomes a require(), so that Node never starts its loader of ES modules.
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
 * Makes a file of each entry point and of each package above, instead of copying it into every file that imports it.
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
 * Removes commander's import of node:child_process, which loads Node's sockets. Commander needs it only for subcommands that are separate
 * programs; there are none here.
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
