// The thin layer straight over undici's connections: the fastest there is for many small calls, and the way through a proxy.
import type { Dispatcher } from 'undici';
import {
  CONNECT_TIMEOUT_MS,
  type HttpRequestInit,
  type HttpTransport,
  type TlsSettings,
  trustOptions,
} from './http-transport.js';
import { type Environment, hasProxy, type ProxySettings, proxySettings } from './proxy.js';
import { Address, undiciRequest } from './undici-request.js';

/**
 * A fetch over undici. Nothing is loaded before the first request. Sockets are kept alive and used again, the one used last first:
 * as a lane sends one request at a time, it keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured;
 * one that cannot be read is an InvalidInputError here.
 */
export function undiciTransport(env: Environment = process.env, tls: TlsSettings = {}): HttpTransport {
  const proxies = proxySettings(env);
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  const addresses = new Map<string, Address>();
  const send = (connections: Connections, url: string, init: HttpRequestInit) => {
    const address = addressOf(url, addresses);
    return undiciRequest(connections.take(address.origin), address, init, connections);
  };
  return {
    fetch(url, init) {
      // Not async: every promise on the way counts in a small call.
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

/** A client asks for a handful of addresses, each again and again. */
function addressOf(url: string, known: Map<string, Address>): Address {
  const before = known.get(url);
  if (before) return before;
  const address = new Address(url);
  if (known.size < 50) known.set(url, address);
  return address;
}

/** Who carries a request: taken before it, given back when its answer has been read. */
interface Connections {
  take(origin: string): Dispatcher;
  giveBack(dispatcher: Dispatcher, origin: string): void;
  destroy(): Promise<void>;
}

/**
 * One undici client, that is one socket, for each request that is under way at a time. undici's own pool would open a second socket for
 * requests that follow each other closely, because it takes a client for busy until a moment after its answer.
 */
async function direct(tls: TlsSettings): Promise<Connections> {
  const { Client } = await import('undici');
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...trustOptions(tls) };
  const all: Dispatcher[] = [];
  const idle = new Map<string, Dispatcher[]>();
  return {
    take(origin) {
      const resting = idle.get(origin)?.pop();
      if (resting) return resting;
      const client = new Client(origin, { connect });
      all.push(client);
      return client;
    },
    giveBack(dispatcher, origin) {
      const resting = idle.get(origin);
      if (resting) resting.push(dispatcher);
      else idle.set(origin, [dispatcher]);
    },
    async destroy() {
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** The trust of `tls` is in the service; the proxy itself is met as any other server. */
async function proxied({ httpProxy, httpsProxy, noProxy }: ProxySettings, tls: TlsSettings): Promise<Connections> {
  const { EnvHttpProxyAgent } = await import('undici');
  const trust = trustOptions(tls);
  const dispatcher = new EnvHttpProxyAgent({
    // What is left out it would look for in the environment itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
    connect: { timeout: CONNECT_TIMEOUT_MS, ...trust },
    ...(trust.ca === undefined ? {} : { requestTls: trust }),
  });
  return { take: () => dispatcher, giveBack: () => undefined, destroy: () => dispatcher.destroy() };
}
