// The transport over undici's connections: the fastest for many small calls, and the one that supports proxies.
import type { Dispatcher } from 'undici';
import { CONNECT_TIMEOUT_MS } from '../core/defaults.js';
import { type HttpRequestInit, type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';
import { type Environment, hasProxy, type ProxySettings, proxySettings } from './proxy.js';
import { Address, undiciRequest } from './undici-request.js';

/**
 * Loads undici with the first request. Sockets are kept alive and reused, the one used last first: a user's queue sends one request at a
 * time and so keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment apply.
 *
 * @throws {InvalidInputError} when a proxy has no valid address.
 */
export function undiciTransport(env: Environment = process.env, tls: TlsSettings = {}): HttpTransport {
  const proxies = proxySettings(env);
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  const addresses = new Map<string, Address>();
  const send = (connections: Connections, url: string, init: HttpRequestInit) => {
    const address = addressOf(url, addresses);
    return undiciRequest(connections.acquire(address.origin), address, init, connections);
  };
  return {
    fetch(url, init) {
      // Not async: each promise costs time in a small call.
      if (opened) return send(opened, url, init);
      opening ??= hasProxy(proxies) ? proxied(proxies, tls) : direct(tls);
      return opening.then((connections) => {
        opened = connections;
        return send(connections, url, init);
      });
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

/** Dispatchers: one is acquired for each request, and released when its response is complete. */
interface Connections {
  acquire(origin: string): Dispatcher;
  release(dispatcher: Dispatcher, origin: string): void;
  destroy(): Promise<void>;
}

/**
 * One undici client, and so one socket, for each request that is under way at the same time. undici's own pool would open a second socket
 * for requests that follow each other closely, because it counts a client as busy until a moment after its response.
 */
async function direct(tls: TlsSettings): Promise<Connections> {
  const { Client } = await import('undici');
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...trustOptions(tls) };
  const all: Dispatcher[] = [];
  const idle = new Map<string, Dispatcher[]>();
  return {
    acquire(origin) {
      const free = idle.get(origin)?.pop();
      if (free) return free;
      const client = new Client(origin, { connect });
      all.push(client);
      return client;
    },
    release(dispatcher, origin) {
      const free = idle.get(origin);
      if (free) free.push(dispatcher);
      else idle.set(origin, [dispatcher]);
    },
    async destroy() {
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** The authorities of `tls` are trusted for the service, not for the proxy. */
async function proxied({ httpProxy, httpsProxy, noProxy }: ProxySettings, tls: TlsSettings): Promise<Connections> {
  const { EnvHttpProxyAgent } = await import('undici');
  const trust = trustOptions(tls);
  const dispatcher = new EnvHttpProxyAgent({
    // For an option that is left out, undici would read the environment itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
    connect: { timeout: CONNECT_TIMEOUT_MS, ...trust },
    ...(trust.ca === undefined ? {} : { requestTls: trust }),
  });
  return { acquire: () => dispatcher, release: () => undefined, destroy: () => dispatcher.destroy() };
}
