// One request over an undici dispatcher, by callbacks: the body is needed as a whole, so no stream is made for it, and the handler of the
// callbacks is itself the response.
import { hasSubscribers } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AbortFlag } from '../core/deadline.js';
import type { FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import type { HttpRequestInit } from './http-transport.js';
import { proxyRefusalOr } from './proxy-refusal.js';

/** Takes the dispatcher back when the response is complete. */
export interface ConnectionOwner {
  release(dispatcher: Dispatcher, origin: string): void;
}

/** A URL that requests are sent to, read once. */
export class Address {
  readonly origin: string;
  readonly path: string;
  #lastHeaders: Readonly<Record<string, string>> | null = null;
  #complete: Record<string, string> = {};

  constructor(url: string) {
    const { origin, pathname, search } = new URL(url);
    this.origin = origin;
    this.path = `${pathname}${search}`;
  }

  /** The headers to send: one object as long as the same headers come in. A proxy agent adds its host to that object. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    if (headers !== this.#lastHeaders) {
      this.#lastHeaders = headers;
      this.#complete = { 'accept-encoding': ACCEPT_ENCODING, ...headers };
    }
    return this.#complete;
  }
}

/** As `HttpTransport.fetch`. */
export function undiciRequest(
  dispatcher: Dispatcher,
  address: Address,
  init: HttpRequestInit,
  owner: ConnectionOwner,
): Promise<FetchResponse> {
  const { origin, path } = address;
  const { method, headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const handler = new UndiciResponse(resolve, reject, init, () => owner.release(dispatcher, origin));
    if (signal?.aborted) return handler.abort();
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers: address.headers(headers),
        body: body ?? null,
        // The caller has a deadline of its own: a slow response within it is no failure.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

/** Whether a tracer follows what undici sends. It would show as a request what only opens a connection. */
function isTraced(): boolean {
  return hasSubscribers('undici:request:create');
}

/** Opens the dispatcher's connection. undici has no call for that: this is a request that ends when its first byte could be written. */
export function openConnection(dispatcher: Dispatcher, { origin, path }: Address, owner: ConnectionOwner): void {
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      throw new Error('The connection is open. Nothing was to be sent.');
    },
    // A connection that cannot be opened is told by the request that needs it.
    onResponseError: () => undefined,
  };
  if (!isTraced()) dispatcher.dispatch({ origin, path, method: 'POST', headersTimeout: 0, bodyTimeout: 0 }, handler);
  // At once: a request that comes while the connection is made waits for it.
  owner.release(dispatcher, origin);
}

class UndiciResponse extends BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: FetchResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #signal: AbortSignal | AbortFlag | undefined;
  readonly #beforeSend: (() => void) | undefined;
  readonly #onEnd: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  constructor(
    resolve: (response: FetchResponse) => void,
    reject: (error: unknown) => void,
    init: HttpRequestInit,
    onEnd: () => void,
  ) {
    super(init);
    const { signal, beforeSend } = init;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#beforeSend = beforeSend;
    this.#onEnd = onEnd;
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

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.begin(status, headers, controller);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const excess = this.addChunk(chunk);
    if (excess) this.#giveUp(excess);
  }

  onResponseEnd(): void {
    this.#end();
    this.#resolve(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController, thrown: Error): void {
    // An answer that changes the protocol has no body. undici takes one that nobody asked for as a broken connection: it tells of it before the
    // answer begins when it names the protocol, and else after that.
    if (this.status === 0 && thrown.message === 'bad upgrade') this.begin(101, {});
    if (this.status === 101) {
      this.onResponseEnd();
      return;
    }
    const error = proxyRefusalOr(thrown);
    this.fail(error);
    this.#end();
    if (this.status === 0) this.#reject(error);
    else this.#resolve(this);
  }

  readonly abort = (): void => {
    this.#giveUp(this.#signal?.reason);
  };

  #giveUp(reason: unknown): void {
    // First, because undici ends the response as soon as it is aborted.
    this.#reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was given up.'));
  }

  #end(): void {
    // undici goes on with the answer of a proxy that demands a login after it has reported it as an error.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.abort);
    this.#onEnd();
  }
}
