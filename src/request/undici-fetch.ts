// The thin layer: as much of fetch as graphql-request and the login need, straight over undici's pool. The whole fetch API (Request,
// Headers, Response, web streams) is what makes other clients about three times slower on a small call.
import type { Dispatcher } from 'undici';
import type { FetchInit, FetchResponse } from '../outside.js';
import { type ProxySettings, proxySettings } from './proxy-settings.js';
import type { Stop } from './stop.js';
import { exchange } from './undici-exchange.js';

/** A request as the thin layer takes it: fetch's own init, and a signal that need not be a whole AbortSignal. */
export interface ThinInit extends Omit<FetchInit, 'signal'> {
  readonly signal?: AbortSignal | Stop;
  /** Gets the body of a good answer piece by piece, as it arrives, still compressed as the second argument says; `text()` is empty then. */
  readonly onData?: (chunk: Uint8Array, contentEncoding: string | null) => void;
}

export interface ThinFetch {
  fetch(url: string, init: ThinInit): Promise<FetchResponse>;
  /** Closes the sockets that are kept alive; requests on the wire are given up. */
  close(): Promise<void>;
}

/**
 * A fetch over undici. Nothing is loaded before the first request. Sockets are kept alive and used again, the one used last first:
 * as a lane sends one request at a time, it keeps one socket. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured;
 * one that cannot be read is an InvalidInputError here.
 */
export function undiciFetch(env: NodeJS.ProcessEnv = process.env): ThinFetch {
  const proxies = proxySettings(env);
  let opening: Promise<Connections> | null = null;
  let opened: Connections | null = null;
  const addresses = new Map<string, Address>();
  const send = (connections: Connections, url: string, init: ThinInit) => {
    const address = addressOf(url, addresses);
    return exchange(connections.take(address.origin), address, init, connections);
  };
  return {
    fetch(url, init) {
      // Not async: every promise on the way counts in a small call.
      if (opened) return send(opened, url, init);
      opening ??= proxies.httpProxy || proxies.httpsProxy ? proxied(proxies) : direct();
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

interface Address {
  readonly origin: string;
  readonly path: string;
}

/** A client asks for a handful of addresses, each again and again. */
function addressOf(url: string, known: Map<string, Address>): Address {
  const before = known.get(url);
  if (before) return before;
  const { origin, pathname, search } = new URL(url);
  const address = { origin, path: `${pathname}${search}` };
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
async function direct(): Promise<Connections> {
  const { Client } = await import('undici');
  const all: Dispatcher[] = [];
  const idle = new Map<string, Dispatcher[]>();
  return {
    take(origin) {
      const resting = idle.get(origin)?.pop();
      if (resting) return resting;
      const client = new Client(origin);
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

async function proxied({ httpProxy, httpsProxy, noProxy }: ProxySettings): Promise<Connections> {
  const { EnvHttpProxyAgent } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    ...(noProxy ? { noProxy } : {}),
  });
  return { take: () => dispatcher, giveBack: () => undefined, destroy: () => dispatcher.destroy() };
}
