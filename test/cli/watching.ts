// Runs a command under --watch with a clock and a sleep that the test controls. Each pause runs one
// step, and Ctrl-C is pressed after the last one.
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import type { Fetch } from '../../src/core/ports.js';
import { baseUrl, moment } from './harness.js';
import { packages } from './packages.js';

export interface Watching {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Text written to stdout between two pauses. */
  readonly parts: readonly string[];
  /** Length of each pause, in milliseconds. */
  readonly pauses: readonly number[];
  /** Maximum number of concurrent requests. */
  readonly atOnce: number;
}

export interface Window {
  columns: number;
  rows: number;
}

export interface Setup {
  /** Null for a pipe. */
  readonly window?: Window | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly (() => void)[];
}

/** A clock that starts at `moment`, and advances only by the time slept. */
export function handClock() {
  let time = moment;
  return { now: () => time, advance: (ms: number) => (time += ms) };
}

export async function watching(
  words: readonly string[],
  fetch: Fetch,
  clock: ReturnType<typeof handClock>,
  { window = null, env = {}, steps = [] }: Setup = {},
): Promise<Watching> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stdout = new Paper(window);
  const stderr = new Paper(window);
  const left = [...steps];
  const pauses: number[] = [];
  const parts: string[] = [];
  const interrupt = new AbortController();
  let read = 0;
  const sleep = async (ms: number) => {
    // Rows are written in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    pauses.push(ms);
    parts.push(stdout.text.slice(read));
    read = stdout.text.length;
    clock.advance(ms);
    const step = left.shift();
    if (step) return step();
    interrupt.abort();
    throw interrupt.signal.reason;
  };
  let activeRequests = 0;
  let atOnce = 0;
  const counting: Fetch = async (url, init) => {
    activeRequests++;
    atOnce = Math.max(atOnce, activeRequests);
    try {
      return await fetch(url, init);
    } finally {
      activeRequests--;
    }
  };
  const code = await run(words, {
    packages,
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: {
      TZ: 'UTC',
      FLEET_CONFIG_DIR: folder,
      FLEET_BASE_URL: baseUrl,
      FLEET_USERNAME: 'demo',
      FLEET_PASSWORD: 'demo',
      TERM: 'xterm',
      NO_COLOR: '1',
      ...env,
    },
    signal: interrupt.signal,
    fetch: counting,
    clock,
    sleep,
  });
  return { code, stdout: stdout.text, stderr: stderr.text, parts, pauses, atOnce };
}

export function resize(window: Window, size: Window): void {
  Object.assign(window, size);
  resized.emit('resize');
}

const resized = new EventEmitter();

class Paper extends Writable {
  text = '';
  readonly #window: Window | null;

  constructor(window: Window | null) {
    super();
    this.#window = window;
    if (window === null) return;
    const onResize = () => this.emit('resize');
    resized.on('resize', onResize);
    onTestFinished(() => void resized.removeListener('resize', onResize));
  }

  get isTTY(): boolean {
    return this.#window !== null;
  }

  get columns(): number | undefined {
    return this.#window?.columns;
  }

  get rows(): number | undefined {
    return this.#window?.rows;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** Returns the visible text of a frame, without the cursor movements. */
export function seen(frame: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  return frame.replace(/\u001b\[[?\d]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}
