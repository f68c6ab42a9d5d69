// Machines for tests with many processes that share a login and a Redis, each in its own network
// namespace where possible (Linux, root). The service runs in the test's process and listens on all
// addresses.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The job of a machine: `calls` calls in sequence. Every `changeEvery`-th one is a change. */
export interface Job {
  readonly name: string;
  readonly calls: number;
  readonly changeEvery: number;
  readonly serviceUrl: string;
  readonly redisHost: string;
  readonly redisPort: number;
  readonly library: 'redis' | 'ioredis';
  readonly prefix: string;
  readonly leaseMs: number;
  readonly whenUnavailable: 'local' | 'wait' | 'fail';
  readonly encryptionKey: string;
  /** Lead of its clock. */
  readonly aheadMs: number;
}

export interface Report {
  /** Times of the answers, on the test machine's clock. */
  readonly answeredAt: readonly number[];
  readonly failures: readonly string[];
  readonly changed: readonly string[];
  readonly warnings: readonly string[];
}

const program = `
import { FleetClient, redisGate, redisTokenStore } from './sdk.mjs';
import { createClient } from 'redis';
import { Redis } from 'ioredis';
const job = JSON.parse(process.argv[2]);
const now = Date.now;
Date.now = () => now() + job.aheadMs;
const { redisHost: host, redisPort: port } = job;
let client;
if (job.library === 'redis') {
  client = createClient({ url: 'redis://' + host + ':' + port });
  client.on('error', () => undefined);
  await client.connect();
} else {
  client = new Redis({ host, port, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
}
const { prefix, leaseMs, whenUnavailable, encryptionKey } = job;
const warnings = [];
const onWarning = ({ code }) => warnings.push(code);
const fleet = new FleetClient({
  baseUrl: job.serviceUrl,
  credentials: { username: 'demo', password: 'demo' },
  gate: redisGate(client, { prefix, leaseMs, whenUnavailable, onWarning }),
  tokenStore: redisTokenStore(client, { prefix, leaseMs, whenUnavailable, encryptionKey }),
  hooks: { onWarning },
});
await fleet.connect();
process.send('ready');
await new Promise((resolve) => process.once('message', resolve));
const report = { answeredAt: [], failures: [], changed: [], warnings };
for (let index = 1; index <= job.calls; index++) {
  try {
    if (job.changeEvery > 0 && index % job.changeEvery === 0) {
      const name = job.name + ' ' + index;
      await fleet.createGroup({ createGroupInput: { name } });
      report.changed.push(name);
    } else await fleet.getRoles();
    report.answeredAt.push(now());
  } catch (error) {
    report.failures.push(String(error.code) + ': ' + error.message);
  }
}
process.send(report);
process.once('message', () => process.exit());
`;

/** Builds a program with the SDK, below the package, so that it finds its dependencies. */
export async function buildProgram(source = program): Promise<{ readonly file: string; readonly remove: () => void }> {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, 'node_modules', '.cache', 'machines-'));
  await build({
    stdin: {
      contents: `export * from './src/index.ts'; export * from './src/redis/redis.ts';`,
      resolveDir: root,
    },
    outfile: join(folder, 'sdk.mjs'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  writeFileSync(join(folder, 'machine.mjs'), source);
  return {
    file: join(folder, 'machine.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export class Machine {
  readonly process: ChildProcess;
  readonly ready: Promise<void>;
  readonly report: Promise<Report>;

  constructor(file: string, job: Job, namespace: string | null) {
    const words = [process.execPath, file, JSON.stringify(job)];
    const [command = '', ...args] = namespace === null ? words : ['ip', 'netns', 'exec', namespace, ...words];
    this.process = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const next = (isMine: (message: unknown) => boolean) =>
      new Promise<unknown>((resolve, reject) => {
        this.process.on('message', (message) => {
          if (isMine(message)) resolve(message);
        });
        this.process.on('exit', (code, signal) => reject(new Error(`${job.name} ended: ${code ?? signal}`)));
      });
    this.ready = next((message) => message === 'ready').then(() => undefined);
    // The program above sends nothing else.
    this.report = next((message) => message !== 'ready') as Promise<Report>;
    this.ready.catch(() => undefined);
    this.report.catch(() => undefined);
  }

  start(): void {
    this.process.send('start');
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}

/** Network namespaces behind a bridge. The service and Redis listen on addresses of the bridge. */
export interface Network {
  readonly serviceHost: string;
  readonly redisHost: string;
  readonly namespaces: readonly string[];
  /** Cuts a namespace off from Redis or from everything; `isCut` false reconnects it. */
  cutOff(namespace: string, from: 'redis' | 'everything', isCut: boolean): void;
  remove(): void;
}

const ip = (...words: string[]) => spawnSync('ip', words, { encoding: 'utf8' });

/** Returns null where namespaces are not available. */
export function network(count: number): Network | null {
  const tag = `${process.pid % 10_000}`;
  const subnet = `10.213.${process.pid % 250}`;
  const bridge = `fb${tag}`;
  const namespaces = Array.from({ length: count }, (_, index) => `fleet-${tag}-${index}`);
  const remove = () => {
    for (const name of namespaces) ip('netns', 'del', name);
    ip('link', 'del', bridge);
  };
  const must = (...words: string[]) => {
    const { status } = ip(...words);
    if (status !== 0) throw new Error(words.join(' '));
  };
  try {
    must('link', 'add', bridge, 'type', 'bridge');
    must('addr', 'add', `${subnet}.1/24`, 'dev', bridge);
    must('addr', 'add', `${subnet}.2/24`, 'dev', bridge);
    must('link', 'set', bridge, 'up');
    for (const [index, name] of namespaces.entries()) {
      const outer = `fo${tag}x${index}`;
      must('netns', 'add', name);
      must('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      must('link', 'set', outer, 'master', bridge, 'up');
      must('-n', name, 'addr', 'add', `${subnet}.${10 + index}/24`, 'dev', 'eth0');
      must('-n', name, 'link', 'set', 'eth0', 'up');
      must('-n', name, 'link', 'set', 'lo', 'up');
    }
  } catch {
    remove();
    return null;
  }
  return {
    serviceHost: `${subnet}.1`,
    redisHost: `${subnet}.2`,
    namespaces,
    cutOff(name, from, isCut) {
      if (from === 'everything') must('-n', name, 'link', 'set', 'eth0', isCut ? 'down' : 'up');
      else must('-n', name, 'route', isCut ? 'add' : 'del', 'blackhole', `${subnet}.2/32`);
    },
    remove,
  };
}
