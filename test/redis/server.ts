// The Redis of the tests: the one in FLEET_TEST_REDIS, else the one on 127.0.0.1:6379, which other
// tests share. Tests that stop Redis start their own one. Keys begin with a random prefix.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { RedisClient } from '../../src/redis/redis.js';
import { skipMissing } from '../missing.js';
import { until } from '../until.js';

const SHARED_PORT = Number(new URL(process.env.FLEET_TEST_REDIS ?? 'redis://127.0.0.1:6379').port || 6379);

export interface OwnServer {
  readonly port: number;
  readonly process: ChildProcess;
  readonly folder: string;
  /** Kills it; `start` restarts it on the same port with its saved data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** Returns true, for `skipIf`, where no Redis is available. */
export function skipped(what: string): boolean {
  return skipMissing(what, "Install Debian's redis-server, or name a Redis of this machine in FLEET_TEST_REDIS.");
}

export async function ownServer(settings: readonly string[] = ['--appendonly', 'no']): Promise<OwnServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fleet-redis-'));
  let child: ChildProcess;
  const start = async () => {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings],
      { stdio: 'ignore' },
    );
    await until(() => answers(port));
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    port,
    folder,
    get process() {
      return child;
    },
    kill,
    start,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the port of the shared Redis, or of one started for this file; null without either. */
export async function anyRedis(): Promise<{ readonly port: number; readonly stop: () => Promise<void> } | null> {
  if (await answers(SHARED_PORT)) return { port: SHARED_PORT, stop: async () => undefined };
  if (process.env.FLEET_TEST_REDIS) throw new Error('The server that FLEET_TEST_REDIS names does not answer.');
  if (!hasRedisServer) return null;
  const server = await ownServer();
  return { port: server.port, stop: () => server.remove() };
}

export interface TestClient {
  readonly client: RedisClient;
  /** Name of its connections in Redis. */
  readonly name: string;
  readonly close: () => void;
}

/** The supported clients. */
export const clientMakers: readonly [string, (port: number, host?: string) => Promise<TestClient>][] = [
  [
    'redis',
    async (port, host = '127.0.0.1') => {
      const name = randomUUID();
      const client = createClient({ url: `redis://${host}:${port}`, name });
      client.on('error', () => undefined);
      await client.connect();
      return { client, name, close: () => client.destroy() };
    },
  ],
  [
    'ioredis',
    async (port, host = '127.0.0.1') => {
      const name = randomUUID();
      const client = new Redis({ port, host, connectionName: name });
      client.on('error', () => undefined);
      await client.ping();
      return { client, name, close: () => client.disconnect() };
    },
  ],
];

export async function ask(port: number, ...command: string[]): Promise<unknown> {
  const client = new Redis({ port, host: '127.0.0.1' });
  try {
    return await client.call(command[0] ?? 'PING', command.slice(1));
  } finally {
    client.disconnect();
  }
}

/** Waits in Redis' own time, which decides about leases and cannot be faked. */
export async function timePasses(port: number, ms: number): Promise<void> {
  await ask(port, 'BLPOP', `nobody-pushes-${randomUUID()}`, String(ms / 1_000));
}

async function answers(port: number): Promise<boolean> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => undefined);
  try {
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('no port'));
      });
    });
  });
}
