// Loads undici, which sends the requests of programs. It is loaded with the first request, because it takes longer to load than all of
// this package. In a program's own bundle it may be missing, or unable to load Node's modules: where nothing else will do, the error says what to
// do then.

export type Undici = typeof import('undici');

export class UndiciNotLoaded extends Error {}

/** @throws {UndiciNotLoaded} with the original error as `cause`. */
export async function loadUndici(load: () => Promise<Undici> = () => import('undici')): Promise<Undici> {
  try {
    return await load();
  } catch (cause) {
    throw new UndiciNotLoaded(
      'undici, which sends the requests through the proxy, could not be loaded. If this program is a bundle, mark undici as external and install it ' +
        'beside the bundle, or give the bundle a require() (docs/versioning.md, "bundlers"), or pass `fetch: globalThis.fetch`.',
      { cause },
    );
  }
}
