// The transport over undici's connections: the fastest for many small calls, and the only one with
// proxies. It uses undici's callbacks: the body is needed as a whole, so there is no stream, and
// the callback handler is itself the response.
import { hasSubscribers } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock, FetchResponse } from '../core/ports.js';
import { ACCEPT_ENCODING, BufferedResponse } from './http-response.js';
import {
  type HttpFetch,
  type HttpRequestInit,
  type HttpTransport,
  IDLE_SOCKET_MS,
  type TlsSettings,
} from './http-transport.js';
import { type Environment, proxySettings } from './proxy.js';
import { loadDispatchers, type OpenDispatcher, UndiciNotLoaded } from './undici-dispatchers.js';

/**
 * Returns the transport. It loads undici with the first request, and uses HTTP_PROXY, HTTPS_PROXY
 * and NO_PROXY. Sockets are kept alive and reused, the latest first: a user's queue sends one
 * request at a time and so keeps one socket.
 *
 * @param withoutUndici the fallback where undici cannot be loaded. Only undici supports proxies.
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
  // Set when `opening` has resolved, so that `fetch` needs no further promise.
  let opened: Connections | null = null;
  let fallbackTransport: HttpTransport | null = null;
  const addresses = new Map<string, Address>();
  const open = async (): Promise<HttpFetch> => {
    try {
      opening ??= loadDispatchers(proxies, tls).then((openDispatcher) => new Connections(openDispatcher, clock));
      const connections = await opening;
      opened = connections;
      return (url, init) => send(connections, addressOf(url, addresses), init);
    } catch (error) {
      if (!withoutUndici || !(error instanceof UndiciNotLoaded)) throw error;
      fallbackTransport ??= withoutUndici();
      return fallbackTransport.fetch;
    }
  };
  return {
    prepare(url) {
      if (opened) return null;
      return fallbackTransport?.prepare
        ? fallbackTransport.prepare(url)
        : open().then(() => fallbackTransport?.prepare?.(url));
    },
    open(url) {
      if (!opened) return fallbackTransport?.open?.(url);
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
      await fallbackTransport?.close();
    },
  };
}

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

  /** Returns the same object for the same `headers`: a proxy agent adds its host to it. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    if (headers !== this.#lastHeaders) {
      this.#lastHeaders = headers;
      this.#complete = { 'accept-encoding': ACCEPT_ENCODING, ...headers };
    }
    return this.#complete;
  }
}

/** Cached: a client uses a few addresses, each many times. */
function addressOf(url: string, cache: Map<string, Address>): Address {
  const cached = cache.get(url);
  if (cached) return cached;
  const address = new Address(url);
  if (cache.size < 50) cache.set(url, address);
  return address;
}

/**
 * One dispatcher, and so one socket, per concurrent request. undici's own pool would open a second
 * socket for requests in close succession, because a client counts as busy until shortly after its
 * response.
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

  /** Returns a dispatcher for one request. It is released when the response is complete. */
  acquire(origin: string): Dispatcher {
    const stack = this.#idle.get(origin) ?? [];
    for (let free = stack.pop(); free; free = stack.pop()) {
      if (isFresh(free.since, this.#clock.now())) return free.dispatcher;
      // undici's own timer stops while the machine sleeps.
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

/** False after the clock was set back, when the idle time is unknown. */
function isFresh(idleSince: number, now: number): boolean {
  return now >= idleSince && now - idleSince <= IDLE_SOCKET_MS;
}

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
        // The caller has its own deadline: a slow response within it is no failure.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

/** True when a tracer observes undici: it would report the opening of a connection as a request. */
function isTraced(): boolean {
  return hasSubscribers('undici:request:create');
}

/** Opens a connection by a request that is aborted before its first byte. */
function openConnection(connections: Connections, { origin, path }: Address): void {
  const dispatcher = connections.acquire(origin);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      throw new Error('The connection is open. Nothing was to be sent.');
    },
    // The request that needs the connection will report the failure.
    onResponseError: () => undefined,
  };
  if (!isTraced()) dispatcher.dispatch({ origin, path, method: 'POST', headersTimeout: 0, bodyTimeout: 0 }, handler);
  // Released at once: a request that comes meanwhile waits for the connection.
  connections.release(dispatcher, origin);
}

interface Settle {
  readonly resolve: (response: FetchResponse) => void;
  readonly reject: (error: unknown) => void;
}

interface AcquiredConnection {
  readonly connections: Connections;
  readonly dispatcher: Dispatcher;
  readonly origin: string;
}

class UndiciResponse extends BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #settle: Settle;
  readonly #acquired: AcquiredConnection;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  constructor(init: HttpRequestInit, settle: Settle, acquired: AcquiredConnection) {
    super(init);
    this.#settle = settle;
    this.#acquired = acquired;
    init.signal?.addEventListener('abort', this.abort);
  }

  /** undici calls this when the connection is open, right before it writes the request. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It may have fired while the connection was made.
    if (this.init.signal?.aborted) {
      this.abort();
      return;
    }
    try {
      this.init.beforeSend?.();
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
    // An answer that upgrades the protocol has no body. undici treats an unrequested one as a
    // broken connection. It reports that before the answer begins when the answer names the
    // protocol, otherwise after that.
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
    this.#giveUp(this.init.signal?.reason);
  };

  #giveUp(reason: unknown): void {
    // First, because undici ends the response as soon as it is aborted.
    this.#settle.reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error('The request was given up.'));
  }

  #end(): void {
    // After it has reported a proxy's login demand as an error, undici continues with its answer.
    if (this.#isOver) return;
    this.#isOver = true;
    this.init.signal?.removeEventListener('abort', this.abort);
    const { connections, dispatcher, origin } = this.#acquired;
    connections.release(dispatcher, origin);
  }
}

const REFUSAL = /^Proxy response \((\d{3})\) !== 200|^Proxy Authentication Required \((407)\)/;

/** Returns the refusal of a proxy as an error with its status as code; other errors unchanged. */
function proxyRefusalOr(error: Error): Error {
  const match = REFUSAL.exec(error.message);
  if (!match) return error;
  const status = match[1] ?? match[2];
  return Object.assign(new Error(`The proxy answered ${status}.`), { code: `PROXY_${status}` });
}
