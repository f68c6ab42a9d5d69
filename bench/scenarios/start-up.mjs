// @ts-check
// Start-up time of the installed CLI and of a command with a login, on every Node major version.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../../scripts/node-binaries.mjs';
import { npmCommand } from '../../scripts/npm.mjs';
import { packInto } from '../../scripts/packed.mjs';
import { ratioOf, shownRatio } from '../lib/measure.mjs';
import { documentOf } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { startServer } from '../lib/server-process.mjs';
import { byTurns, median, shownMs } from '../lib/stats.mjs';
import { logIn } from '../lib/wire.mjs';

export const title = 'Start-up of the command line';

const rounds = 25;
const ranges = ['20', '22', '24', '26'];
const bare = 'node -e 0';
const list = 'fleet vehicles list -o json';
const demoList = 'fleet vehicles list --demo -o json';
const floor = 'the same request by node:http';
const mostForDemoMs = 250;
/** Alternative limit of a list, a ratio to the floor, if Node itself starts in 25 ms. */
const mostOfFloor = 2;
/** Targets as a ratio to `node -e 0`. */
const most = { 'fleet --version': 1.25, 'fleet --help': 1.25, 'fleet vehicles --help': 1.25, [list]: 1.8 };
const prettier = fileURLToPath(new URL('../node_modules/prettier/bin/prettier.cjs', import.meta.url));
const onePost = fileURLToPath(new URL('../programs/one-post.cjs', import.meta.url));

/**
 * Installs the packed package in an empty project.
 * @param {string} folder
 * @returns {Promise<string>} its command line
 */
async function install(folder) {
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  const { tarball } = packInto(folder)['fleet-telematics'];
  execFileSync(...npmCommand('install', '--no-audit', '--no-fund', '--prefer-offline', tarball), {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return join(project, 'node_modules/fleet-telematics/bin/fleet.js');
}

/**
 * Times each command with this Node, after enough runs to fill the compile cache.
 * @param {string} node
 * @param {string} fleet
 * @param {import('../lib/wire.mjs').User} user
 * @param {string} home
 */
async function timesWith(node, fleet, { url, headers }, home) {
  await mkdir(home);
  const env = { PATH: process.env.PATH, HOME: home, FLEET_CONFIG_DIR: home };
  /** @param {readonly string[]} args @param {string} [input] */
  const start = (args, input = '') => {
    const begun = performance.now();
    const printed = execFileSync(node, args, { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
    return { ms: performance.now() - begun, printed };
  };
  start([fleet, 'login', '--base-url', url, '--username', demo.username, '--password-stdin'], demo.password);
  /** @type {Record<string, string[]>} */
  const commands = { [bare]: ['-e', '0'] };
  for (const name of [...Object.keys(most), demoList]) commands[name] = [fleet, ...name.split(' ').slice(1)];
  const body = JSON.stringify({ query: await documentOf('getVehicles') });
  commands[floor] = [onePost, url, JSON.stringify(headers), body];
  commands['prettier --version'] = [prettier, '--version'];
  const listed = JSON.parse(start(commands[list] ?? []).printed);
  if (listed.length !== 25) throw new Error(`vehicles list printed ${listed.length} vehicles, not 25`);
  const things = Object.fromEntries(Object.entries(commands).map(([name, args]) => [name, async () => start(args).ms]));
  await byTurns(4, things);
  return byTurns(rounds, things);
}

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const server = await startServer({ kind: 'service', options: { vehicles: 25 } });
  const folder = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  try {
    // Only once: blocked by the measured processes, this one misses that an idle connection closes.
    const user = await logIn(server.url);
    const fleet = await install(folder);
    const nodes = ranges.flatMap((range) => {
      const node = nodeOf(range);
      if ('binary' in node) return [node];
      report.text(`Not measured on Node ${range}: ${node.missing}.`);
      return [];
    });
    /** @type {{ version: string, times: Record<string, number[]> }[]} */
    const measured = [];
    for (const { binary, version } of nodes) {
      measured.push({ version, times: await timesWith(binary, fleet, user, join(folder, version)) });
    }
    report.text(
      `The packed package, installed in an empty project. Fresh processes, alternating, medians of ${rounds} rounds, after a login and four`,
    );
    report.text(
      "rounds in which `bin/compiled-code.js` keeps the compiled code in the user's cache folder. The list comes over",
    );
    report.text(
      'loopback from the reference service with 25 vehicles. The floor is a program that hashes one name, sends the same request by `node:http`,',
    );
    report.text('and parses and prints the same rows: what Node itself needs for a list.');
    const names = Object.keys(measured[0]?.times ?? {});
    report.table(
      ['command', ...measured.flatMap(({ version }) => [version, 'ratio'])],
      names.map((name) => [
        `\`${name}\``,
        ...measured.flatMap(({ times }) => {
          const some = times[name] ?? [];
          return [shownMs(median(some)), shownRatio(ratioOf(some, times[bare] ?? []))];
        }),
      ]),
    );
    /** @param {string} name */
    const ratios = (name) => measured.map(({ times }) => ratioOf(times[name] ?? [], times[bare] ?? []));
    const versions = measured.map(({ version }) => version.slice(1).split('.')[0]).join(', ');
    const more = measured.map(({ times }) => median(times[demoList] ?? []) - median(times[list] ?? []));
    const ofFloor = measured.map(({ times }) => ratioOf(times[list] ?? [], times[floor] ?? []));
    return [
      ...Object.entries(most).map(([name, bar]) => ({
        what: `\`${name}\`, installed, Node ${versions}`,
        bar: `${bar}x \`node -e 0\`${name === list ? `, or ${mostOfFloor}x ${floor},` : ''} or less`,
        reached:
          ratios(name).map(shownRatio).join(', ') +
          (name === list ? `; ${ofFloor.map(shownRatio).join(', ')} of the request` : ''),
        met: ratios(name).every(
          (ratio, place) =>
            Number(ratio.toFixed(2)) <= bar || (name === list && (ofFloor[place] ?? Number.NaN) <= mostOfFloor),
        ),
        others: [floor, 'prettier --version']
          .map((other) => `${other} ${ratios(other).map(shownRatio).join(', ')}`)
          .join('; '),
      })),
      {
        what: `what \`--demo\` adds to a list, Node ${versions}`,
        bar: `under ${mostForDemoMs} ms`,
        reached: more.map(shownMs).join(', '),
        met: more.every((ms) => ms < mostForDemoMs),
        others: '',
      },
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
