// Selects the transport of programs: undici, or node:http where a bundle has left undici out. Bun
// replaces undici with a module that cannot send. There the global fetch is used, which keeps
// connections alive and reads the proxy variables itself.
import type { Fetch, FetchInit, FetchResponse } from '../core/ports.js';
import { customFetchTransport } from './custom-fetch.js';
import { type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';
import { nodeTransport } from './node-transport.js';
import { type Environment, hasProxy, proxySettings } from './proxy.js';
import { undiciTransport } from './undici-transport.js';

export interface Runtime {
  /** `process.versions`; Bun adds its own. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly env: Environment;
  readonly fetch: (
    url: string,
    init: FetchInit & { readonly tls?: { readonly ca?: unknown } },
  ) => Promise<FetchResponse>;
}

/** @throws {InvalidInputError} when a proxy in the environment has no valid address. */
export function runtimeTransport(runtime: Runtime, tls: TlsSettings): HttpTransport {
  const { versions, env } = runtime;
  if (versions.bun === undefined) {
    const byNode = () => nodeTransport(tls);
    return undiciTransport(env, tls, Date, hasProxy(proxySettings(env)) ? undefined : byNode);
  }
  const trust = trustOptions(tls);
  const fetch: Fetch = (url, init) => runtime.fetch(url, trust.ca === undefined ? init : { ...init, tls: trust });
  return customFetchTransport(fetch);
}

/**
 * Returns the transport for short-lived processes, such as the command line: node:http(s), or
 * undici when the environment names a proxy.
 * @throws {InvalidInputError} when a proxy in the environment has no valid address.
 */
export function shortLivedTransport(env: Environment): HttpTransport {
  return hasProxy(proxySettings(env)) ? undiciTransport(env) : nodeTransport();
}
