// Finds the proxy of an address. Prints only host and port, because the URL may contain a password.
import { proxySettings } from '../../transport/proxy.js';
import type { Io } from '../io/io.js';
import { type CheckFinding, ok } from './check.js';

export interface Proxy {
  readonly host: string;
  readonly port: number;
}

/** Returns the proxy, else null. Throws InvalidInputError for an invalid variable. */
export function proxyFor(env: Io['env'], url: URL): Proxy | null {
  const { httpProxy, httpsProxy, noProxy = '' } = proxySettings(env);
  const address = url.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy;
  if (address === undefined || isExempt(url, noProxy)) return null;
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export function checkProxy(env: Io['env'], url: URL): CheckFinding {
  const proxy = proxyFor(env, url);
  if (proxy) return ok(`requests go through ${proxy.host}:${proxy.port}, from HTTP_PROXY or HTTPS_PROXY`);
  const { httpProxy, httpsProxy } = proxySettings(env);
  return ok((httpProxy ?? httpsProxy) ? 'the environment sets one, but not for this address' : 'none');
}

/** True for a host in NO_PROXY, which is read as by undici, the sender of the requests. */
function isExempt(url: URL, noProxy: string): boolean {
  if (noProxy === '*') return true;
  const host = url.hostname.toLowerCase();
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return noProxy
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const domain = name.replace(/^\*?\./, '').toLowerCase();
      return (only === undefined || Number(only) === port) && (host === domain || host.endsWith(`.${domain}`));
    });
}
