// The archives of the page: on the server, embedded in a file, or at an address.
import { FetchSource, PMTiles, type RangeResponse, type Source } from 'pmtiles';
import { bytesOfBase64 } from '../bytes.js';
import type { GroundHost } from '../ground-link.js';

/** Loads the small world archive at once: a busy server answers one request sooner than many. */
export function worldArchive({ kind }: GroundHost['setup']): PMTiles {
  return new PMTiles(new BytesSource('world', kind === 'live' ? loaded('world.pmtiles') : embedded('world')));
}

export function streetsArchive({ kind, streets }: GroundHost['setup']): PMTiles | null {
  if (streets === null) return null;
  if (streets.url !== null) return new PMTiles(new FetchSource(streets.url));
  return new PMTiles(
    kind === 'live' ? new FetchSource('streets.pmtiles') : new BytesSource('streets', embedded('streets')),
  );
}

class BytesSource implements Source {
  readonly #name: string;
  readonly #bytes: Promise<ArrayBuffer>;

  constructor(name: string, bytes: Promise<ArrayBuffer>) {
    this.#name = name;
    this.#bytes = bytes;
  }

  getKey(): string {
    return this.#name;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    return { data: (await this.#bytes).slice(offset, offset + length) };
  }
}

async function loaded(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}

async function embedded(id: string): Promise<ArrayBuffer> {
  return bytesOfBase64(document.getElementById(id)?.textContent ?? '').buffer;
}
