// @ts-check
// Compares the SDK and the CLI with other clients by scenario, and writes RESULTS.md.
// `--only burst,sync` runs some scenarios and writes nothing. Exit code 1: a target is missed.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildProduct } from './lib/product.mjs';
import { machine, Report } from './lib/report.mjs';

const scenarios = [
  'small-call',
  'burst',
  'snapshots',
  'start-up',
  'installed-size',
  'turns',
  'hand-over',
  'long-list',
  'fleet-trips',
  'urgent-call',
  'web-backend',
  'many-clients',
  'steady-load',
  'mcp',
  'sync',
];

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const selected = only?.split(',').map((name) => name.trim()) ?? scenarios;
const unknown = selected.filter((name) => !scenarios.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no scenario ${unknown.join(', ')}. There are: ${scenarios.join(', ')}.\n`);
  process.exit(2);
}

if (!existsSync(new URL('node_modules/', import.meta.url))) {
  process.stderr.write('The clients that are compared are not installed. Run `npm ci --prefix bench` first.\n');
  process.exit(2);
}
buildProduct();
/** @type {Report[]} */
const sections = [];
/** @type {string[][]} */
const summary = [];
let missed = 0;
for (const name of scenarios) {
  if (!selected.includes(name)) continue;
  const section = new Report();
  sections.push(section);
  const begun = performance.now();
  for (const { what, bar, reached, met, others = '' } of await measured(name, section)) {
    if (!met) missed += 1;
    section.text('');
    section.text(section.target(`Bar: ${what}: ${bar}; reached: ${reached}`, met));
    section.text('');
    summary.push([name, what, bar, reached, met ? 'met' : '**missed**', others]);
  }
  process.stderr.write(`(${name} took ${Math.round((performance.now() - begun) / 1000)} s)\n\n`);
}

const results = new Report();
for (const line of opening()) results.text(line);
results.table(['', 'what', 'bar', 'reached', '', 'others in the same run'], summary, 'words');
for (const line of howToRead()) results.text(line);
for (const section of sections) results.append(section);
if (only === undefined) results.write(new URL('RESULTS.md', import.meta.url));
// A failed scenario may have left a server running.
process.exit(missed > 0 ? 1 : 0);

/**
 * Runs a scenario; one that fails counts as a missed target, and the others continue.
 * @param {string} name
 * @param {Report} section
 * @returns {Promise<import('./lib/scenario.mjs').Bar[]>}
 */
async function measured(name, section) {
  /** @type {import('./lib/scenario.mjs').Scenario} */
  const { title, run } = await import(`./scenarios/${name}.mjs`);
  section.text(`## ${name}: ${title}`);
  section.text('');
  try {
    return await run(section);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return [{ what: title, bar: 'to be measured', reached: 'could not be measured', met: false }];
  }
}

function opening() {
  /** @param {string} name @returns {string} */
  const version = (name) => {
    const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  };
  const peers = [
    'undici',
    'graphql-request',
    '@urql/core',
    '@apollo/client',
    'p-queue',
    '@graphql-tools/batch-execute',
    'graphql',
  ];
  return [
    '# fleet-telematics against others',
    '',
    `${machine()}.`,
    `${peers.map(version).join(', ')}; the global fetch is Node's own (undici ${process.versions.undici}).`,
    'One run of `npm run bench` wrote all of this.',
  ];
}

function howToRead() {
  return [
    '## How to read this',
    '',
    '- **Ratios, not absolutes.** What is compared runs by turns in the same process or, where memory or start-up counts, by turns in',
    '  fresh ones, and a ratio is the median of the ratios of the rounds. A busy machine slows both sides of a ratio.',
    '- **Everybody talks to a server in a process of its own** over loopback, asks for the same fields and gets the same rows, which is',
    '  checked. The others are set up to do as little as they can: no cache, documents ready, a token that somebody else obtained.',
    '- **CPU of the client** is the processor time of the process that calls, which other work on the machine disturbs least.',
    '- **429** is the answer to a second active request of one user.',
    '- **met** or **missed** compares with the bar as it stands, whatever the reason. `--only burst,sync` runs some scenarios again.',
    '',
  ];
}
