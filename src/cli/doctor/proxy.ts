// Finds the proxy that the environment sets for an address. Its URL may contain a password, so only host and port are printed.
import { proxySettings } from '../../transport/proxy.js';
import type { Io } from '../io/io.js';
import { type CheckFinding, ok } from './check.js';

export interface Proxy {
  readonly host: string;
  readonly port: number;
}

/** @throws {InvalidInputError} when a variable is not a valid address */
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

/** Reads NO_PROXY as undici does, which sends the requests. */
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
