// The transport of programs: undici, except in Bun. Bun puts a module of its own in the place of the package undici, and that one cannot
// send; its global fetch keeps connections alive and reads the proxies of the environment itself.
import type { Fetch, FetchInit, FetchResponse } from '../core/ports.js';
import { customFetchTransport } from './custom-fetch.js';
import { type HttpTransport, type TlsSettings, trustOptions } from './http-transport.js';
import type { Environment } from './proxy.js';
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
  if (bun === undefined) return undiciTransport(runtime.env, tls);
  const trust = trustOptions(tls);
  const fetch: Fetch = (url, init) => runtime.fetch(url, trust.ca === undefined ? init : { ...init, tls: trust });
  return customFetchTransport(fetch);
}
