// The turn between real processes: its order, and holders and waiters that are killed or stopped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { turnFiles } from '../../src/locks/file-gate.js';
import { until } from '../until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Below the package, so that the program finds its dependencies.
mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
const scripts = mkdtempSync(join(root, 'node_modules', '.cache', 'turn-processes-'));
const program = join(scripts, 'turn-process.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'test', 'locks', 'turn-process.ts'), join(root, 'src', 'locks', 'file-gate.ts')],
    outdir: scripts,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Lazily imported modules stay in separate files.
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
});
afterAll(() => rmSync(scripts, { recursive: true, force: true }));

let folder: string;
const processes: TurnProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-turns-'));
});
afterEach(() => {
  for (const each of processes.splice(0)) each.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes, reports and ends the turn on command. */
class TurnProcess {
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();
  #text = '';
  /** Pid of the process with the gate, whose parent may be another child. */
  get pid(): number {
    return Number(/^pid (\d+)$/m.exec(this.#text)?.[1]);
  }

  constructor(directory: string, { env = {}, zombie = false }: { env?: NodeJS.ProcessEnv; zombie?: boolean } = {}) {
    const [file, args] = zombie
      ? ['sh', ['-c', 'node "$0" "$1" <&3 & exec sleep 600', program, directory]]
      : [process.execPath, [program, directory]];
    this.#child = spawn(file as string, args as string[], {
      env: { ...process.env, ...env },
      stdio: zombie ? ['ignore', 'pipe', 'inherit', 'pipe'] : ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.#text += String(chunk);
      for (const listener of this.#listeners) listener();
    });
    processes.push(this);
  }

  says(text: string): boolean {
    return this.#text.split('\n').includes(text);
  }

  async waitFor(text: string): Promise<void> {
    while (!this.says(text)) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  /** Sends a command. `ping` is answered after all earlier commands. */
  send(word: string): void {
    const input = this.#child.stdin ?? this.#child.stdio[3];
    if (input && 'write' in input) input.write(`${word}\n`);
  }

  async ask(): Promise<this> {
    await this.waitFor('ready');
    this.send('ask');
    await this.waitFor('asked');
    return this;
  }

  async ended(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    return new Promise((resolve) => this.#child.once('exit', resolve));
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  remove(): void {
    this.#child.kill('SIGKILL');
    if (this.pid) {
      try {
        process.kill(this.pid, 'SIGKILL');
      } catch {}
    }
  }
}

const files = () => turnFiles(folder, 'key');
const waiting = () => readdirSync(files().queue).length;
const leftBehind = () =>
  readdirSync(join(folder, 'turns'), { recursive: true }).filter((name) => !String(name).endsWith('.queue'));

function connections(): number {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`${folder}/`) && / 03 +\d+ /.test(line)).length;
}

/** Starts processes one after the other, each after the previous one is in the queue. */
async function inOrder(
  count: number,
  options: ConstructorParameters<typeof TurnProcess>[1] = {},
): Promise<TurnProcess[]> {
  const all = Array.from({ length: count }, () => new TurnProcess(folder, options));
  for (const [place, each] of all.entries()) {
    await each.ask();
    if (place === 0) await each.waitFor('turn');
    else await until(() => waiting() === place);
  }
  return all;
}

async function endInOrder(all: readonly TurnProcess[]): Promise<void> {
  for (const [place, each] of all.entries()) {
    await each.waitFor('turn');
    expect(all.map((other) => other.says('turn'))).toEqual(all.map((_, index) => index <= place));
    each.send('end');
    // By itself: no timer and no socket may keep it alive.
    expect(await each.ended()).toBe(0);
  }
}

test('processes are served in the order they came, and leave nothing behind', async () => {
  await endInOrder(await inOrder(8));
  expect(leftBehind()).toEqual([]);
});

test('what waiting needs is not loaded while nobody waits', () => {
  const code = `
    import { writeSync } from 'node:fs';
    import { fileGate } from ${JSON.stringify(pathToFileURL(join(scripts, 'file-gate.mjs')).href)};
    const isLoaded = () => process.moduleLoadList.includes('NativeModule net');
    const gate = fileGate({ directory: ${JSON.stringify(folder)} });
    await gate.hold('key', () => new Promise((resolve) => setTimeout(resolve, 60)));
    const before = isLoaded();
    const other = fileGate({ directory: ${JSON.stringify(folder)} });
    await Promise.all([gate.hold('key', async () => undefined), other.hold('key', async () => undefined)]);
    writeSync(1, before + ' ' + isLoaded());`;
  const args = ['--input-type=module', '--eval', code];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false true');
});

describe('where no process can have a socket', () => {
  test('the files alone keep the order', async () => {
    folder = join(folder, 'x'.repeat(100));
    const all = await inOrder(5, { env: { TMPDIR: join(folder, 'missing'), TMP: join(folder, 'missing') } });
    expect(readFileSync(files().lease, 'utf8')).not.toContain('address');
    for (const name of readdirSync(files().queue))
      expect(readFileSync(join(files().queue, name), 'utf8')).toContain('null');
    await endInOrder(all);
    expect(leftBehind()).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a process that is killed', () => {
  // Its parent never reaps it, so its pid stays in use.
  const zombie = { zombie: true };

  test('while it holds a turn that was free, or one that it waited for, is succeeded at once', async () => {
    const all = await inOrder(3, zombie);
    const [first, second, third] = all;
    // Both waiting processes are connected to the process ahead.
    await until(() => connections() === 2);
    for (const each of [second, third]) {
      each?.send('ping');
      await each?.waitFor('pong');
    }
    first?.signal('SIGKILL');
    await second?.waitFor('turn');
    expect(third?.says('turn')).toBe(false);
    second?.signal('SIGKILL');
    await third?.waitFor('turn');
    third?.send('end');
    await third?.waitFor('ended');
    expect(leftBehind()).toEqual([]);
  }, 25_000);

  test('while it waits, is passed over', async () => {
    const all = await inOrder(4, zombie);
    const [first, second, third, fourth] = all;
    await until(() => connections() === 3);
    for (const each of [second, third, fourth]) {
      each?.send('ping');
      await each?.waitFor('pong');
    }
    third?.signal('SIGKILL');
    second?.signal('SIGKILL');
    await until(() => waiting() === 1);
    first?.send('end');
    await fourth?.waitFor('turn');
    fourth?.send('end');
    await fourth?.waitFor('ended');
    expect(leftBehind()).toEqual([]);
  }, 25_000);
});

test('a process that leaves gives its place up, and ends by itself', async () => {
  const [first, second, third] = await inOrder(3);
  second?.send('leave');
  expect(await second?.ended()).toBe(0);
  expect(second?.says('left')).toBe(true);
  first?.send('end');
  await third?.waitFor('turn');
  third?.send('end');
  expect(await third?.ended()).toBe(0);
  expect(leftBehind()).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a holder that is stopped is passed when its lease is over, and is told so',
  async () => {
    const [first, second] = await inOrder(2);
    first?.signal('SIGSTOP');
    const longAgo = new Date(Date.now() - 31_000);
    utimesSync(files().lease, longAgo, longAgo);
    // The lease is observed for 5 s by a monotonic clock.
    await second?.waitFor('turn');
    first?.signal('SIGCONT');
    await first?.waitFor('GATE_LOST');
    first?.send('end');
    expect(await first?.ended()).toBe(0);
    // This process does not release the lease of the other one.
    expect(readdirSync(join(folder, 'turns'))).toContain(files().lease.split(/[\\/]/).at(-1));
    second?.send('end');
    expect(await second?.ended()).toBe(0);
    expect(leftBehind()).toEqual([]);
  },
  40_000,
);
