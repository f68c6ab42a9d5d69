// Builds dist/ from src/: the library with tsc and as CommonJS, the bundle of the command line, and the files of the GraphiQL page and of the map.
// It does nothing if dist/ is up to date, because `prepare` runs it on every `npx fleet` in a clone. It replaces dist/ in one step,
// because another process may be using it.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = [
  'src',
  'scripts/build.mjs',
  'scripts/bundle-command-line.mjs',
  'scripts/bundle-globals.mjs',
  'scripts/bundle-commonjs.mjs',
  'scripts/bundle-declarations.mjs',
  'scripts/bundle-graphiql.mjs',
  'scripts/graphiql-examples.mjs',
  'operations',
  'scripts/bundle-map.mjs',
  'scripts/embed-graphql-request.mjs',
  'scripts/bundle-parquet.mjs',
  'scripts/licenses.mjs',
  'scripts/licenses-in-jq-wasm.txt',
  'scripts/licenses-in-mcp-server.txt',
  'scripts/parts-of-graphql.mjs',
  'scripts/smaller-output.mjs',
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

/** Returns the time of the newest file or folder at the path. A removed file changes the time of its folder. @param {string} path @returns {number} */
function newestTime(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestTime(join(path, name))));
}

/** Returns true while no input is newer than the build: `npx fleet` asks this every time, and reading all files takes longer. */
function isUntouched() {
  const built = statSync(join(dist, stamp), { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && inputs.every((input) => newestTime(join(root, input)) < built);
}

/** Gives the stamp the time at which the inputs were read. @param {string} folder */
function dateStamp(folder) {
  utimesSync(join(folder, stamp), begun, begun);
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
  const { bundleCommandLine } = await import('./bundle-command-line.mjs');
  const { bundleCommonJs } = await import('./bundle-commonjs.mjs');
  const { bundleDeclarations } = await import('./bundle-declarations.mjs');
  const { bundleGraphiql } = await import('./bundle-graphiql.mjs');
  const { bundleMap } = await import('./bundle-map.mjs');
  const { bundleParquet } = await import('./bundle-parquet.mjs');
  const { embedGraphqlRequest } = await import('./embed-graphql-request.mjs');
  const { removeComments } = await import('./smaller-output.mjs');
  const { writeHelp } = await import('./write-help.mjs');

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
  // Source maps are for the code that runs in users' programs. Those of the reference service, the tables, the contract, the copy in
  // a database and Redis would make the package larger than it promises to be.
  const hasMap = (/** @type {string} */ path) =>
    !/^(mock|generated|contract|redis|sync)[\\/]/.test(relative(target, path));
  const { diagnostics } = program.emit(undefined, (path, text, withMark) => {
    if (hasMap(path)) return ts.sys.writeFile(path, text, withMark);
    if (!path.endsWith('.map')) ts.sys.writeFile(path, text.replace(/^\/\/# sourceMappingURL=.*$\n?/m, ''), withMark);
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) fail(problems);
  await embedGraphqlRequest(target);
  await removeComments(target);
  await bundleDeclarations(target);
  await bundleParquet(target);

  await bundleCommonJs(join(target, 'commonjs'));
  await bundleCommandLine(join(target, 'cli'));
  await writeHelp(join(target, 'cli'));
  bundleGraphiql(join(target, 'mock/graphiql/assets'));
  await bundleMap(join(target, 'map'));
}

/** Waits for another build of the same clone. After two minutes it takes over the lock of a build that was killed. */
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

const begun = new Date();
if (process.argv.includes('--prepare') && isUntouched()) process.exit();
const hash = hashOfInputs();
if (isFresh(hash)) {
  dateStamp(dist);
  process.exit();
}

// `prepare` also runs before the tools are installed (`npx fleet` before `npm ci`, or `npm ci --omit=dev`). If it failed there, npx
// would keep an incomplete folder that breaks every later `npx fleet`. So it succeeds, and the command line reports what is missing.
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
        dateStamp(target);
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
