/// <reference path="./undici-parts.d.ts" />
// Loads only the parts of undici that send requests, at the first request: all of undici loads
// slower than this whole package. In a bundle it may be missing, or unable to load Node's modules.
// Without a fallback, the error says what to do.

export class UndiciNotLoaded extends Error {}

/** @throws {UndiciNotLoaded} with the original error as `cause` */
export async function loadUndici() {
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
export async function loadUndiciWithProxies(): Promise<typeof import('undici')> {
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
