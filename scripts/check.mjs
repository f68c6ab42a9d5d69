// Runs the checks, one after the other with all cores. A step that fails does not stop the
// following ones; the summary at the end names every step that failed and every step that did not
// run.
//   npm run check                  the checks of every push
//   npm run nightly                exhaustive tests, all browser tests, all Nodes, other clients
//   npm run check -- lint test     only these steps, of either list
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { npmCommand } from './npm.mjs';
import { root } from './source-files.mjs';

/**
 * A step: its npm arguments, environment variables, and required programs.
 * @typedef {{
 *   readonly npm: readonly string[], readonly env?: Readonly<Record<string, string>>,
 *   readonly needs?: readonly string[]
 * }} Step
 */

const install = (/** @type {string} */ folder) => [
  'ci',
  '--prefix',
  folder,
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];
/** The browser tests of every push: GraphiQL, and opening, moving and reading the map. */
const smoke = ['test/browser/graphiql', 'packages/map/test/browser/map-fit', 'packages/map/test/browser/map-panel'].map(
  (name) => `${name}.test.ts`,
);
const majorVersion = process.versions.node.split('.', 1).join('');

/** @type {Readonly<Record<string, Step>>} */
const push = {
  build: { npm: ['run', 'build'] },
  lint: { npm: ['run', 'lint'] },
  'lint:commits': { npm: ['run', 'lint:commits'] },
  typecheck: { npm: ['run', 'typecheck'] },
  'codegen:check': { npm: ['run', 'codegen:check'] },
  'docs:check': { npm: ['run', 'docs:check'] },
  'api:check': { npm: ['run', 'api:check'] },
  unused: { npm: ['run', 'unused'] },
  test: { npm: ['test'] },
  'test:heavy': { npm: ['run', 'test:heavy'], needs: ['expect', 'fish', 'jq', 'redis-server', 'tmux', 'zsh'] },
  'browser smoke': { npm: ['run', 'test:browser', '--', ...smoke], needs: ['chromium'] },
  package: { npm: ['run', 'consumers', '--', majorVersion, 'esm', 'commonjs', 'nodenext', 'types-wrong'] },
};

/** @type {Readonly<Record<string, Step>>} */
const nightly = {
  'test:nightly': {
    npm: ['run', 'test:nightly'],
    needs: ['expect', 'fish', 'jq', 'redis-server', 'soffice', 'tmux', 'zsh'],
  },
  'random properties': {
    npm: ['run', 'test:nightly', '--', '.property.'],
    env: { FAST_CHECK_SEED: String(Math.floor(Math.random() * 2 ** 31)) },
  },
  'test:browser': { npm: ['run', 'test:browser'], needs: ['chromium'] },
  'test:any-day': { npm: ['run', 'test:any-day', '--', '--quick'], needs: ['faketime'] },
  consumers: { npm: ['run', 'consumers'] },
  fuzz: { npm: ['run', 'fuzz'] },
  'ground: install': { npm: install('ground') },
  'ground: check': { npm: ['run', 'check', '--prefix', 'ground'] },
  'graphiql: install': { npm: install('graphiql') },
  'graphiql: check': { npm: ['run', 'check', '--prefix', 'graphiql'] },
  'site: install': { npm: install('site') },
  site: { npm: ['run', 'site'] },
  'bench: install': { npm: install('bench') },
  'bench: typecheck': { npm: ['run', 'typecheck', '--prefix', 'bench'] },
  // GraphQL clients of other projects against the reference service.
  'bench: clients': { npm: ['run', 'clients', '--prefix', 'bench'], needs: ['curl'] },
  audit: { npm: ['run', 'audit'] },
};

const words = process.argv.slice(2);
const selected = words.filter((word) => word !== '--nightly');
const all = { ...push, ...nightly };
const unknown = selected.filter((name) => !(name in all));
if (unknown.length > 0) {
  process.stderr.write(`Unknown step: ${unknown.join(', ')}. The steps are: ${Object.keys(all).join(', ')}.\n`);
  process.exit(2);
}
const speed = words.includes('--nightly') ? nightly : push;
const steps = Object.entries(selected.length > 0 ? all : speed).filter(
  ([name]) => selected.length === 0 || selected.includes(name),
);

/** @param {string} program */
function isInstalled(program) {
  if (program !== 'chromium') return spawnSync(program, ['--version']).error === undefined;
  return ['/usr/bin/chromium', process.env.CHROMIUM_PATH ?? ''].some((path) => path !== '' && existsSync(path));
}

const programs = new Set(steps.flatMap(([, { needs = [] }]) => needs));
const missing = new Set([...programs].filter((program) => !isInstalled(program)));
if (missing.size > 0) {
  process.stdout.write(
    `Not installed, so the steps that need it do not run: ${[...missing].join(', ')}. See CONTRIBUTING.md.\n`,
  );
}

/** @type {string[]} */
const times = [];
/** @type {string[]} */
const failed = [];
/** @type {string[]} */
const notRun = [];
const begun = performance.now();
for (const [name, step] of steps) await runStep(name, step);

process.stdout.write(`\n${times.join('\n')}\n${secondsSince(begun)}  in all\n`);
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}.\n`);
if (notRun.length > 0) process.stdout.write(`Did not run: ${notRun.join('; ')}.\n`);
process.stdout.write(
  `${steps.length - failed.length - notRun.length} passed, ${failed.length} failed, ${notRun.length} skipped\n`,
);
if (failed.length > 0 || notRun.length > 0) process.exitCode = 1;

/**
 * Runs a step, or records why it cannot run.
 * @param {string} name
 * @param {Step} step
 */
async function runStep(name, { npm, env = {}, needs = [] }) {
  const absent = needs.filter((program) => missing.has(program));
  if (absent.length > 0) {
    notRun.push(`${name} (no ${absent.join(', ')})`);
    return;
  }
  const settings = Object.entries(env).map(([key, value]) => ` ${key}=${value}`);
  process.stdout.write(`\n── ${name}${settings.join('')}\n`);
  const start = performance.now();
  const child = spawn(...npmCommand(...npm), { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const [status] = await once(child, 'close');
  if (status !== 0) failed.push(name);
  times.push(`${secondsSince(start)}  ${name}${status === 0 ? '' : ': failed'}`);
}

/** Returns the time since `start` in seconds, as a column of the summary. @param {number} start */
function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`.padStart(9);
}
