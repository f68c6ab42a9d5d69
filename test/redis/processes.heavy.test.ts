// Ending processes and Redis: cut second connections, exits with an answer, kills.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { redisGate } from '../../src/redis/redis.js';
import { createDeferred } from '../request/setup.js';
import { until } from '../until.js';
import { buildProgram } from './machines.js';
import { anyRedis, ask, clientMakers, skipped } from './server.js';

const redis = await anyRedis();
const port = redis?.port ?? 0;
const isMissing = redis === null && skipped('the tests of processes that end');

/** Too long for any test to wait for its end. */
const LONG_LEASE_MS = 3_600_000;

/**
 * Takes one turn. `exit`: exits without `close()`. `close`: closes and ends. `hold`: keeps the
 * turn.
 */
const source = `
import { redisGate } from './sdk.mjs';
import { createClient } from 'redis';
import { Redis } from 'ioredis';
const { library, port, name, prefix, leaseMs, end } = JSON.parse(process.argv[2]);
let client;
if (library === 'redis') {
  client = createClient({ url: 'redis://127.0.0.1:' + port, name });
  client.on('error', () => undefined);
  await client.connect();
} else {
  client = new Redis({ port, connectionName: name });
  client.on('error', () => undefined);
}
const gate = redisGate(client, { prefix, leaseMs });
await gate.hold('key', async () => {
  process.stdout.write('held');
  if (end === 'hold') await new Promise(() => undefined);
});
if (end === 'exit') process.exit();
await gate.close();
if (library === 'redis') client.destroy();
else client.disconnect();
`;

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram(source);
});
afterAll(async () => {
  program?.remove();
  await redis?.stop();
});

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.skipIf(isMissing).each(clientMakers)('a process with %s', { timeout: 60_000 }, (library, connect) => {
  async function setUp() {
    const prefix = `test-${randomUUID()}`;
    const { client, close } = await connect(port);
    const gate = redisGate(client, { prefix, leaseMs: LONG_LEASE_MS });
    cleanups.push(close, () => gate.close());
    // A new Redis grants no turn of a new prefix in its first half lease.
    const first = redisGate(client, { prefix, leaseMs: 100 });
    await first.pause('key', 0);
    await first.close();
    const start = (end: 'exit' | 'close' | 'hold') => {
      const name = randomUUID();
      const job = { library, port, name, prefix, leaseMs: LONG_LEASE_MS, end };
      const child = spawn(process.execPath, [program.file, JSON.stringify(job)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      cleanups.push(() => child.kill('SIGKILL'));
      return { child, name, ended: endOf(child) };
    };
    return { gate, start };
  }

  const endOf = (child: ChildProcess) => once(child, 'exit').then(([code, signal]): unknown => code ?? signal);

  const connections = async (name: string) =>
    String(await ask(port, 'CLIENT', 'LIST'))
      .split('\n')
      .filter((line) => line.includes(` name=${name} `));

  async function waitingConnection(name: string): Promise<string> {
    for (;;) {
      const line = (await connections(name)).find((each) => each.includes(' cmd=blpop '));
      const id = line && /^id=(\d+) /.exec(line)?.[1];
      if (id) return id;
    }
  }

  test('whose second connection is cut 30 times while a call waits leaves none behind, and ends by itself', async () => {
    const { gate, start } = await setUp();
    const work = createDeferred();
    const held = gate.hold('key', () => work.promise);
    await until(async () => (await gate.state('key')).isHeld);
    const { name, ended } = start('close');
    for (let cut = 0; cut < 30; cut++) await ask(port, 'CLIENT', 'KILL', 'ID', await waitingConnection(name));
    await waitingConnection(name);
    work.resolve();
    await held;
    expect(await ended).toBe(0);
    await until(async () => (await connections(name)).length === 0);
  });

  test('that exits with its answer has given the turn back', async () => {
    const { gate, start } = await setUp();
    const { ended } = start('exit');
    expect(await ended).toBe(0);
    expect(await gate.hold('key', async () => 'served')).toBe('served');
  });

  test.each([0, 2])(
    'that is killed while it has the turn, and %i that wait, cost the others no lease',
    async (waiting) => {
      const { gate, start } = await setUp();
      const holder = start('hold');
      await once(holder.child.stdout ?? process.stdin, 'data');
      const others = Array.from({ length: waiting }, () => start('hold'));
      await until(async () => (await gate.state('key')).waiting === waiting);
      const served = gate.hold('key', async () => 'served');
      for (const { child, ended } of [holder, ...others]) {
        child.kill('SIGKILL');
        await ended;
      }
      expect(await served).toBe('served');
    },
  );
});
