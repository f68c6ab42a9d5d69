// Builds dist/ from src/: the library as ES modules and CommonJS with declarations, the bundle of
// the command line, the GraphiQL page, and dist/ of each package. It does nothing if they are up to
// date. It replaces dist/ in one step, because another process may be using it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { restoreManifests } from './manifest.mjs';
import { root } from './source-files.mjs';

const packages = /** @type {const} */ (['sync', 'map', 'mcp']);
const inputs = [
  'src',
  ...packages.flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  'scripts/build.mjs',
  'scripts/bundle-command-line.mjs',
  'scripts/bundle-globals.mjs',
  'scripts/bundle-library.mjs',
  'scripts/bundle-declarations.mjs',
  'scripts/bundle-graphiql.mjs',
  'scripts/graphiql-examples.mjs',
  'operations',
  'scripts/bundle-map.mjs',
  'scripts/bundle-packages.mjs',
  'scripts/run-with-kit.mjs',
  'scripts/part-of-graphql-request.mjs',
  'scripts/bundle-parquet.mjs',
  'scripts/licenses.mjs',
  'scripts/licenses-in-jq-wasm.txt',
  'scripts/licenses-in-mcp-server.txt',
  'scripts/parts-of-graphql.mjs',
  'scripts/smaller-map.mjs',
  'scripts/source-files.mjs',
  'scripts/write-help.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const stamp = 'build-inputs.sha256';
const dist = join(root, 'dist');
const distOf = (/** @type {string} */ name) => join(root, 'packages', name, 'dist');
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
    return [dist, ...packages.map(distOf)].every((folder) => readFileSync(join(folder, stamp), 'utf8') === hash);
  } catch {
    return false;
  }
}

/**
 * @param {string} target the folder that becomes dist/
 * @param {Readonly<Record<typeof packages[number], string>>} targets the folders that become dist/
 * of each package
 */
async function build(target, targets) {
  const { default: ts } = await import('typescript');
  const { bundleCommandLine } = await import('./bundle-command-line.mjs');
  const { bundleDeclarations } = await import('./bundle-declarations.mjs');
  const { bundleGraphiql } = await import('./bundle-graphiql.mjs');
  const { bundleLibrary, entryPoints, entryPointsOfSync } = await import('./bundle-library.mjs');
  const { bundleMap } = await import('./bundle-map.mjs');
  const { bundlePackage } = await import('./bundle-packages.mjs');
  const { bundleParquet } = await import('./bundle-parquet.mjs');
  const { writeHelp } = await import('./write-help.mjs');

  const declarations = join(target, 'declarations');
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.build.json'),
    { outDir: declarations },
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
  await bundleLibrary(target);
  await bundleLibrary(targets.sync, entryPointsOfSync);
  await bundleParquet(targets.sync);
  await bundleDeclarations(declarations, target, entryPoints);
  await bundleDeclarations(declarations, targets.sync, entryPointsOfSync);
  rmSync(declarations, { recursive: true });

  await bundleCommandLine(join(target, 'cli'));
  await writeHelp(join(target, 'cli'));
  await bundleGraphiql(join(target, 'mock/graphiql'));
  for (const name of packages) await bundlePackage(name, join(targets[name], 'command'));
  await bundleMap(join(targets.map, 'page'));
}

/** Waits for another build of the clone. After two minutes it takes over that build's lock. */
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

// npx runs `prepare` when it links the clone into its cache, and `npm pack` runs it after
// `prepack`, which has already built. A `prepare` that fails leaves npx a folder without
// package.json, and every later `npx fleet` ends with ENOENT. So npx builds nothing, and
// bin/fleet.js names the missing files.
const isPrepare = process.argv.includes('--prepare');
if (isPrepare && ['exec', 'pack', 'publish'].includes(process.env.npm_command ?? '')) process.exit();

// An interrupted `npm pack` leaves the packed manifest.
restoreManifests();
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
      const folders = [dist, ...packages.map(distOf)];
      const [target = '', sync = '', map = '', mcp = ''] = folders.map((folder) => `${folder}.${process.pid}`);
      const targets = [target, sync, map, mcp];
      const old = (/** @type {string} */ folder) => `${folder}.old-${process.pid}`;
      try {
        await build(target, { sync, map, mcp });
        for (const one of targets) writeFileSync(join(one, stamp), hash);
        for (const folder of folders) {
          if (existsSync(folder)) renameSync(folder, old(folder));
          renameSync(`${folder}.${process.pid}`, folder);
        }
      } finally {
        for (const folder of [...targets, ...folders.map(old)]) rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
