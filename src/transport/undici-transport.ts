// The transport over undici's connections: the fastest for many small calls, and the one that supports proxies.
import type { Client, Dispatcher } from 'undici';
import type { Clock } from '../core/ports.js';
import { CONNECT_TIMEOUT_MS, IDLE_SOCKET_MS, TCP_KEEP_ALIVE_MS } from './connection-times.js';
import { type HttpRequestInit, type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';
import { loadUndici } from './load-undici.js';
import { type Environment, hasProxy, type ProxySettings, proxySettings } from './proxy.js';
import { Address, openConnection, undiciRequest } from './undici-request.js';

/**
 * Loads undici with the first request. Sockets are kept alive and reused, the one used last first: a user's queue sends one request at a
 * time and so keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment apply.
 *
 * @throws {InvalidInputError} when a proxy has no valid address.
 */
export function undiciTransport(
  env: Environment = process.env,
  tls: TlsSettings = {},
  clock: Clock = Date,
): HttpTransport {
  const proxies = proxySettings(env);
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  const addresses = new Map<string, Address>();
  const open = () => {
    opening ??= hasProxy(proxies) ? proxied(proxies, tls, clock) : direct(tls, clock);
    return opening.then((connections) => {
      opened = connections;
      return connections;
    });
  };
  const send = (connections: Connections, url: string, init: HttpRequestInit) => {
    const address = addressOf(url, addresses);
    return undiciRequest(connections.acquire(address.origin), address, init, connections);
  };
  return {
    prepare: () => (opened ? null : open()),
    open(url) {
      const address = addressOf(url, addresses);
      if (opened?.hasIdle(address.origin) === false) openConnection(opened.acquire(address.origin), address, opened);
    },
    fetch(url, init) {
      // Not async: each promise costs time in a small call.
      if (opened) return send(opened, url, init);
      return open().then((connections) => send(connections, url, init));
    },
    async close() {
      const connections = await opening?.catch(() => null);
      opening = null;
      opened = null;
      await connections?.destroy();
    },
  };
}

/** A client has a handful of addresses, and uses each many times. */
function addressOf(url: string, known: Map<string, Address>): Address {
  const cached = known.get(url);
  if (cached) return cached;
  const address = new Address(url);
  if (known.size < 50) known.set(url, address);
  return address;
}

const CONNECT = { timeout: CONNECT_TIMEOUT_MS, keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
/** A server may announce a longer time; a connection that was idle for minutes may be dead all the same. */
const KEEP_ALIVE = { keepAliveTimeout: IDLE_SOCKET_MS, keepAliveMaxTimeout: IDLE_SOCKET_MS };

/** Dispatchers: one is acquired for each request, and released when its response is complete. */
interface Connections {
  hasIdle(origin: string): boolean;
  acquire(origin: string): Dispatcher;
  release(dispatcher: Dispatcher, origin: string): void;
  destroy(): Promise<void>;
}

async function direct(tls: TlsSettings, clock: Clock): Promise<Connections> {
  const { buildConnector, Client } = await loadUndici();
  const connect = buildConnector({ ...CONNECT, ...trustOptions(tls) });
  return connections((origin) => new Client(origin, { connect, ...KEEP_ALIVE }), clock);
}

/** The authorities of `tls` are trusted for the service, not for the proxy. */
async function proxied(
  { httpProxy, httpsProxy, noProxy }: ProxySettings,
  tls: TlsSettings,
  clock: Clock,
): Promise<Connections> {
  const { buildConnector, Client, EnvHttpProxyAgent } = await loadUndici();
  const toService = { ...CONNECT, ...trustOptions(tls) };
  const options = {
    // For an option that is left out, undici would read the environment itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
    // Plain http needs no tunnel, and many proxies allow tunnels only to port 443.
    proxyTunnel: false,
    connect: buildConnector(toService),
    // One connection each, as without a proxy; by default a pool is made.
    factory: (origin: string | URL, options: Client.Options) => new Client(origin, options),
    requestTls: toService,
    proxyTls: CONNECT,
    ...KEEP_ALIVE,
  };
  return connections(() => new EnvHttpProxyAgent(options), clock);
}

/**
 * One dispatcher, and so one socket, for each request that is under way at the same time. undici's own pool would open a second socket
 * for requests that follow each other closely, because it counts a client as busy until a moment after its response.
 */
function connections(open: (origin: string) => Dispatcher, clock: Clock): Connections {
  const all = new Set<Dispatcher>();
  const idle = new Map<string, { readonly dispatcher: Dispatcher; readonly since: number }[]>();
  return {
    hasIdle: (origin) => idle.get(origin)?.some(({ since }) => isFresh(since, clock.now())) ?? false,
    acquire(origin) {
      const stack = idle.get(origin) ?? [];
      for (let free = stack.pop(); free; free = stack.pop()) {
        if (isFresh(free.since, clock.now())) return free.dispatcher;
        // undici's own timer stands still while the machine sleeps.
        all.delete(free.dispatcher);
        void free.dispatcher.destroy();
      }
      const dispatcher = open(origin);
      all.add(dispatcher);
      return dispatcher;
    },
    release(dispatcher, origin) {
      const free = { dispatcher, since: clock.now() };
      const stack = idle.get(origin);
      if (stack) stack.push(free);
      else idle.set(origin, [free]);
    },
    async destroy() {
      await Promise.all([...all].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** A clock that was set back says nothing of how long a connection was idle. */
function isFresh(idleSince: number, now: number): boolean {
  return now >= idleSince && now - idleSince <= IDLE_SOCKET_MS;
}
