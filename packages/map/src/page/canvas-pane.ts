// A canvas over the whole map, drawn at most once per frame.
import type { Map as LeafletMap } from 'leaflet';
import { make } from './dom.js';
import type { PageView } from './view.js';

export type Draw = (context: CanvasRenderingContext2D, view: PageView) => void;

export class CanvasPane {
  readonly #map: LeafletMap;
  readonly #canvas = make('canvas', { class: 'pane', 'aria-hidden': 'true' });
  readonly #draw: Draw;
  #frame = 0;

  constructor(map: LeafletMap, draw: Draw, place: 'highest' | 'lowest' = 'highest') {
    this.#map = map;
    this.#draw = draw;
    if (place === 'highest') map.getContainer().append(this.#canvas);
    else map.getContainer().prepend(this.#canvas);
    map.on('move zoom viewreset resize load', () => this.invalidate());
  }

  invalidate(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    this.#frame = 0;
    const context = this.#canvas.getContext('2d');
    const { x: width, y: height } = this.#map.getSize();
    if (context === null || width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.#canvas.width !== columns || this.#canvas.height !== rows) {
      this.#canvas.width = columns;
      this.#canvas.height = rows;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#draw(context, viewOf(this.#map));
  }
}

export function viewOf(map: LeafletMap): PageView {
  const { min } = map.getPixelBounds();
  const { x: width, y: height } = map.getSize();
  // Undefined before the first view is set.
  return { scale: 256 * 2 ** map.getZoom(), left: min?.x ?? 0, top: min?.y ?? 0, width, height };
}
