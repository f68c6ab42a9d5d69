// Runs the command line in this process, on a reference service with a stopped clock.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io/io.js';
import { run } from '../../src/cli/run/run.js';
import type { Fetch } from '../../src/core/ports.js';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { clock, moment as morning } from '../moment.js';
import { packages } from './packages.js';

export { clock };
export const moment = Date.parse(morning);
export const baseUrl = 'https://fleet.test';

export function service(options: { readonly vehicles?: number; readonly clock?: { now(): number } } = {}): MockService {
  return createMockService({ seed: 1, vehicles: 6, clock, ...options });
}

class Sink extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly #onText: (text: string) => void;

  constructor(columns: number | null, onText: (text: string) => void = () => undefined) {
    super();
    this.isTTY = columns !== null;
    this.columns = columns ?? undefined;
    this.#onText = onText;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    this.#onText(this.text);
    done();
  }
}

export interface Place {
  /** Columns of the terminal; null for a pipe. Default null. */
  readonly terminal?: number | null;
  /** Rows of the terminal. */
  readonly rows?: number;
  /** Replaces the real timer. */
  readonly sleep?: Io['sleep'];
  /** Starts a pager; default: no paging. */
  readonly startPager?: Io['startPager'];
  readonly env?: Readonly<Record<string, string>>;
  /** Text on stdin. */
  readonly input?: string;
  /** Answers to type when a prompt's text appears; stdin and stderr are then terminals. */
  readonly answers?: readonly (readonly [prompt: string, answer: string])[];
  /** Called with all of stderr after each write. */
  readonly onError?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Installed packages; default: all, from their sources. */
  readonly packages?: Io['packages'];
  /** Clock of this machine; default: that of the service. */
  readonly clock?: { now(): number };
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Shell {
  readonly folder: string;
  (words: readonly string[], place?: Place): Promise<Outcome>;
}

/** Returns a shell with an empty config folder and this service. */
export function shell(fetch: Fetch, env: Readonly<Record<string, string>> = { FLEET_BASE_URL: baseUrl }): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const invoke = async (words: readonly string[], place: Place = {}): Promise<Outcome> => {
    const stdin = Object.assign(new PassThrough(), { isTTY: place.answers !== undefined });
    const answers = [...(place.answers ?? [])];
    let answeredLength = 0;
    const listen = (text: string) => {
      const [next] = answers;
      if (!next) return;
      const at = text.indexOf(next[0], answeredLength);
      if (at < 0) return;
      answeredLength = at + next[0].length;
      answers.shift();
      // The prompt is written before it listens. Enter ends an answer; Ctrl-C and Ctrl-D need none.
      setImmediate(() => stdin.write(/\p{Cc}$/u.test(next[1]) ? next[1] : `${next[1]}\r`));
    };
    const stdout = Object.assign(new Sink(place.terminal ?? null), { rows: place.rows });
    const stderr = new Sink(place.answers ? 80 : (place.terminal ?? null), (text) => {
      listen(text);
      place.onError?.(text);
    });
    if (place.input !== undefined) stdin.end(place.input);
    const code = await run(words, {
      stdin,
      stdout,
      stderr,
      // In UTC, wherever the tests run.
      env: { FLEET_CONFIG_DIR: folder, TERM: 'xterm', TZ: 'UTC', ...env, ...place.env },
      signal: place.signal ?? new AbortController().signal,
      fetch,
      clock: place.clock ?? clock,
      sleep: place.sleep,
      packages: place.packages ?? packages,
      ...(place.startPager ? { pagers: new Set(), startPager: place.startPager } : {}),
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
  return Object.assign(invoke, { folder });
}

/** Returns a shell with the credentials in its environment. */
export function shellOf(login: string, fetch: Fetch): Shell {
  return shell(fetch, { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: login, FLEET_PASSWORD: login });
}
