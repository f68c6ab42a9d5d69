// Builds dist/ from src/: the library with tsc, the command line as a bundle, the files of the GraphiQL page.
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
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommandLine } from './bundle-command-line.mjs';
import { writeHelp } from './write-help.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = [
  'src',
  'scripts/build.mjs',
  'scripts/bundle-command-line.mjs',
  'scripts/licenses.mjs',
  'scripts/write-help.mjs',
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

/** @param {string} target */
async function build(target) {
  const { default: ts } = await import('typescript');

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

  await bundleCommandLine(join(target, 'cli'));
  await writeHelp(join(target, 'cli'));

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
