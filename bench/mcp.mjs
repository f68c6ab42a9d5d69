// @ts-check
// How fast `fleet mcp` starts, and what it takes of memory: `node bench/mcp.mjs`, after `npm run build`. Times are medians of runs by turns with
// `node -e 0`; memory is what the system says of the process (Linux).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { byTurns, median } from './lib/stats.mjs';

const fleet = fileURLToPath(new URL('../bin/fleet.js', import.meta.url));
const rounds = 11;
const questions = 300;
const home = await mkdtemp(join(tmpdir(), 'fleet-mcp-bench-'));
const env = { PATH: process.env.PATH, HOME: home, FLEET_CONFIG_DIR: home, XDG_CACHE_HOME: home };

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

/** A server, and how to ask it. */
function start() {
  const child = spawn(process.execPath, [fleet, 'mcp', '--demo'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  /** @param {string} method @param {object} params @returns {Promise<string>} */
  const ask = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    for (;;) {
      const { value = '' } = await lines.next();
      if (value === '' || JSON.parse(value).id === id) return value;
    }
  };
  const open = () =>
    ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
  const end = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  const megabytes = () =>
    Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_000);
  return { ask, open, end, megabytes };
}

const whereIs = { name: 'where_is', arguments: { vehicles: ['Truck 07'] } };

/** @param {(server: ReturnType<typeof start>) => Promise<unknown>} until */
async function msUntil(until) {
  const begun = performance.now();
  const server = start();
  await until(server);
  const ms = performance.now() - begun;
  await server.end();
  return ms;
}

const things = {
  'node -e 0': async () => {
    const begun = performance.now();
    execFileSync(process.execPath, ['-e', '0'], { env });
    return performance.now() - begun;
  },
  'until it answers initialize': () => msUntil(({ open }) => open()),
  'until it has listed its tools': () => msUntil(async ({ open, ask }) => [await open(), await ask('tools/list', {})]),
  'until it has answered where_is (demo service)': () =>
    msUntil(async ({ open, ask }) => [await open(), await ask('tools/call', whereIs)]),
};
await byTurns(2, things);
const times = await byTurns(rounds, things);
const bare = median(times['node -e 0']);
for (const [name, all] of Object.entries(times)) {
  say(`${name}: ${Math.round(median(all))} ms, ${(median(all) / bare).toFixed(1)}x node -e 0`);
}

const server = start();
await server.open();
const list = await server.ask('tools/list', {});
say(`tools/list: ${(list.length / 1_000).toFixed(1)} kB`);
say(`memory after its start: ${server.megabytes()} MB`);
for (let asked = 1; asked <= questions; asked++) {
  await server.ask('tools/call', whereIs);
  if (asked === 1 || asked % 100 === 0) say(`memory after ${asked} questions: ${server.megabytes()} MB`);
}
await server.end();
await rm(home, { recursive: true, force: true });
