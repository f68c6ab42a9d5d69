// One request and its answer over an undici dispatcher, by callbacks: no stream is built for a body that is wanted whole anyway.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Stop } from './stop.js';

export interface Outgoing {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
  /** Why the body ended too early; null when it is whole. */
  readonly error: Error | null;
}

/** Settles when the answer is over. Rejects when there was none, or as soon as the signal fires. */
export function exchange(
  dispatcher: Dispatcher,
  { origin, path, method, headers, body }: Outgoing,
  signal: AbortSignal | Stop | undefined,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const handler = new Handler(resolve, reject, signal);
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
        body,
        // Deadlines are the caller's: a slow answer within them is no failure.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

class Handler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Exchanged) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | Stop | undefined;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(
    resolve: (answer: Exchanged) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | Stop | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have fired while the connection was made.
    if (this.#signal?.aborted) this.#abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status === 0) {
      this.#signal?.removeEventListener('abort', this.#abort);
      this.#reject(error);
    } else this.#end(error);
  }

  #end(error: Error | null): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#resolve({ status: this.#status, headers: this.#headers, chunks: this.#chunks, error });
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was given up.'));
    this.#reject(reason);
  };
}
