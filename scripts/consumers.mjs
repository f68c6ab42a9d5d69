// Tests the packed packages as users install them. Each folder of test/consumers becomes a project,
// built once and run on every supported Node version, or on those selected by `consumer.runs` in
// its package.json. The command line is installed globally and run on each version too.
// `npm run consumers -- 20.19.0 26 jest` selects versions and projects.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageNames } from './manifest.mjs';
import { nodeOf } from './node-binaries.mjs';
import { npmScript } from './npm.mjs';
import { packInto } from './packed.mjs';
import { root } from './source-files.mjs';

const supported = ['20.19.0', '20', '22', '24', '26'];
// Number of projects at once: an installation waits for the registry and the disk.
const atOnce = 2;
// Limit for type-checking one consumer, in TypeScript's instantiations, because times vary.
const maxInstantiations = 75_000;

const folders = join(root, 'test/consumers');
const { devDependencies: ownVersions } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'fleet-consumers-'));
const npmCli = npmScript();
const packed = packInto(work);

const exec = promisify(execFile);
/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

/**
 * Runs npm with this Node binary. The npm scripts use it as `node` too.
 * @param {string} binary
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} what it printed
 */
function npm(binary, args, cwd) {
  return run(binary, [npmCli, ...args], cwd, `${dirname(binary)}${delimiter}${process.env.PATH}`);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} [path]
 * @returns {Promise<string>}
 */
async function run(command, args, cwd, path = process.env.PATH) {
  try {
    const running = exec(command, args, {
      cwd,
      maxBuffer: 1 << 26,
      env: {
        ...process.env,
        PATH: path,
        NODE_OPTIONS: '',
        FLEET_CONFIG_DIR: join(work, 'config'),
        FLEET_DOCS: join(root, 'docs'),
        XDG_CACHE_HOME: join(work, 'cache'),
      },
    });
    running.child.stdin?.end();
    return (await running).stdout;
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && 'stderr' in error) print(`${error.stdout}${error.stderr}`);
    throw error;
  }
}

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/**
 * The options of a project's package.json for this script. `runs`: the Node versions.
 * `mayBeMissing`: a tool that some registries and platforms lack; without it the project is
 * skipped.
 * @typedef {{ readonly runs?: 'once' | 'oldest and newest', readonly mayBeMissing?: string }}
 * Wishes
 */

/**
 * Creates and installs a project from a folder of test/consumers, with the core and its packages as
 * dependencies. A tool of the version `*` gets the version of this repository.
 * @param {string} name
 * @returns {Promise<{ cwd: string, scripts: string[], wishes: Wishes } | { missing: string }>}
 */
async function project(name) {
  const cwd = join(work, name);
  cpSync(join(folders, name), cwd, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  /** @type {Wishes} */
  const consumerOptions = manifest.consumer ?? {};
  const tools = manifest.devDependencies ?? {};
  for (const tool of Object.keys(tools)) if (tools[tool] === '*') tools[tool] = ownVersions[tool];
  const neededPackages = packageNames.filter(
    (own) => own === 'fleet-telematics' || own in (manifest.dependencies ?? {}),
  );
  manifest.dependencies = Object.fromEntries(neededPackages.map((own) => [own, `file:${packed[own].tarball}`]));
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
  const { mayBeMissing: tool } = consumerOptions;
  if (tool !== undefined && !(await isPublished(tool, tools[tool])))
    return { missing: `the registry has no ${tool} ${tools[tool]}` };
  await npm(process.execPath, ['install', ...quiet], cwd);
  return { cwd, scripts: Object.keys(manifest.scripts), wishes: consumerOptions };
}

/** @param {string} tool @param {string} version */
async function isPublished(tool, version) {
  try {
    const printed = await npm(process.execPath, ['view', `${tool}@${version}`, 'version', '--loglevel=silent'], work);
    return printed.trim() !== '';
  } catch {
    return false;
  }
}

/**
 * @template Node
 * @param {readonly Node[]} nodes the oldest first
 * @param {Wishes['runs']} runs
 * @returns {readonly Node[]}
 */
function nodesFor(nodes, runs) {
  if (runs === undefined) return nodes;
  return [...new Set([...(runs === 'once' ? [] : nodes.slice(0, 1)), ...nodes.slice(-1)])];
}

/** @param {string} printed TypeScript's statistics */
function typeCheckCost(printed) {
  /** @param {string} row */
  const figures = (row) =>
    [...printed.matchAll(new RegExp(`^${row}: +([\\d.]+)`, 'gm'))].map(([, figure]) => Number(figure));
  const [total = 0, empty = 0] = figures('Total time');
  const [instantiations = Number.NaN] = figures('Instantiations');
  print(`     type-check: ${total} s, of which ${empty} s without the package; ${instantiations} instantiations`);
  assert.ok(instantiations < maxInstantiations, `type-checking a consumer costs ${instantiations} instantiations`);
}

/**
 * @template Result
 * @param {string} name
 * @param {() => Promise<Result>} step
 * @returns {Promise<Result>}
 */
async function timed(name, step) {
  const start = performance.now();
  const result = await step();
  print(`ok   ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return result;
}

/** @typedef {{ readonly binary: string, readonly version: string }} Node */

/** @param {string} name @param {readonly Node[]} nodes */
async function testProject(name, nodes) {
  const consumerOptions = await timed(`${name}: install and build`, async () => {
    const installed = await project(name);
    if ('missing' in installed) {
      print(`SKIPPED: ${name} was not tested, because ${installed.missing}`);
      return null;
    }
    const { cwd, scripts } = installed;
    const printed = scripts.includes('build') ? await npm(process.execPath, ['run', '--silent', 'build'], cwd) : '';
    if (name === 'nodenext') typeCheckCost(printed);
    return installed.wishes;
  });
  if (consumerOptions === null) return;
  for (const { binary, version } of nodesFor(nodes, consumerOptions.runs)) {
    await timed(`${name}: Node ${version}`, async () => {
      const printed = await npm(binary, ['run', '--silent', 'try'], join(work, name));
      for (const [line] of printed.matchAll(/^SKIPPED.*$/gm)) print(line);
    });
  }
}

/** @param {Node} node */
function testGlobalInstall({ binary, version }) {
  return timed(`command line, installed globally: Node ${version}`, async () => {
    const prefix = join(work, `global-${version}`);
    mkdirSync(prefix);
    const tarballs = packageNames.map((own) => packed[own].tarball);
    await npm(binary, ['install', '--global', '--prefix', prefix, ...quiet, ...tarballs], work);
    const path = [dirname(binary), join(prefix, 'bin'), process.env.PATH].join(delimiter);
    const fleet = (/** @type {string[]} */ ...args) => run('fleet', args, work, path);
    assert.match(await fleet('--version'), /^\d+\.\d+\.\d+\n$/);
    assert.equal(JSON.parse(await fleet('vehicles', 'list', '--demo', '-o', 'json')).length, 25);
    await fleet('sync', join(prefix, 'copy.db'), '--demo', '--only', 'people');
    if (process.platform === 'linux') {
      const cached = readdirSync(join(work, 'cache/fleet-telematics'));
      assert.ok(cached.some((folder) => folder.startsWith(version)));
    }
  });
}

/** @param {(() => Promise<void>)[]} tasks none is started after a failure */
async function runAll(tasks) {
  const next = async () => {
    try {
      for (let task = tasks.shift(); task; task = tasks.shift()) await task();
    } catch (error) {
      tasks.length = 0;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, next));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

try {
  const words = process.argv.slice(2);
  const projects = readdirSync(folders).sort();
  const ranges = words.filter((word) => !projects.includes(word));
  const chosen = projects.filter((name) => words.includes(name));
  const nodes = (ranges.length > 0 ? ranges : supported).flatMap((range) => {
    const node = nodeOf(range);
    if ('binary' in node) return [node];
    print(`skip Node ${range}: ${node.missing}`);
    return [];
  });
  assert.ok(nodes.length > 0, 'none of these Node versions is available');
  await runAll([
    ...(chosen.length > 0 ? chosen : projects).map((name) => () => testProject(name, nodes)),
    ...(chosen.length > 0 ? [] : nodes).map((node) => () => testGlobalInstall(node)),
  ]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
