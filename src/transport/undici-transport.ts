// The transport over undici's connections: the fastest for many small calls, and the one that supports proxies. Requests are sent by
// undici's callbacks: the body is needed as a whole, so no stream is made for it, and the handler of the callbacks is itself the response.
import { hasSubscribers } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AbortFlag } from '../core/deadline.js';
import type { Clock, FetchResponse } from '../core/ports.js';
import { IDLE_SOCKET_MS } from './connection-times.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import type { HttpFetch, HttpRequestInit, HttpTransport, TlsSettings } from './http-transport.js';
import { UndiciNotLoaded } from './load-undici.js';
import { type Environment, proxySettings } from './proxy.js';
import { loadDispatchers, type OpenDispatcher } from './undici-dispatchers.js';

/**
 * Loads undici with the first request. Sockets are kept alive and reused, the one used last first: a user's queue sends one request at a
 * time and so keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment apply.
 *
 * @param withoutUndici Sends the requests where undici cannot be loaded. Only undici knows proxies.
 * @throws {InvalidInputError} when a proxy has no valid address.
 */
export function undiciTransport(
  env: Environment = process.env,
  tls: TlsSettings = {},
  clock: Clock = Date,
  withoutUndici?: () => HttpTransport,
): HttpTransport {
  const proxies = proxySettings(env);
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  let other: HttpTransport | null = null;
  const addresses = new Map<string, Address>();
  const open = async (): Promise<HttpFetch> => {
    try {
      opening ??= loadDispatchers(proxies, tls).then((openDispatcher) => new Connections(openDispatcher, clock));
      const connections = await opening;
      opened = connections;
      return (url, init) => send(connections, addressOf(url, addresses), init);
    } catch (error) {
      if (!withoutUndici || !(error instanceof UndiciNotLoaded)) throw error;
      other ??= withoutUndici();
      return other.fetch;
    }
  };
  return {
    prepare(url) {
      if (opened) return null;
      return other?.prepare ? other.prepare(url) : open().then(() => other?.prepare?.(url));
    },
    open(url) {
      if (!opened) return other?.open?.(url);
      const address = addressOf(url, addresses);
      if (!opened.hasIdle(address.origin)) openConnection(opened, address);
    },
    fetch(url, init) {
      // Not async: each promise costs time in a small call.
      return opened ? send(opened, addressOf(url, addresses), init) : open().then((fetch) => fetch(url, init));
    },
    async close() {
      const connections = await opening?.catch(() => null);
      opening = null;
      opened = null;
      await connections?.destroy();
      await other?.close();
    },
  };
}

/** A URL that requests are sent to, read once. */
class Address {
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

/** A client has a handful of addresses, and uses each many times. */
function addressOf(url: string, known: Map<string, Address>): Address {
  const cached = known.get(url);
  if (cached) return cached;
  const address = new Address(url);
  if (known.size < 50) known.set(url, address);
  return address;
}

/**
 * One dispatcher, and so one socket, for each request that is under way at the same time. undici's own pool would open a second socket
 * for requests that follow each other closely, because it counts a client as busy until a moment after its response.
 */
class Connections {
  readonly #open: OpenDispatcher;
  readonly #clock: Clock;
  readonly #all = new Set<Dispatcher>();
  readonly #idle = new Map<string, { readonly dispatcher: Dispatcher; readonly since: number }[]>();

  constructor(open: OpenDispatcher, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  hasIdle(origin: string): boolean {
    return this.#idle.get(origin)?.some(({ since }) => isFresh(since, this.#clock.now())) ?? false;
  }

  /** A dispatcher for one request. It is released when the response is complete. */
  acquire(origin: string): Dispatcher {
    const stack = this.#idle.get(origin) ?? [];
    for (let free = stack.pop(); free; free = stack.pop()) {
      if (isFresh(free.since, this.#clock.now())) return free.dispatcher;
      // undici's own timer stands still while the machine sleeps.
      this.#all.delete(free.dispatcher);
      void free.dispatcher.destroy();
    }
    const dispatcher = this.#open(origin);
    this.#all.add(dispatcher);
    return dispatcher;
  }

  release(dispatcher: Dispatcher, origin: string): void {
    const free = { dispatcher, since: this.#clock.now() };
    const stack = this.#idle.get(origin);
    if (stack) stack.push(free);
    else this.#idle.set(origin, [free]);
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map((dispatcher) => dispatcher.destroy()));
  }
}

/** A clock that was set back says nothing of how long a connection was idle. */
function isFresh(idleSince: number, now: number): boolean {
  return now >= idleSince && now - idleSince <= IDLE_SOCKET_MS;
}

/** Sends a request as `HttpTransport.fetch` promises it. */
function send(connections: Connections, address: Address, init: HttpRequestInit): Promise<FetchResponse> {
  const { origin, path } = address;
  const { method, headers, body, signal } = init;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const dispatcher = connections.acquire(origin);
  return new Promise((resolve, reject) => {
    const handler = new UndiciResponse(init, { resolve, reject }, { connections, dispatcher, origin });
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

/** Opens a connection. undici has no call for that: this is a request that ends when its first byte could be written. */
function openConnection(connections: Connections, { origin, path }: Address): void {
  const dispatcher = connections.acquire(origin);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      throw new Error('The connection is open. Nothing was to be sent.');
    },
    // When the connection cannot be opened, the request that needs it fails and says so.
    onResponseError: () => undefined,
  };
  if (!isTraced()) dispatcher.dispatch({ origin, path, method: 'POST', headersTimeout: 0, bodyTimeout: 0 }, handler);
  // It is released at once: a request that comes while the connection is made waits for it.
  connections.release(dispatcher, origin);
}

/** The outcome of a request. */
interface Settle {
  readonly resolve: (response: FetchResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** The connection that a request has acquired. */
interface Acquired {
  readonly connections: Connections;
  readonly dispatcher: Dispatcher;
  readonly origin: string;
}

class UndiciResponse extends BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #settle: Settle;
  readonly #acquired: Acquired;
  readonly #signal: AbortSignal | AbortFlag | undefined;
  readonly #beforeSend: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  constructor(init: HttpRequestInit, settle: Settle, acquired: Acquired) {
    super(init);
    const { signal, beforeSend } = init;
    this.#settle = settle;
    this.#acquired = acquired;
    this.#signal = signal;
    this.#beforeSend = beforeSend;
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
    this.#settle.resolve(this);
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
    if (this.status === 0) this.#settle.reject(error);
    else this.#settle.resolve(this);
  }

  readonly abort = (): void => {
    this.#giveUp(this.#signal?.reason);
  };

  #giveUp(reason: unknown): void {
    // First, because undici ends the response as soon as it is aborted.
    this.#settle.reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was given up.'));
  }

  #end(): void {
    // undici goes on with the answer of a proxy that demands a login after it has reported it as an error.
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.abort);
    const { connections, dispatcher, origin } = this.#acquired;
    connections.release(dispatcher, origin);
  }
}

const REFUSAL = /^Proxy response \((\d{3})\) !== 200|^Proxy Authentication Required \((407)\)/;

/** Returns the refusal of a proxy as an error with its status as code; other errors as they are. */
function proxyRefusalOr(error: Error): Error {
  const match = REFUSAL.exec(error.message);
  if (!match) return error;
  const status = match[1] ?? match[2];
  return Object.assign(new Error(`The proxy answered ${status}.`), { code: `PROXY_${status}` });
}
