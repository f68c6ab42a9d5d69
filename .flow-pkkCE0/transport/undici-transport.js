import { hasSubscribers } from "node:diagnostics_channel";
import { IDLE_SOCKET_MS } from "./connection-times.js";
import { ACCEPT_ENCODING, BufferedResponse } from "./http-response.js";
import { UndiciNotLoaded } from "./load-undici.js";
import { proxySettings } from "./proxy.js";
import { loadDispatchers } from "./undici-dispatchers.js";
function undiciTransport(env = process.env, tls = {}, clock = Date, withoutUndici) {
  const proxies = proxySettings(env);
  let opening = null;
  let opened = null;
  let other = null;
  const addresses = /* @__PURE__ */ new Map();
  const open = async () => {
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
      return opened ? send(opened, addressOf(url, addresses), init) : open().then((fetch) => fetch(url, init));
    },
    async close() {
      const connections = await opening?.catch(() => null);
      opening = null;
      opened = null;
      await connections?.destroy();
      await other?.close();
    }
  };
}
class Address {
  origin;
  path;
  #lastHeaders = null;
  #complete = {};
  constructor(url) {
    const { origin, pathname, search } = new URL(url);
    this.origin = origin;
    this.path = `${pathname}${search}`;
  }
  /** The headers to send: one object as long as the same headers come in. A proxy agent adds its host to that object. */
  headers(headers) {
    if (headers !== this.#lastHeaders) {
      this.#lastHeaders = headers;
      this.#complete = { "accept-encoding": ACCEPT_ENCODING, ...headers };
    }
    return this.#complete;
  }
}
function addressOf(url, known) {
  const cached = known.get(url);
  if (cached) return cached;
  const address = new Address(url);
  if (known.size < 50) known.set(url, address);
  return address;
}
class Connections {
  #open;
  #clock;
  #all = /* @__PURE__ */ new Set();
  #idle = /* @__PURE__ */ new Map();
  constructor(open, clock) {
    this.#open = open;
    this.#clock = clock;
  }
  hasIdle(origin) {
    return this.#idle.get(origin)?.some(({ since }) => isFresh(since, this.#clock.now())) ?? false;
  }
  /** A dispatcher for one request. It is released when the response is complete. */
  acquire(origin) {
    const stack = this.#idle.get(origin) ?? [];
    for (let free = stack.pop(); free; free = stack.pop()) {
      if (isFresh(free.since, this.#clock.now())) return free.dispatcher;
      this.#all.delete(free.dispatcher);
      void free.dispatcher.destroy();
    }
    const dispatcher = this.#open(origin);
    this.#all.add(dispatcher);
    return dispatcher;
  }
  release(dispatcher, origin) {
    const free = { dispatcher, since: this.#clock.now() };
    const stack = this.#idle.get(origin);
    if (stack) stack.push(free);
    else this.#idle.set(origin, [free]);
  }
  async destroy() {
    await Promise.all([...this.#all].map((dispatcher) => dispatcher.destroy()));
  }
}
function isFresh(idleSince, now) {
  return now >= idleSince && now - idleSince <= IDLE_SOCKET_MS;
}
function send(connections, address, init) {
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
        bodyTimeout: 0
      },
      handler
    );
  });
}
function isTraced() {
  return hasSubscribers("undici:request:create");
}
function openConnection(connections, { origin, path }) {
  const dispatcher = connections.acquire(origin);
  const handler = {
    onRequestStart() {
      throw new Error("The connection is open. Nothing was to be sent.");
    },
    // When the connection cannot be opened, the request that needs it fails and says so.
    onResponseError: () => void 0
  };
  if (!isTraced()) dispatcher.dispatch({ origin, path, method: "POST", headersTimeout: 0, bodyTimeout: 0 }, handler);
  connections.release(dispatcher, origin);
}
class UndiciResponse extends BufferedResponse {
  #settle;
  #acquired;
  #signal;
  #beforeSend;
  #controller = null;
  #isOver = false;
  constructor(init, settle, acquired) {
    super(init);
    const { signal, beforeSend } = init;
    this.#settle = settle;
    this.#acquired = acquired;
    this.#signal = signal;
    this.#beforeSend = beforeSend;
    signal?.addEventListener("abort", this.abort);
  }
  /** undici calls this when the connection is open, and writes the request as soon as it returns. */
  onRequestStart(controller) {
    this.#controller = controller;
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
  onResponseStart(controller, status, headers) {
    this.begin(status, headers, controller);
  }
  onResponseData(_controller, chunk) {
    const excess = this.addChunk(chunk);
    if (excess) this.#giveUp(excess);
  }
  onResponseEnd() {
    this.#end();
    this.#settle.resolve(this);
  }
  onResponseError(_controller, thrown) {
    if (this.status === 0 && thrown.message === "bad upgrade") this.begin(101, {});
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
  abort = () => {
    this.#giveUp(this.#signal?.reason);
  };
  #giveUp(reason) {
    this.#settle.reject(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error("The request was given up."));
  }
  #end() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener("abort", this.abort);
    const { connections, dispatcher, origin } = this.#acquired;
    connections.release(dispatcher, origin);
  }
}
const REFUSAL = /^Proxy response \((\d{3})\) !== 200|^Proxy Authentication Required \((407)\)/;
function proxyRefusalOr(error) {
  const match = REFUSAL.exec(error.message);
  if (!match) return error;
  const status = match[1] ?? match[2];
  return Object.assign(new Error(`The proxy answered ${status}.`), { code: `PROXY_${status}` });
}
export {
  undiciTransport
};
