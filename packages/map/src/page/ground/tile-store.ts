// A least-recently-used cache of decoded tiles of an archive.
import type { Header, PMTiles } from 'pmtiles';
import { type DecodedTile, decodeTile } from './decode-tile.js';
import type { Style } from './style.js';

/** More than a large screen shows. */
const MOST_TILES = 128;
const RETRY_MS = 15_000;

const nothing: DecodedTile = { paths: [], names: [] };

export interface FoundTile {
  readonly tile: DecodedTile;
  /** Zooms above the requested tile. */
  readonly above: number;
}

export class TileStore {
  readonly style: Style;
  header: Header | null = null;
  readonly #archive: PMTiles;
  readonly #onChange: () => void;
  readonly #onLoss: (isLost: boolean) => void;
  #isLost = false;
  /** In order of use; null during a read. */
  readonly #tiles = new Map<string, DecodedTile | null>();

  constructor(archive: PMTiles, style: Style, onChange: () => void, onLoss: (isLost: boolean) => void) {
    this.#archive = archive;
    this.style = style;
    this.#onChange = onChange;
    this.#onLoss = onLoss;
    void this.#open();
  }

  /** Returns the zoom of the tiles, which are 512 pixels wide, for a zoom of the screen. */
  zoomFor(zoom: number): number {
    const { minZoom = 0, maxZoom = 0 } = this.header ?? {};
    return Math.max(minZoom, Math.min(maxZoom, Math.round(zoom) - 1));
  }

  /** Returns the tile; while it loads, an ancestor or null. */
  find(z: number, x: number, y: number): FoundTile | null {
    const key = `${z}/${x}/${y}`;
    const tile = this.#tiles.get(key);
    if (tile === undefined) void this.#read(key, z, x, y);
    else {
      this.#tiles.delete(key);
      this.#tiles.set(key, tile);
    }
    if (tile) return { tile, above: 0 };
    for (let above = 1; above <= z; above++) {
      const ancestor = this.#tiles.get(`${z - above}/${x >> above}/${y >> above}`);
      if (ancestor) return { tile: ancestor, above };
    }
    return null;
  }

  /** True when the archive has data at a point of the unit square. */
  covers(zoom: number, x: number, y: number): boolean {
    const count = 2 ** this.zoomFor(zoom);
    const column = Math.floor((x - Math.floor(x)) * count);
    const tile = this.#tiles.get(`${this.zoomFor(zoom)}/${column}/${Math.floor(y * count)}`);
    return tile !== undefined && tile !== null && tile !== nothing;
  }

  async metadata(): Promise<Readonly<Record<string, unknown>>> {
    const metadata: unknown = await this.#archive.getMetadata();
    return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
  }

  async #open(): Promise<void> {
    try {
      this.header = await this.#archive.getHeader();
      this.#onChange();
    } catch {
      this.#reportLoss(true);
      setTimeout(() => void this.#open(), RETRY_MS);
    }
  }

  async #read(key: string, z: number, x: number, y: number): Promise<void> {
    this.#tiles.set(key, null);
    try {
      const response = await this.#archive.getZxy(z, x, y);
      this.#tiles.set(key, response === undefined ? nothing : decodeTile(response.data, this.style));
      this.#evict();
      this.#reportLoss(false);
      this.#onChange();
    } catch {
      this.#reportLoss(true);
      setTimeout(() => {
        this.#tiles.delete(key);
        this.#onChange();
      }, RETRY_MS);
    }
  }

  #reportLoss(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.#onLoss(isLost);
  }

  #evict(): void {
    // Removes the least recently used tiles.
    for (const [key, tile] of this.#tiles) {
      if (this.#tiles.size <= MOST_TILES) return;
      if (tile !== null) this.#tiles.delete(key);
    }
  }
}
