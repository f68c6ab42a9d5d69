// Bundles the command line with esbuild into a few CommonJS files. ES modules would start slower:
// on Node 20 their loader alone takes about a fifth of the time of `node -e 0`.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { writeLicenses } from './licenses.mjs';
import { partOfGraphqlRequest } from './part-of-graphql-request.mjs';
import { root } from './source-files.mjs';

/** Our entry points. Each becomes a file, loaded by `import()`. */
const entries = {
  main: 'src/cli/run/main.ts',
  run: 'src/cli/run/run.ts',
  service: 'src/mock/service.ts',
  xlsx: 'src/cli/output/xlsx.ts',
};

/** The source of `run`, with the kit for package commands that dist/cli/bundle/kit.cjs exports. */
const runWithKit = 'scripts/run-with-kit.mjs';

/** Packages for few commands, each in its own file. All other packages are part of `run`. */
const packages = [
  '@tmcw/togeojson',
  '@xmldom/xmldom',
  'conf',
  'graphql',
  'ioredis',
  'jq-wasm',
  'read-excel-file/universal',
  'string-width',
  'yaml',
];

/** Our large files: short names make them a quarter smaller. */
const ownLarge = ['run', 'service', 'xlsx'];

/** Packages whose stack lines are not needed; short names make their files smaller. */
const minified = [
  '@tmcw/togeojson',
  '@xmldom/xmldom',
  'conf',
  'graphql',
  'ioredis',
  'read-excel-file/universal',
  'yaml',
];

/** @param {string} name of a package */
const fileOf = (name) => name.replace(/\W+/g, '-').replace(/^-/, '');

/** Large files of slow commands: they are compressed, and compiled each time. */
const compressedFiles = [
  'xlsx',
  ...['@tmcw/togeojson', '@xmldom/xmldom', 'ioredis', 'read-excel-file/universal', 'yaml'].map(fileOf),
];

/**
 * Replacements for packages that every command imports but few use; they load the package on first
 * use. Tables and progress lines measure text with string-width, whose regular expressions take 20
 * ms to compile. The client parses documents of `request()` with graphql.
 * @type {Readonly<Record<string, () => Promise<string>>>}
 */
const onFirstUse = {
  'string-width': async () => `let stringWidth;
    export default (...args) => (stringWidth ??= require('string-width').default)(...args);`,
  graphql: async () => lateModule('graphql'),
};

/** Node modules that many files import and few commands use, also loaded on first use. */
const lateBuiltins = ['node:http', 'node:timers/promises', 'node:zlib'];

/**
 * Returns a module that loads another one on the first access to a name. Importers copy its own
 * properties, which do not exist, and its prototype.
 * @param {string} name
 */
const lateModule = (name) => `let loaded;
  const exported = (_, name) => name === '__esModule' || (loaded ??= require('${name}'))[name];
  module.exports = Object.create(new Proxy({}, { get: exported }));`;

/**
 * @param {string} target the folder that becomes dist/cli
 * @returns {Promise<import('esbuild').Metafile>} what the bundle is made of
 */
export async function bundleCommandLine(target) {
  const { build, transform } = await import('esbuild');
  const bundle = join(target, 'bundle');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries, run: runWithKit, ...Object.fromEntries(packages.map((name) => [fileOf(name), name])) },
    // As deep as dist/mock/graphiql, so that the service finds its page with one relative path.
    outdir: bundle,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // Large, and installed as dependencies.
    external: ['undici'],
    // An import() becomes a require(), so that Node never starts its ES module loader.
    supported: { 'dynamic-import': false },
    // In development, graphql tests every value twice to detect a second copy; a bundle has one.
    define: {
      'import.meta.url': 'fileUrl',
      'performance.now': 'elapsedMs',
      'process.env.NODE_ENV': '"production"',
    },
    inject: ['scripts/bundle-globals.mjs'],
    // bin/compiled-code.js reads the files as text of one byte per character.
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [
      separateFiles,
      partOfGraphqlRequest,
      withLateBuiltins,
      withoutChildProcess,
      withoutDebug,
      withoutChecksOfConf,
      withFasterJq,
      withContractFile,
    ],
    metafile: true,
    logLevel: 'warning',
  });
  for (const name of [...minified.map(fileOf), ...ownLarge]) {
    const file = join(bundle, `${name}.cjs`);
    // Classes and functions keep their public names: errors of ioredis are named after their class.
    /** @type {import('esbuild').TransformOptions} */
    const options = { format: 'cjs', platform: 'node', charset: 'ascii', minify: true, keepNames: true };
    const { code } = await transform(readFileSync(file, 'utf8'), options);
    // esbuild escapes texts, but not all regular expressions.
    const ascii = code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    writeFileSync(file, ascii);
  }
  compressJq(join(bundle, 'jq-wasm.cjs'));
  for (const name of compressedFiles) compress(join(bundle, `${name}.cjs`));
  writeFileSync(
    join(bundle, 'kit.cjs'),
    "module.exports=(globalThis[Symbol.for('fleet-telematics/kit')]??require('./run.cjs').kit)();\n",
  );
  writeLicenses(metafile, join(target, 'licenses.txt'));
  writeBuildId(bundle);
  return metafile;
}

/**
 * Compresses jq with its program as bytes, because base64 is a third larger. src/cli/output/jq.ts
 * unpacks it.
 * @param {string} file
 */
function compressJq(file) {
  const [code = '', base64 = '', rest = ''] = readFileSync(file, 'utf8').split(/(?<=base64,)([A-Za-z\d+/=]{100000,})/);
  if (rest === '') throw new Error('jq-wasm has changed: its program is not in it as base64');
  const parts = [Buffer.from(`${code}\0${rest}\0`), Buffer.from(base64, 'base64')];
  writeFileSync(`${file}.br`, brotliCompressSync(Buffer.concat(parts)));
  rmSync(file);
}

/** @param {string} file replaced by a program that unpacks and runs its code */
function compress(file) {
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  writeFileSync(
    file,
    `const {join}=require('node:path');const file=join(__dirname,'${basename(file)}.br');
const code=require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(file)).toString('latin1');
const names=['module','exports','require','__filename','__dirname'];
require('node:vm').compileFunction(code,names,{filename:__filename})(module,exports,require,__filename,__dirname);
`,
  );
}

/** @param {string} folder gets the bundle's hash, for bin/compiled-code.js */
function writeBuildId(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  writeFileSync(join(folder, 'build-id'), hash.digest('hex').slice(0, 16));
}

/** @type {import('esbuild').Plugin} makes one file of each entry point and package above */
const separateFiles = {
  name: 'separate-files',
  setup(builder) {
    for (const [name, source] of Object.entries(entries)) {
      builder.onResolve({ filter: new RegExp(`/${basename(source, '.ts')}\\.js$`) }, ({ path, kind, resolveDir }) =>
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
        kind === 'entry-point' || importer.startsWith(join(root, 'node_modules', name, sep))
          ? undefined
          : { path: name, namespace: 'file-of-package' },
      );
    }
    builder.onLoad({ filter: /.*/, namespace: 'file-of-package' }, async ({ path }) => ({
      contents: (await onFirstUse[path]?.()) ?? `export * from '${path}'; export { default } from '${path}';`,
    }));
  },
};

/** @type {import('esbuild').Plugin} loads the Node modules above on first use */
const withLateBuiltins = {
  name: 'with-late-builtins',
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path, importer, kind }) =>
      // Only our own modules: other packages may use their import at load.
      lateBuiltins.includes(path) && kind === 'import-statement' && importer.startsWith(join(root, 'src', sep))
        ? { path, namespace: 'late-builtin' }
        : undefined,
    );
    builder.onResolve({ filter: /.*/, namespace: 'late-builtin' }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path }) => ({ contents: lateModule(path) }));
  },
};

/**
 * Removes commander's import of node:child_process, which loads Node's sockets. Commander needs it
 * only for subcommands that are separate programs; there are none here.
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

/** @type {import('esbuild').Plugin} removes debug output of ioredis, which shows values */
const withoutDebug = {
  name: 'without-debug',
  setup(builder) {
    builder.onResolve({ filter: /^debug$/ }, ({ path }) => ({ path, namespace: 'silent' }));
    builder.onLoad({ filter: /.*/, namespace: 'silent' }, () => ({
      contents: 'module.exports = { default: () => () => undefined };',
    }));
  },
};

/**
 * Removes conf's parts for schemas and migrations: three quarters of its code. src/cli/config
 * validates the configuration itself.
 * @type {import('esbuild').Plugin}
 */
const withoutChecksOfConf = {
  name: 'without-checks-of-conf',
  setup(builder) {
    builder.onResolve({ filter: /^(ajv|ajv-formats|semver)(\/|$)/ }, ({ path, importer }) =>
      importer.includes(join('node_modules', 'conf')) ? { path, namespace: 'unused' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** @type {import('esbuild').Plugin} reads schema.graphql when needed, instead of bundled copies */
const withContractFile = {
  name: 'with-contract-file',
  setup(builder) {
    builder.onLoad({ filter: /generated[\\/]contract-text\.ts$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        export const contractText = readFileSync(require('node:path').join(__dirname, '../../../schema.graphql'), 'utf8');`,
    }));
  },
};

/**
 * Makes jq-wasm read and write in linear time: it copies its whole input or output for each byte,
 * so that a megabyte takes minutes.
 * @type {import('esbuild').Plugin}
 */
const withFasterJq = {
  name: 'with-faster-jq',
  setup(builder) {
    builder.onLoad({ filter: /jq-wasm[\\/]dist[\\/]build[\\/]jq\.js$/ }, ({ path }) => {
      /** @type {readonly (readonly [RegExp, string])[]} */
      const replacements = [
        [
          /const byte = stdinBuffer\[0\];\s*stdinBuffer = stdinBuffer\.slice\(1\);/,
          'const byte = stdinBuffer[stdinAt++];',
        ],
        [/if \(stdinBuffer\.length > 0\)/, 'if (stdinAt < stdinBuffer.length)'],
        [
          /let stdoutBuffer = new Uint8Array\(0\);/,
          'let stdinAt = 0, stdoutBytes = [], stdoutBuffer = new Uint8Array(0);',
        ],
        [
          /stdoutBuffer = new Uint8Array\(0\);(?=\s*stderrBuffer = new Uint8Array\(0\);\s*if)/,
          'stdoutBytes = []; stdinAt = 0;',
        ],
        [
          /const tmp = new Uint8Array\(stdoutBuffer\.length \+ 1\);[^}]*?stdoutBuffer = tmp;/,
          'stdoutBytes.push(charCode);',
        ],
        [
          /if \(stdoutBuffer\.length > 0\)/,
          'stdoutBuffer = Uint8Array.from(stdoutBytes); if (stdoutBuffer.length > 0)',
        ],
      ];
      let contents = readFileSync(path, 'utf8');
      for (const [from, to] of replacements) {
        if (!from.test(contents)) throw new Error(`jq-wasm has changed: ${from} is not in it`);
        contents = contents.replace(from, to);
      }
      return { contents };
    });
  },
};
