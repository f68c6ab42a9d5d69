// Builds dist/ from src/: the library with tsc and as CommonJS, the bundle of the command line, and the files of the GraphiQL page and of the map.
// It does nothing if dist/ is up to date. It replaces dist/ in one step, because another process may be using it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restoreManifest } from './manifest.mjs';

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

// npx runs `prepare` when it links the clone into its cache, and `npm pack` runs it after `prepack`, which has built already. A `prepare` that fails or
// is interrupted leaves npx a folder without package.json, and every later `npx fleet` ends with ENOENT. So npx builds nothing, and
// bin/fleet.js names what is missing.
const isPrepare = process.argv.includes('--prepare');
if (isPrepare && ['exec', 'pack', 'publish'].includes(process.env.npm_command ?? '')) process.exit();

// An interrupted `npm pack` leaves the manifest that it packs.
restoreManifest();
const hash = hashOfInputs();
if (isFresh(hash)) process.exit();

// `npm ci --omit=dev` runs `prepare` without the tools, and has to succeed.
const missing = ['typescript', 'esbuild'].filter((name) => !existsSync(join(root, 'node_modules', name)));
if (missing.length > 0) {
  process.stderr.write(`dist/ was not built: ${missing.join(' and ')} not installed. Run \`npm ci\`.\n`);
  process.exitCode = isPrepare ? 0 : 1;
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
