// Runs everything that CI runs: the build first, then two lanes side by side, because many steps wait more than they work. A lane ends at
// the first step that fails; the other one then ends its step and begins no more.
// `npm run check -- lint test` runs only these steps.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './npm.mjs';

/** @typedef {Readonly<Record<string, readonly string[]>>} Lane for each step, what npm is to do */

/** @type {Lane} */
const first = { build: ['run', 'build'] };
/** Steps write nothing that a step of the other lane reads. @type {readonly Lane[]} */
const lanes = [
  {
    test: ['test'],
    'test:heavy': ['run', 'test:heavy'],
    'test:browser': ['run', 'test:browser'],
  },
  {
    lint: ['run', 'lint'],
    typecheck: ['run', 'typecheck'],
    'codegen:check': ['run', 'codegen:check'],
    'docs:check': ['run', 'docs:check'],
    'ground: install': ['ci', '--prefix', 'ground', '--no-audit', '--no-fund', '--prefer-offline'],
    'ground: check': ['run', 'check', '--prefix', 'ground'],
    'site: install': ['ci', '--prefix', 'site', '--no-audit', '--no-fund', '--prefer-offline'],
    site: ['run', 'site'],
    'api:check': ['run', 'api:check'],
    unused: ['run', 'unused'],
    audit: ['run', 'audit'],
    // GraphQL clients of other projects against the reference service.
    'bench: install': ['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--prefer-offline'],
    'bench: typecheck': ['run', 'typecheck', '--prefix', 'bench'],
    'bench: clients': ['run', 'clients', '--prefix', 'bench'],
    'test:any-day': ['run', 'test:any-day', '--', '--quick', '--rotate'],
    consumers: ['run', 'consumers'],
  },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const selected = process.argv.slice(2);
const names = [first, ...lanes].flatMap((lane) => Object.keys(lane));
const unknown = selected.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown step: ${unknown.join(', ')}. The steps are: ${names.join(', ')}.\n`);
  process.exit(2);
}

/** @param {Lane} lane */
const chosen = (lane) => Object.entries(lane).filter(([name]) => selected.length === 0 || selected.includes(name));

/** @type {string[]} */
const times = [];
let hasFailed = false;
/** @type {Set<string>} */
const begunSteps = new Set();

/**
 * Runs a step. One that has the terminal for itself writes to it; the output of steps that run side by side is shown when they end.
 * @param {string} name @param {readonly string[]} args @param {boolean} isAlone
 */
async function runStep(name, args, isAlone) {
  process.stdout.write(isAlone ? `\n── ${name}\n` : `   ${name} …\n`);
  begunSteps.add(name);
  const start = performance.now();
  const child = spawn(...npmCommand(...args), {
    cwd: root,
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [status] = await once(child, 'close');
  const time = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (!isAlone) process.stdout.write(`\n── ${name}, ${time}\n${Buffer.concat(output)}`);
  if (status !== 0) hasFailed = true;
  times.push(`${time.padStart(9)}  ${name}${status === 0 ? '' : ': failed'}`);
}

/** @param {readonly [string, readonly string[]][]} steps @param {boolean} isAlone */
async function runLane(steps, isAlone) {
  for (const [name, args] of steps) if (!hasFailed) await runStep(name, args, isAlone);
}

const begun = performance.now();
await runLane(chosen(first), true);
const busy = lanes.map(chosen).filter((steps) => steps.length > 0);
await Promise.all(busy.map((steps) => runLane(steps, busy.length === 1)));

const total = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
process.stdout.write(`\n${times.join('\n')}\n${total.padStart(9)}  in all\n`);
const notRun = [first, ...lanes].flatMap(chosen).filter(([name]) => !begunSteps.has(name));
if (notRun.length > 0) process.stdout.write(`Not run: ${notRun.map(([name]) => name).join(', ')}.\n`);
if (hasFailed) process.exitCode = 1;
