// Bundles the command line so that it starts fast. esbuild splits it into files at every import(); each is then rewritten to CommonJS,
// for Node's loader of ES modules takes a fifth of a bare start, and so that whatever a file imports is loaded when it is first used.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = 'node20.19';

/** Has files of their own, so that they are loaded only where they are used. */
const apart = ['graphql/language/parser.js', 'graphql/language/printer.js', 'string-width'];

/** @param {string} folder becomes the home of main.cjs and chunks/ */
export async function bundleCommandLine(folder) {
  const { build, transform } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'src/cli/run/main.ts', out: 'chunks/start' },
      { in: 'src/cli/run/run.ts', out: 'chunks/run' },
      ...apart.map((name) => ({ in: name, out: `chunks/${name.replace(/\W+/g, '-')}` })),
    ],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target,
    mainFields: ['module', 'main'],
    // Large, and installed anyway.
    external: ['undici'],
    legalComments: 'none',
    plugins: [fewFiles, noPrograms],
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target,
      supported: { 'dynamic-import': false },
      legalComments: 'none',
      define: { 'import.meta.url': 'urlOfThisFile' },
    });
    const whole = code.includes('urlOfThisFile') ? `${urlOfThisFile}\n${code}` : code;
    const lazy = importedWhenUsed(whole.replace(fileOfBundle, 'loadChunk("$1")'));
    const small = await transform(lazy, { target, minifySyntax: true, minifyWhitespace: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, small.code);
  }
  copyFileSync(join(root, 'scripts/chunk-loader.cjs'), join(folder, 'main.cjs'));
}

/** As one file of the bundle asks for another. */
const fileOfBundle = /\brequire\("(?:\.\.?\/)(?:chunks\/)?([\w-]+)\.cjs"\)/g;
const urlOfThisFile = `const urlOfThisFile = require('node:url').pathToFileURL(__filename).href;`;

/**
 * Moves each import of a file to where something of it is used. Nothing here is imported for what it does by itself, as the package says
 * of its own modules.
 * @param {string} code as esbuild writes it: `var import_x = require("x");`, and `import_x.name` wherever something is used
 */
function importedWhenUsed(code) {
  /** @type {Map<string, string>} */
  const sources = new Map();
  const rest = code
    .replace(/^(?:require|loadChunk)\("[^"]+"\);$/gm, '')
    .replace(/^var (import_\w+) = (.+);$/gm, (_whole, name, source) => {
      sources.set(name, source);
      return `var ${name};`;
    });
  /** @param {string} text @returns {string} */
  const used = (text) =>
    text.replace(/\b(import_\w+)\./g, (whole, name) => {
      const source = sources.get(name);
      return source === undefined ? whole : `(${name} ??= ${used(source)}).`;
    });
  return used(rest);
}

/**
 * Keeps what belongs together in one file. By itself esbuild makes a file for each set of modules that happens to be shared by the same
 * commands, and opening twenty small files takes longer than running them. So whatever is loaded lazily is made to import what has been
 * loaded before it anyway, and every command besides that what several commands have in common. The one becomes a file that help
 * needs, the other a file that every command needs.
 * @type {import('esbuild').Plugin}
 */
const fewFiles = {
  name: 'few-files',
  setup(builder) {
    const before = ['run/run.ts', 'context/define-command.ts', 'change/flags.ts', 'watch/flags.ts', 'parse/repeatable.ts'].map(
      (file) => join(root, 'src/cli', file),
    );
    const [first = ''] = before;
    const lazy = new Set(filesOf(join(root, 'src')).flatMap((file) => importsOf(file).lazy));
    const commands = [...lazy].filter((file) => dirname(file) === join(root, 'src/cli/commands'));
    const common = sharedBy(commands);
    // The package says that its modules have no side effects, so an import of nothing would be dropped.
    builder.onResolve({ filter: /\?together$/ }, ({ path }) => ({ path: path.slice(0, -9), sideEffects: true }));
    builder.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const source = sourceOf(resolveDir, path);
      return before.includes(source) || common.includes(source) ? { path: source, sideEffects: true } : undefined;
    });
    builder.onResolve({ filter: /^[^.]/ }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
      const resolved = await builder.resolve(path, { kind, pluginData: 'asked', ...from });
      if (!resolved.external) lazy.add(resolved.path);
      return resolved;
    });
    builder.onLoad({ filter: /\.[tj]s$/, namespace: 'file' }, ({ path }) => {
      if (!lazy.has(path)) return undefined;
      const along = path === first ? before.slice(1) : commands.includes(path) ? [...before, ...common] : before;
      const imports = along.map((module) => `import ${JSON.stringify(`${module}?together`)};`);
      const loader = path.endsWith('.ts') ? 'ts' : 'js';
      return { loader, contents: `${imports.join('')}\n${readFileSync(path, 'utf8')}` };
    });
    // A file for one word would be one too many.
    builder.onResolve({ filter: /^\.\/version\.js$/ }, ({ importer }) => ({ path: importer, namespace: 'version' }));
    builder.onLoad({ filter: /.*/, namespace: 'version' }, () => {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      return { contents: `export const version = ${JSON.stringify(version)};` };
    });
  },
};

/**
 * Commander loads node:child_process, and with it Node's sockets, to run commands that are programs of their own: there are none here.
 * @type {import('esbuild').Plugin}
 */
const noPrograms = {
  name: 'no-programs',
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'nothing' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** @param {string} folder @returns {string[]} */
function filesOf(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}

/** @param {string} folder @param {string} specifier of a module of ours */
const sourceOf = (folder, specifier) => join(folder, specifier).replace(/\.js$/, '.ts');

/**
 * The modules of ours that a module imports, types aside: at once, and later.
 * @param {string} file
 */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = (/** @type {RegExp} */ form) =>
    [...text.matchAll(form)].map(([, specifier = '']) => sourceOf(dirname(file), specifier));
  return {
    atOnce: found(/^(?:import|export)\s(?!type\s)[^;']*?from '(\.[^']+\.js)'/gm),
    lazy: found(/\bimport\('(\.[^']+\.js)'\)/g),
  };
}

/**
 * The modules that at least two of these need at once.
 * @param {string[]} files
 */
function sharedBy(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files) {
    const reached = new Set([file]);
    for (const module of reached) for (const next of importsOf(module).atOnce) reached.add(next);
    for (const module of reached) counts.set(module, (counts.get(module) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([module]) => module);
}
