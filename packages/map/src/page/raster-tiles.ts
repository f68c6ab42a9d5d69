// The images of `--tiles`. After several failures, the layer is removed and retried later.
import { type Map as LeafletMap, TileLayer } from 'leaflet';
import type { MapTiles } from '../shapes.js';

/** A single missing tile is not a failure of the host. */
const MOST_FAILURES = 4;
const RETRY_MS = 60_000;

export class RasterTiles {
  readonly #map: LeafletMap;
  readonly #layer: TileLayer;
  readonly #onHostChange: (lostHost: string | null) => void;
  readonly #host: string;
  #failures = 0;

  /** Calls back with the host that fails, and with null when tiles load. */
  constructor(map: LeafletMap, { template }: MapTiles, onHostChange: (lostHost: string | null) => void) {
    this.#map = map;
    this.#onHostChange = onHostChange;
    this.#host = /^https?:\/\/(?:\{s\}\.?)?([^/]*)/.exec(template)?.[1] ?? '';
    this.#layer = new TileLayer(template, { maxZoom: 19, referrerPolicy: 'no-referrer' });
    this.#layer.on('tileload', () => {
      this.#failures = 0;
      onHostChange(null);
    });
    this.#layer.on('tileerror', () => this.#fail());
    this.#layer.addTo(map);
  }

  #fail(): void {
    this.#failures++;
    if (this.#failures !== MOST_FAILURES) return;
    this.#layer.remove();
    this.#onHostChange(this.#host);
    setTimeout(() => {
      this.#failures = 0;
      this.#layer.addTo(this.#map);
    }, RETRY_MS);
  }
}
