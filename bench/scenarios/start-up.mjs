// @ts-check
// How long the command line takes to start, and to run one command with a stored login.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ratioOf, shownRatio } from '../lib/measure.mjs';
import { productFile } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { startServer } from '../lib/server-process.mjs';
import { byTurns, median, shownMs } from '../lib/stats.mjs';

export const title = 'Start-up of the command line';

const rounds = 21;
const bare = 'node -e 0';
const fleet = productFile('bin/fleet.js');
const prettier = fileURLToPath(new URL('../node_modules/prettier/bin/prettier.cjs', import.meta.url));

/** The target of each as a ratio to `node -e 0`; null for a comparison without a target. */
const commands = {
  [bare]: { args: ['-e', '0'], most: null },
  'fleet --version': { args: [fleet, '--version'], most: 1.25 },
  'fleet --help': { args: [fleet, '--help'], most: 1.25 },
  'fleet vehicles --help': { args: [fleet, 'vehicles', '--help'], most: 1.25 },
  'fleet vehicles list -o json': { args: [fleet, 'vehicles', 'list', '-o', 'json'], most: 1.6 },
  'prettier --version': { args: [prettier, '--version'], most: null },
};

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const server = await startServer({ kind: 'service', options: { vehicles: 25 } });
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  const env = { PATH: process.env.PATH, HOME: folder, FLEET_CONFIG_DIR: folder };
  /** @param {readonly string[]} args @param {string} [input] */
  const start = (args, input = '') => {
    const begun = performance.now();
    const printed = execFileSync(process.execPath, args, {
      env,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return { ms: performance.now() - begun, printed };
  };
  try {
    start([fleet, 'login', '--base-url', server.url, '--username', demo.username, '--password-stdin'], demo.password);
    const listed = JSON.parse(start(commands['fleet vehicles list -o json'].args).printed);
    if (listed.length !== 25) throw new Error(`vehicles list printed ${listed.length} vehicles, not 25`);
    const things = Object.fromEntries(
      Object.entries(commands).map(([name, { args }]) => [name, async () => start(args).ms]),
    );
    await byTurns(2, things);
    const times = await byTurns(rounds, things);
    const ratios = Object.fromEntries(
      Object.entries(times).map(([name, some]) => [name, ratioOf(some, times[bare] ?? [])]),
    );
    report.text(
      `Fresh processes, alternating, medians of ${rounds} rounds. The list comes over loopback from the reference service with 25 vehicles,`,
    );
    report.text('with a stored login. prettier is a comparison: a command line in JavaScript that starts quickly.');
    report.table(
      ['command', 'took', 'ratio to node -e 0'],
      Object.entries(times).map(([name, some]) => [
        `\`${name}\``,
        shownMs(median(some)),
        shownRatio(ratios[name] ?? Number.NaN),
      ]),
    );
    return Object.entries(commands).flatMap(([name, { most }]) => {
      const ratio = ratios[name] ?? Number.NaN;
      if (most === null) return [];
      return [
        {
          what: `\`${name}\``,
          bar: `${most}x \`node -e 0\` or less`,
          reached: shownRatio(ratio),
          met: ratio <= most,
          others: `prettier --version ${shownRatio(ratios['prettier --version'] ?? Number.NaN)}`,
        },
      ];
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
