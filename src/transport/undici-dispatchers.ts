/// <reference path="./undici-parts.d.ts" />
// Loads undici at the first request, and opens its connections with the TLS settings of the client,
// and through the proxies of the environment. Only the parts that send requests are loaded: all of
// undici loads slower than this whole package. In a bundle it may be missing, or unable to load
// Node's modules. Without a fallback, the error says what to do.
import type { Client, Dispatcher } from 'undici';
import {
  CONNECT_TIMEOUT_MS,
  IDLE_SOCKET_MS,
  TCP_KEEP_ALIVE_MS,
  type TlsSettings,
  trustOptions,
} from './http-transport.js';
import { hasProxy, type ProxySettings } from './proxy.js';

export class UndiciNotLoaded extends Error {}

/** @throws {UndiciNotLoaded} with the original error as `cause` */
async function loadUndici() {
  try {
    const [client, connect] = await Promise.all([
      import('undici/lib/dispatcher/client.js'),
      import('undici/lib/core/connect.js'),
    ]);
    return { Client: client.default, buildConnector: connect.default };
  } catch (cause) {
    throw notLoaded(cause);
  }
}

/**
 * Loads all of undici, for connections through proxies.
 * @throws {UndiciNotLoaded} as `loadUndici`
 */
async function loadUndiciWithProxies(): Promise<typeof import('undici')> {
  try {
    return await import('undici');
  } catch (cause) {
    throw notLoaded(cause);
  }
}

function notLoaded(cause: unknown): UndiciNotLoaded {
  return new UndiciNotLoaded(
    'undici, which sends the requests through the proxy, could not be loaded. If this program is a bundle, mark undici as external and install it ' +
      'beside the bundle, or give the bundle a require() (docs/versioning.md, "bundlers"), or pass `fetch: globalThis.fetch`.',
    { cause },
  );
}

const CONNECT = { timeout: CONNECT_TIMEOUT_MS, keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
/** Overrides a longer time of the server: a connection that was idle for minutes may be dead. */
const KEEP_ALIVE = { keepAliveTimeout: IDLE_SOCKET_MS, keepAliveMaxTimeout: IDLE_SOCKET_MS };

/** Creates a dispatcher with one connection to this origin. */
export type OpenDispatcher = (origin: string) => Dispatcher;

export function loadDispatchers(proxies: ProxySettings, tls: TlsSettings): Promise<OpenDispatcher> {
  return hasProxy(proxies) ? proxied(proxies, tls) : direct(tls);
}

async function direct(tls: TlsSettings): Promise<OpenDispatcher> {
  const { buildConnector, Client } = await loadUndici();
  const connect = buildConnector({ ...CONNECT, ...trustOptions(tls) });
  return (origin) => new Client(origin, { connect, ...KEEP_ALIVE });
}

/** The authorities of `tls` are trusted for the service, not for the proxy. */
async function proxied({ httpProxy, httpsProxy, noProxy }: ProxySettings, tls: TlsSettings): Promise<OpenDispatcher> {
  const { buildConnector, Client, EnvHttpProxyAgent } = await loadUndiciWithProxies();
  const toService = { ...CONNECT, ...trustOptions(tls) };
  const options = {
    // Otherwise undici would read the environment itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
    // Plain http needs no tunnel, and many proxies allow tunnels only to port 443.
    proxyTunnel: false,
    connect: buildConnector(toService),
    // One connection each, as without a proxy; the default is a pool.
    factory: (origin: string | URL, options: Client.Options) => new Client(origin, options),
    requestTls: toService,
    proxyTls: CONNECT,
    ...KEEP_ALIVE,
  };
  return () => new EnvHttpProxyAgent(options);
}
