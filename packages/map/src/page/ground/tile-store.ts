// The tiles of an archive that are on the screen or were: read once, decoded, and the oldest forgotten.
import type { Header, PMTiles } from 'pmtiles';
import { type DecodedTile, decodeTile } from './decode-tile.js';
import type { Style } from './style.js';

/** More than are on a large screen. */
const MOST_TILES = 128;
/** When to ask again for a tile that could not be read. */
const RETRY_MS = 15_000;

const nothing: DecodedTile = { paths: [], names: [] };

export interface FoundTile {
  readonly tile: DecodedTile;
  /** How many zooms it is above the one that was asked for. */
  readonly above: number;
}

export class TileStore {
  readonly style: Style;
  /** Null until it has been read. */
  header: Header | null = null;
  readonly #archive: PMTiles;
  readonly #onChange: () => void;
  /** True when tiles cannot be read, false when they can again. */
  readonly #onLoss: (isLost: boolean) => void;
  #isLost = false;
  /** In the order of use; null while a tile is read. */
  readonly #tiles = new Map<string, DecodedTile | null>();

  constructor(archive: PMTiles, style: Style, onChange: () => void, onLoss: (isLost: boolean) => void) {
    this.#archive = archive;
    this.style = style;
    this.#onChange = onChange;
    this.#onLoss = onLoss;
    void this.#open();
  }

  /** The zoom of the tiles for a zoom of the screen. They are 512 pixels wide. */
  zoomFor(zoom: number): number {
    const { minZoom = 0, maxZoom = 0 } = this.header ?? {};
    return Math.max(minZoom, Math.min(maxZoom, Math.round(zoom) - 1));
  }

  /** The tile, or while it is read one of those above it. Null: nothing is known. */
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

  /** Whether there is something at a place of the projection's square. */
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
      this.#tell(true);
      setTimeout(() => void this.#open(), RETRY_MS);
    }
  }

  async #read(key: string, z: number, x: number, y: number): Promise<void> {
    this.#tiles.set(key, null);
    try {
      const response = await this.#archive.getZxy(z, x, y);
      this.#tiles.set(key, response === undefined ? nothing : decodeTile(response.data, this.style));
      this.#forget();
      this.#tell(false);
      this.#onChange();
    } catch {
      this.#tell(true);
      setTimeout(() => {
        this.#tiles.delete(key);
        this.#onChange();
      }, RETRY_MS);
    }
  }

  #tell(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.#onLoss(isLost);
  }

  #forget(): void {
    // Those that were asked for first.
    for (const [key, tile] of this.#tiles) {
      if (this.#tiles.size <= MOST_TILES) return;
      if (tile !== null) this.#tiles.delete(key);
    }
  }
}
