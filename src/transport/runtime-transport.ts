// The transport of programs: undici, or node:http where a bundle has left undici out; except in Bun. Bun puts a module of its own in the place of the package undici, and that one cannot
// send; its global fetch keeps connections alive and reads the proxies of the environment itself.
import type { Fetch, FetchInit, FetchResponse } from '../core/ports.js';
import { customFetchTransport } from './custom-fetch.js';
import { type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';
import { UndiciNotLoaded } from './load-undici.js';
import { nodeTransport } from './node-transport.js';
import { type Environment, hasProxy, proxySettings } from './proxy.js';
import { undiciTransport } from './undici-transport.js';

/** What of the running program decides. */
export interface Runtime {
  /** `process.versions`: Bun adds its own. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly env: Environment;
  readonly fetch: (
    url: string,
    init: FetchInit & { readonly tls?: { readonly ca?: unknown } },
  ) => Promise<FetchResponse>;
}

/** @throws {InvalidInputError} when a proxy in the environment has no valid address. */
export function runtimeTransport(runtime: Runtime, tls: TlsSettings): HttpTransport {
  const { bun } = runtime.versions;
  if (bun === undefined) return undiciOrNode(runtime.env, tls);
  const trust = trustOptions(tls);
  const fetch: Fetch = (url, init) => runtime.fetch(url, trust.ca === undefined ? init : { ...init, tls: trust });
  return customFetchTransport(fetch);
}

/** Only undici can send through a proxy: where the environment names one, its absence is an error. */
function undiciOrNode(env: Environment, tls: TlsSettings): HttpTransport {
  const undici = undiciTransport(env, tls);
  if (hasProxy(proxySettings(env))) return undici;
  let isLoaded = false;
  let used = undici;
  /** Throws what tells of something else. */
  const replaceUndici = (error: unknown) => {
    if (!(error instanceof UndiciNotLoaded)) throw error;
    if (used === undici) used = nodeTransport(tls);
  };
  const firstFetch: HttpTransport['fetch'] = async (url, init) => {
    try {
      const response = await undici.fetch(url, init);
      isLoaded = true;
      return response;
    } catch (error) {
      replaceUndici(error);
      return used.fetch(url, init);
    }
  };
  return {
    prepare: (url) => used.prepare?.(url)?.catch(replaceUndici) ?? null,
    open: (url) => used.open?.(url),
    fetch: (url, init) => (isLoaded || used !== undici ? used.fetch(url, init) : firstFetch(url, init)),
    close: () => used.close(),
  };
}
