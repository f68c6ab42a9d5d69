// Which proxy of the environment carries requests to an address, if any. Its value may hold a password: only host and port are told.
import { proxySettings } from '../../transport/proxy.js';
import type { Io } from '../run/io.js';
import { type Finding, fine } from './check.js';

export interface Proxy {
  readonly host: string;
  readonly port: number;
}

/** @throws {InvalidInputError} for a variable whose value is no address. */
export function proxyFor(env: Io['env'], url: URL): Proxy | null {
  const { httpProxy, httpsProxy, noProxy = '' } = proxySettings(env);
  const address = url.protocol === 'https:' ? (httpsProxy ?? httpProxy) : httpProxy;
  if (address === undefined || isExempt(url, noProxy)) return null;
  const { hostname, port, protocol } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export function lookAtProxy(env: Io['env'], url: URL): Finding {
  const proxy = proxyFor(env, url);
  if (proxy) return fine(`requests go through ${proxy.host}:${proxy.port}, as HTTP_PROXY and HTTPS_PROXY say`);
  const { httpProxy, httpsProxy } = proxySettings(env);
  return fine((httpProxy ?? httpsProxy) ? 'the environment names one, and it is not for this address' : 'none');
}

/** NO_PROXY as undici, which carries the requests, reads it. */
function isExempt(url: URL, noProxy: string): boolean {
  if (noProxy === '*') return true;
  const host = url.hostname.toLowerCase();
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return noProxy
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const wanted = name.replace(/^\*?\./, '').toLowerCase();
      return (only === undefined || Number(only) === port) && (host === wanted || host.endsWith(`.${wanted}`));
    });
}
