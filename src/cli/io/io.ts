// Streams, environment, fetch and clock of a command. Tests pass their own; main.ts uses the
// process.
import type { Clock, Fetch } from '../../core/ports.js';
import type { Env } from './child-env.js';
import type { Pager } from './pager.js';

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** True when the stream has failed and accepts no more text. */
  readonly destroyed?: boolean | undefined;
}

export interface TableFrame {
  readonly period: string | null;
  /** The row of totals; null without totals and for a single row. */
  readonly total: unknown;
  /** The reason for an empty table; null when there are rows. */
  readonly emptyText: string | null;
}

/** Rejects when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface PackageSource {
  /** Returns the version of a package; null when it is not installed. */
  readonly versionOf: (name: string) => string | null;
  readonly load: (name: string, entry: string) => Promise<unknown>;
}

interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean | undefined;
}

export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Env;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Work that an interrupted process waits for before it ends: new tokens that must be stored. */
  readonly unfinished?: Set<Promise<unknown>> | undefined;
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** The pagers that own the terminal. Without this set nothing is paged. */
  readonly pagers?: Set<Pager> | undefined;
  readonly startPager?: ((command: string) => Pager) | undefined;
  readonly sleep?: Sleep | undefined;
  /** Replaces the packages that are installed next to this program. */
  readonly packages?: PackageSource | undefined;
  /** Receives the progress instead of a terminal. */
  readonly onProgress?: ((text: string) => void) | undefined;
  /** Receives the frame of a table, for programs that read only its rows. */
  readonly onTable?: ((frame: TableFrame) => void) | undefined;
}

/** Returns the width of a terminal. Some report 0 when it is unknown. */
export function columnsOf({ columns }: OutputStream): number {
  return columns || 80;
}

/** Returns the height of a terminal. Some report 0 when it is unknown. */
export function terminalRows({ rows }: OutputStream): number {
  return rows || 24;
}

/** Writes, and waits for a slow reader, so that the memory does not fill up. */
export async function write(
  stream: NodeJS.WritableStream & Pick<OutputStream, 'destroyed'>,
  text: string | Uint8Array,
): Promise<void> {
  // A destroyed stream never emits `drain`.
  if (stream.destroyed) throw Object.assign(new Error('The reader closed the pipe.'), { code: 'EPIPE' });
  if (stream.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.removeListener('drain', settle);
      stream.removeListener('error', settle);
      if (error) reject(error);
      else resolve();
    };
    stream.once('drain', settle);
    stream.once('error', settle);
  });
}

const CHUNK_SIZE = 32_768;

/** Combines small texts into few writes. When the source pauses, collected text is written. */
export async function writeAll(
  stream: NodeJS.WritableStream,
  texts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  let buffered = '';
  let pause: NodeJS.Immediate | undefined;
  const flush = () => {
    const text = buffered;
    buffered = '';
    return text === '' ? Promise.resolve() : write(stream, text);
  };
  // An error of a write during a pause is thrown at the next step.
  let pauseWrites: Promise<void> = Promise.resolve();
  const onPause = () => {
    pause = undefined;
    // Writes are chained, so that a slow reader is waited for.
    pauseWrites = pauseWrites.then(flush);
    pauseWrites.catch(() => undefined);
  };
  try {
    for await (const text of texts) {
      if (typeof text !== 'string') {
        await pauseWrites;
        await flush();
        await write(stream, text);
        continue;
      }
      buffered += text;
      if (buffered.length >= CHUNK_SIZE) {
        await pauseWrites;
        await flush();
      } else pause ??= setImmediate(onPause);
    }
  } finally {
    // When the source fails, the rows before the failure are printed too.
    clearImmediate(pause);
    await pauseWrites;
    await flush();
  }
}
