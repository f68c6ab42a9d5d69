// Opens undici connections with the TLS settings of the client, and through the proxies of the
// environment.
import type { Client, Dispatcher } from 'undici';
import { CONNECT_TIMEOUT_MS, IDLE_SOCKET_MS, TCP_KEEP_ALIVE_MS } from './connection-times.js';
import { type TlsSettings, trustOptions } from './http-transport.js';
import { loadUndici, loadUndiciWithProxies } from './load-undici.js';
import { hasProxy, type ProxySettings } from './proxy.js';

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
