// @ts-check
// `fleet mcp`: start-up time, and memory after many questions.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { productFile } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { startServer } from '../lib/server-process.mjs';
import { byTurns, median, shownBytes, shownCount, shownMs } from '../lib/stats.mjs';

export const title = 'The server for AI assistants';

const rounds = 11;
const questions = 4_000;
const parts = 4;
const latestStart = 8;
const mostBytes = 160 * 2 ** 20;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const service = await startServer({ kind: 'service', options: { vehicles: 25 } });
  const home = await mkdtemp(join(tmpdir(), 'fleet-bench-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    FLEET_CONFIG_DIR: home,
    FLEET_BASE_URL: service.url,
    FLEET_USERNAME: demo.username,
    FLEET_PASSWORD: demo.password,
  };
  try {
    const times = await startTimes(env);
    const bare = median(times['node -e 0']);
    /** @param {readonly number[]} all */
    const ratio = (all) => `${(median(all) / bare).toFixed(1)}x`;
    report.text(`Medians of ${rounds} starts, by turns. The service runs in another process and answers at once.`);
    report.table(
      ['', 'time', 'times `node -e 0`'],
      Object.entries(times).map(([name, all]) => [name, shownMs(median(all)), ratio(all)]),
    );
    const { list, bytes } = await manyQuestions(env);
    report.text(
      `\`where_is\` for one vehicle, ${shownCount(questions)} times, one after the other. The list of the tools has ${shownBytes(list)}.`,
    );
    const each = questions / parts;
    report.table(
      ['', 'memory of the process'],
      bytes.map((usedBytes, part) => [
        part === 0 ? 'the first answer' : `${shownCount(part * each)} answers`,
        shownBytes(usedBytes),
      ]),
    );
    const most = Math.max(...bytes);
    const first = times['the first answer'];
    return [
      {
        what: '`fleet mcp`, from its start to the answer to `where_is`',
        bar: `${latestStart}x \`node -e 0\` or less`,
        reached: `${ratio(first)} (${shownMs(median(first))})`,
        met: median(first) / bare <= latestStart,
      },
      {
        what: `memory of \`fleet mcp\` after 1 answer, and after every ${shownCount(each)} of ${shownCount(questions)}`,
        bar: `under ${shownBytes(mostBytes)}`,
        reached: bytes.map(shownBytes).join(', '),
        met: most < mostBytes,
      },
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
    await service.stop();
  }
}

/**
 * Starts a server and returns functions to query it.
 * @param {NodeJS.ProcessEnv} env
 */
function start(env) {
  const child = spawn(process.execPath, [productFile('bin/fleet.js'), 'mcp'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  /** @param {string} method @param {object} params @returns {Promise<string>} */
  const ask = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    for (;;) {
      const { value = '', done } = await lines.next();
      if (done) throw new Error(`The server ended before it answered ${method}.`);
      const message = JSON.parse(value);
      if (message.id !== id) continue;
      if (message.error || message.result.isError) throw new Error(value.slice(0, 1_000));
      return value;
    }
  };
  return {
    ask,
    whereIs: () => ask('tools/call', { name: 'where_is', arguments: { vehicles: ['Truck 07'] } }),
    open: () =>
      ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      }),
    end: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
    /** The resident memory; Linux only. */
    bytes: () => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1_024,
  };
}

/** @param {NodeJS.ProcessEnv} env */
async function startTimes(env) {
  /** @param {(server: ReturnType<typeof start>) => Promise<unknown>} until */
  const msUntil = async (until) => {
    const begun = performance.now();
    const server = start(env);
    await until(server);
    const ms = performance.now() - begun;
    await server.end();
    return ms;
  };
  const things = {
    'node -e 0': async () => {
      const begun = performance.now();
      execFileSync(process.execPath, ['-e', '0'], { env });
      return performance.now() - begun;
    },
    initialize: () => msUntil(({ open }) => open()),
    'the list of its tools': () => msUntil(async ({ open, ask }) => [await open(), await ask('tools/list', {})]),
    'the first answer': () => msUntil(async ({ open, whereIs }) => [await open(), await whereIs()]),
  };
  await byTurns(2, things);
  return byTurns(rounds, things);
}

/** @param {NodeJS.ProcessEnv} env */
async function manyQuestions(env) {
  const server = start(env);
  await server.open();
  const list = (await server.ask('tools/list', {})).length;
  await server.whereIs();
  const bytes = [server.bytes()];
  for (let question = 1; question <= questions; question++) {
    await server.whereIs();
    if (question % (questions / parts) === 0) bytes.push(server.bytes());
  }
  await server.end();
  return { list, bytes };
}
