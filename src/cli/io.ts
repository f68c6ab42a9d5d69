// What a command may touch of the outside world. A test hands in its own streams, environment, fetch and clock; only
// main.ts knows the process.
import type { Fetch } from '../outside.js';

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

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
  readonly clock?: { now(): number } | undefined;
}

/** Writes and waits until the reader has caught up, so that a slow pipe costs time and not memory. */
export async function write(stream: OutputStream, text: string): Promise<void> {
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
