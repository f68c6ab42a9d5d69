// What a command may touch of the outside world. A test hands in its own streams, environment, fetch and clock; only
// main.ts knows the process.
import type { Fetch } from '../../core/ports.js';

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** Whether it has failed before and takes nothing more. */
  readonly destroyed?: boolean | undefined;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Rejects when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean | undefined;
}

export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the person at the keyboard wants the command to end. */
  readonly signal: AbortSignal;
  /** Takes the place of the SDK's own fetch. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Takes the place of waiting. */
  readonly sleep?: Sleep | undefined;
}

/** How wide a terminal is. Some say 0, which means that they do not know. */
export function columnsOf({ columns }: OutputStream): number {
  return columns || 80;
}

/** How high a terminal is, likewise. */
export function rowsOf({ rows }: OutputStream): number {
  return rows || 24;
}

/** Writes and waits until the reader has caught up, so that a slow pipe costs time and not memory. */
export async function write(stream: OutputStream, text: string): Promise<void> {
  // It would never be drained.
  if (stream.destroyed) throw Object.assign(new Error('The reader went away.'), { code: 'EPIPE' });
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

/** Enough for one write to the system to be worth its price. */
const portion = 32_768;

/**
 * Writes many small texts as few large ones. What has come is not kept waiting for more: it is written when the source pauses.
 */
export async function writeAll(stream: OutputStream, texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let kept = '';
  let pause: NodeJS.Immediate | undefined;
  const flush = () => {
    const text = kept;
    kept = '';
    return text === '' ? Promise.resolve() : write(stream, text);
  };
  // What a write in a pause meets, such as a reader that went away, is thrown at the next step.
  let paused: Promise<void> = Promise.resolve();
  const onPause = () => {
    pause = undefined;
    // One after the other: a reader that is slow is waited for, however the rows come.
    paused = paused.then(flush);
    paused.catch(() => undefined);
  };
  try {
    for await (const text of texts) {
      kept += text;
      if (kept.length >= portion) {
        await paused;
        await flush();
      } else pause ??= setImmediate(onPause);
    }
  } finally {
    // Also what came before a failure: rows that were given stay given.
    clearImmediate(pause);
    await paused;
    await flush();
  }
}
