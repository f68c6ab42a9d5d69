// One request and its answer over an undici dispatcher, by callbacks: no stream is built for a body that is wanted whole anyway, and
// the handler of the callbacks is itself the response.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AbortFlag } from '../core/abort-flag.js';
import type { FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import type { HttpRequestInit } from './http-transport.js';

/** Where the dispatcher goes when the exchange is over. */
export interface ConnectionOwner {
  giveBack(dispatcher: Dispatcher, origin: string): void;
}

/** Where requests go, again and again. */
export class Address {
  readonly origin: string;
  readonly path: string;
  #given: Readonly<Record<string, string>> | null = null;
  #sent: Record<string, string> = {};

  constructor(url: string) {
    const { origin, pathname, search } = new URL(url);
    this.origin = origin;
    this.path = `${pathname}${search}`;
  }

  /** What is sent for these headers: whoever sends the same again gets the same object again. A proxy agent adds its host to it. */
  headers(given: Readonly<Record<string, string>>): Record<string, string> {
    if (given !== this.#given) {
      this.#given = given;
      this.#sent = { 'accept-encoding': ACCEPT_ENCODING, ...given };
    }
    return this.#sent;
  }
}

/** Settles when the answer is over. Rejects when there was none, or as soon as the signal fires. */
export function undiciRequest(
  dispatcher: Dispatcher,
  address: Address,
  init: HttpRequestInit,
  home: ConnectionOwner,
): Promise<FetchResponse> {
  const { origin, path } = address;
  const { method, headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const handler = new UndiciResponse(resolve, reject, init, () => home.giveBack(dispatcher, origin));
    if (signal?.aborted) return handler.abort();
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers: address.headers(headers),
        body: body ?? null,
        // Deadlines are the caller's: a slow answer within them is no failure.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

class UndiciResponse extends BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: FetchResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | AbortFlag | undefined;
  readonly #beforeSend: (() => void) | undefined;
  readonly #over: () => void;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(
    resolve: (answer: FetchResponse) => void,
    reject: (error: unknown) => void,
    { signal, onData, beforeSend }: HttpRequestInit,
    over: () => void,
  ) {
    super(onData);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#beforeSend = beforeSend;
    this.#over = over;
    signal?.addEventListener('abort', this.abort);
  }

  /** undici calls this when the connection is open, and writes the request as soon as it returns. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have fired while the connection was made.
    if (this.#signal?.aborted) {
      this.abort();
      return;
    }
    try {
      this.#beforeSend?.();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.begin(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.take(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    this.#resolve(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.breakOff(error);
    this.#end();
    if (this.status === 0) this.#reject(error);
    else this.#resolve(this);
  }

  readonly abort = (): void => {
    this.#giveUp(this.#signal?.reason);
  };

  #giveUp(reason: unknown): void {
    // First, because undici ends the answer at once when it is told.
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was given up.'));
  }

  #end(): void {
    this.#signal?.removeEventListener('abort', this.abort);
    this.#over();
  }
}
