import { CONNECT_TIMEOUT_MS, IDLE_SOCKET_MS, TCP_KEEP_ALIVE_MS } from "./connection-times.js";
import { trustOptions } from "./http-transport.js";
import { loadUndici, loadUndiciWithProxies } from "./load-undici.js";
import { hasProxy } from "./proxy.js";
const CONNECT = { timeout: CONNECT_TIMEOUT_MS, keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE_MS };
const KEEP_ALIVE = { keepAliveTimeout: IDLE_SOCKET_MS, keepAliveMaxTimeout: IDLE_SOCKET_MS };
function loadDispatchers(proxies, tls) {
  return hasProxy(proxies) ? proxied(proxies, tls) : direct(tls);
}
async function direct(tls) {
  const { buildConnector, Client } = await loadUndici();
  const connect = buildConnector({ ...CONNECT, ...trustOptions(tls) });
  return (origin) => new Client(origin, { connect, ...KEEP_ALIVE });
}
async function proxied({ httpProxy, httpsProxy, noProxy }, tls) {
  const { buildConnector, Client, EnvHttpProxyAgent } = await loadUndiciWithProxies();
  const toService = { ...CONNECT, ...trustOptions(tls) };
  const options = {
    // For an option that is left out, undici would read the environment itself.
    httpProxy: httpProxy ?? "",
    httpsProxy: httpsProxy ?? "",
    noProxy: noProxy ?? "",
    // Plain http needs no tunnel, and many proxies allow tunnels only to port 443.
    proxyTunnel: false,
    connect: buildConnector(toService),
    // One connection each, as without a proxy; by default a pool is made.
    factory: (origin, options2) => new Client(origin, options2),
    requestTls: toService,
    proxyTls: CONNECT,
    ...KEEP_ALIVE
  };
  return () => new EnvHttpProxyAgent(options);
}
export {
  loadDispatchers
};
