// The PostgreSQL of the tests: the one in FLEET_TEST_POSTGRES, else the one on 127.0.0.1:5432 that
// accepts the user postgres, else a new cluster, which tests can restart. Each test has a database
// with a random name.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { skipMissing } from '../../../test/missing.js';

/** A server that a test may stop. */
export interface Cluster {
  readonly port: number;
  /** Ends all connections and starts again. */
  restart(): void;
  remove(): void;
}

/** Returns true, for `skipIf`, when there is no PostgreSQL. */
export function skipped(what: string): boolean {
  return skipMissing(
    what,
    "Install Debian's postgresql, or name a server that trusts its user in FLEET_TEST_POSTGRES, such as postgres://postgres@127.0.0.1:5432.",
  );
}

const shared = new URL(process.env.FLEET_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432');
const sharedPort = Number(shared.port || 5432);

const debian = '/usr/lib/postgresql';
const version = existsSync(debian)
  ? readdirSync(debian).sort((one, other) => Number(other) - Number(one))[0]
  : undefined;
const bin = version === undefined ? null : join(debian, version, 'bin');

export const hasOwnCluster = bin !== null && existsSync(join(bin, 'initdb'));

/** PostgreSQL refuses to run as root; Debian's package has a user for it. */
function run(program: string, args: readonly string[]): void {
  const command = join(bin ?? '', program);
  const isRoot = process.getuid?.() === 0;
  const words = isRoot ? ['runuser', '-u', 'postgres', '--', command, ...args] : [command, ...args];
  execFileSync(words[0] ?? '', words.slice(1), { stdio: 'ignore', cwd: tmpdir() });
}

export async function ownCluster(): Promise<Cluster> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fleet-postgres-'));
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    chownSync(folder, id('-u'), id('-g'));
  }
  const data = join(folder, 'data');
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const control = (...args: string[]) =>
    run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, ...args]);
  control('start');
  return {
    port,
    restart: () => control('-m', 'immediate', 'restart'),
    remove() {
      control('-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the port of this machine's server or of a new one; null when both are missing. */
export async function anyPostgres(): Promise<{ readonly port: number; readonly stop: () => void } | null> {
  if (await answers(sharedPort)) return { port: sharedPort, stop: () => undefined };
  if (process.env.FLEET_TEST_POSTGRES) throw new Error('The server that FLEET_TEST_POSTGRES names does not answer.');
  if (!hasOwnCluster) return null;
  const cluster = await ownCluster();
  return { port: cluster.port, stop: cluster.remove };
}

/** Creates a database for the tests of a file; `use` gets its address. */
export function databaseOfFile(server: Awaited<ReturnType<typeof anyPostgres>>, use: (url: string) => void): void {
  let url: string | null = null;
  beforeAll(async () => {
    url = await newDatabase(server?.port ?? 0);
    use(url);
  });
  afterAll(async () => {
    if (url !== null) await dropDatabase(url);
    server?.stop();
  });
}

export async function newDatabase(port: number): Promise<string> {
  const name = `fleet_test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(port, `CREATE DATABASE ${name}`);
  return addressOf(port, name);
}

export async function dropDatabase(url: string): Promise<void> {
  const { port, pathname } = new URL(url);
  await asAdmin(Number(port), `DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`);
}

/** Runs statements in a database, and returns their rows. */
export async function inDatabase(url: string, statements: string): Promise<readonly (readonly unknown[])[]> {
  // A local time has no zone, so it must not become a Date.
  const local = { to: 1114, from: [1114], serialize: String, parse: String };
  const sql = postgres(url, { max: 1, onnotice: () => undefined, types: { local } });
  try {
    return await sql.unsafe(statements).values();
  } finally {
    await sql.end();
  }
}

function asAdmin(port: number, statement: string): Promise<unknown> {
  return inDatabase(addressOf(port, 'postgres'), statement);
}

/** Returns the address of a database on the shared server, or on a cluster at another port. */
function addressOf(port: number, database: string): string {
  const url = new URL(port === sharedPort ? shared : `postgres://postgres@127.0.0.1:${port}`);
  url.pathname = `/${database}`;
  return url.href;
}

async function answers(port: number): Promise<boolean> {
  try {
    await asAdmin(port, 'SELECT 1');
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
