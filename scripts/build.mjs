// Builds dist/ from src/: the library with tsc, the command line as one esbuild bundle, the files of the GraphiQL page.
// Does nothing when dist/ is fresh, because `prepare` runs it on every `npx fleet` in a clone; replaces dist/ in one step,
// because somebody may be using it.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = [
  'src',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const stamp = 'build-inputs.sha256';
const dist = join(root, 'dist');
const lock = join(root, 'dist.lock');

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

function hashOfInputs() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesOf(join(root, input)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} hash */
function isFresh(hash) {
  try {
    return readFileSync(join(dist, stamp), 'utf8') === hash;
  } catch {
    return false;
  }
}

/**
 * Keeps what belongs together in one file. By itself esbuild makes a file for each set of modules that happens to be shared by the same
 * commands, and opening and linking twenty small files takes longer than running them. So whatever is loaded lazily is made to import
 * what has been loaded before it anyway, `run.ts`, and every command besides that what several commands have in common. The one becomes
 * a file that help needs, the other a file that every command needs.
 * @type {import('esbuild').Plugin}
 */
const fewFiles = {
  name: 'few-files',
  setup(builder) {
    const first = join(root, 'src/cli/run.ts');
    const commands = filesOf(join(root, 'src/cli/commands'));
    const lazy = new Set(filesOf(join(root, 'src')).flatMap((file) => importsOf(file).lazy));
    const common = sharedBy(commands);
    // The package says that its modules have no side effects, so an import of nothing would be dropped.
    builder.onResolve({ filter: /\?together$/ }, ({ path }) => ({ path: path.slice(0, -9), sideEffects: true }));
    builder.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const source = sourceOf(resolveDir, path);
      return source === first || common.includes(source) ? { path: source, sideEffects: true } : undefined;
    });
    builder.onResolve({ filter: /^[^.]/ }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
      const resolved = await builder.resolve(path, { kind, pluginData: 'asked', ...from });
      if (!resolved.external) lazy.add(resolved.path);
      return resolved;
    });
    builder.onLoad({ filter: /\.[tj]s$/, namespace: 'file' }, ({ path }) => {
      const isOurs = path.endsWith('.ts');
      if (!isOurs && !lazy.has(path)) return undefined;
      const before = !lazy.has(path) || path === first ? [] : commands.includes(path) ? [first, ...common] : [first];
      const imports = before.map((module) => `import ${JSON.stringify(`${module}?together`)};`);
      const text = readFileSync(path, 'utf8');
      return { loader: isOurs ? 'ts' : 'js', contents: `${imports.join('')}\n${isOurs ? atHand(text) : text}` };
    });
    // A file for one word would be one too many.
    builder.onResolve({ filter: /^\.\/version\.js$/ }, ({ importer }) => ({ path: importer, namespace: 'version' }));
    builder.onLoad({ filter: /.*/, namespace: 'version' }, () => {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      return { contents: `export const version = ${JSON.stringify(version)};` };
    });
  },
};

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

/**
 * Node's own modules by the shortest way: an `import` of one costs several times as much.
 * @param {string} text of a module of ours
 */
function atHand(text) {
  return text.replace(/^import (\w+|\{[^}]*\}) from '(node:[^']+)';$/gm, (_whole, names, module) => {
    const taken = names.replace(/\btype \w+,?/g, '').replace(/(\w+) as (\w+)/g, '$1: $2');
    return `const ${taken} = process.getBuiltinModule('${module}');`;
  });
}

/**
 * The same for packages that call `require()`, which an ES module does not have. Commander loads node:child_process, and with it Node's
 * sockets, to run commands that are programs of their own: there are none here.
 * @type {import('esbuild').Plugin}
 */
const requireAtHand = {
  name: 'require-at-hand',
  setup(builder) {
    builder.onResolve({ filter: /^[a-z:/_0-9]+$/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path) || kind !== 'require-call') return undefined;
      const isUnused = path === 'node:child_process' && /[\\/]node_modules[\\/]commander[\\/]/.test(importer);
      return { path, namespace: isUnused ? 'nothing' : 'node' };
    });
    builder.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
    builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** @param {string} target */
async function build(target) {
  const { default: ts } = await import('typescript');
  const { build: bundle } = await import('esbuild');

  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.build.json'),
    { outDir: target },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]) },
  );
  if (!config) throw new Error('tsconfig.build.json could not be read');
  /** @param {readonly import('typescript').Diagnostic[]} diagnostics */
  function fail(diagnostics) {
    const host = {
      getCanonicalFileName: (/** @type {string} */ name) => name,
      getCurrentDirectory: () => root,
      getNewLine: () => '\n',
    };
    throw new Error(`the build failed:\n${ts.formatDiagnostics(diagnostics, host)}`);
  }
  const program = ts.createProgram(config.fileNames, config.options);
  const { diagnostics } = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) fail(problems);

  await bundle({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outdir: join(target, 'cli'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // A CommonJS package: imported lazily inside a split bundle it would lose its named exports. It is installed anyway.
    external: ['undici'],
    legalComments: 'none',
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [fewFiles, requireAtHand],
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  });

  copyGraphiql(join(target, 'mock/graphiql/assets'));
}

/**
 * What the reference service's GraphiQL page consists of besides its own modules, which tsc has emitted.
 * @param {string} target
 */
function copyGraphiql(target) {
  const page = join(root, 'src/mock/graphiql/browser');
  const modules = join(root, 'node_modules');
  /** @param {string} file */
  const vendored = (file) => readFileSync(join(modules, file), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  mkdirSync(target, { recursive: true });
  for (const file of ['page.html', 'page.css']) copyFileSync(join(page, file), join(target, file));
  writeFileSync(join(target, 'react.js'), vendored('react/umd/react.production.min.js'));
  writeFileSync(join(target, 'react-dom.js'), vendored('react-dom/umd/react-dom.production.min.js'));
  writeFileSync(join(target, 'graphiql.js'), vendored('graphiql/graphiql.min.js'));
  // Without its embedded fonts the style sheet is an eighth of its size; page.css names the system's instead.
  const styles = vendored('graphiql/graphiql.min.css').replace(/@font-face\{[^}]*\}/g, '');
  writeFileSync(join(target, 'graphiql.css'), styles);
  writeFileSync(join(target, 'licenses.txt'), licensesOf(['graphiql', 'react', 'react-dom', 'graphql']));
}

/**
 * The licences of these packages and of everything they depend on, which their bundles contain.
 * @param {string[]} names
 */
function licensesOf(names) {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @param {string} name @param {string} from */
  function visit(name, from) {
    const folder = join(from, 'node_modules', name);
    if (!existsSync(join(folder, 'package.json'))) {
      if (from === root) throw new Error(`${name} is not installed`);
      return visit(name, dirname(from));
    }
    if (found.has(folder)) return;
    const { version, license, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    found.set(folder, `${name} ${version} (${license})\n\n${text || 'The package holds no licence text.'}\n`);
    for (const dependency of Object.keys(dependencies)) {
      if (!dependency.startsWith('@types/')) visit(dependency, folder);
    }
  }
  for (const name of names) visit(name, root);
  return [...found.values()].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** Waits for another build of the same tree; a lock left behind by a killed build is taken over after two minutes. */
async function takeLock() {
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 120_000) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const hash = hashOfInputs();
if (isFresh(hash)) process.exit();

// `prepare` also runs where the tools are not installed: `npx fleet` before `npm ci`, or `npm ci --omit=dev`. Failing there
// would leave npx with a half-made folder that breaks every later `npx fleet`, so the command line says it instead.
const missing = ['typescript', 'esbuild'].filter((name) => !existsSync(join(root, 'node_modules', name)));
if (missing.length > 0) {
  process.stderr.write(`dist/ was not built: ${missing.join(' and ')} not installed. Run \`npm ci\`.\n`);
  process.exitCode = process.argv.includes('--prepare') ? 0 : 1;
} else {
  await takeLock();
  try {
    if (!isFresh(hash)) {
      const target = join(root, `dist.${process.pid}`);
      const old = join(root, `dist.old-${process.pid}`);
      try {
        await build(target);
        writeFileSync(join(target, stamp), hash);
        if (existsSync(dist)) renameSync(dist, old);
        renameSync(target, dist);
      } finally {
        rmSync(target, { recursive: true, force: true });
        rmSync(old, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
