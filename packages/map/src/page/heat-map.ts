// The heat map of driven roads. Its picture is cached until the view or the lines change.
import { make } from './dom.js';
import type { Line } from './lines.js';
import { passesOf } from './passes.js';
import type { PageView } from './view.js';

const CELL = 6;

/** Red, green, blue and opacity, from seldom to often. Brightness differs as well as colour. */
const ramp = [
  [59, 76, 192, 0],
  [70, 100, 205, 0.55],
  [150, 80, 170, 0.7],
  [230, 110, 60, 0.8],
  [255, 205, 70, 0.9],
] as const;

export class HeatMap {
  readonly #lines: readonly Line[];
  readonly #canvas = make('canvas');
  #key = '';
  #place = { left: 0, top: 0 };

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  draw(context: CanvasRenderingContext2D, view: PageView): void {
    const key = Object.values(view).join();
    if (key !== this.#key) this.#paint(view);
    this.#key = key;
    const { width, height } = this.#canvas;
    if (width === 0) return;
    context.imageSmoothingEnabled = true;
    context.drawImage(this.#canvas, this.#place.left, this.#place.top, width * CELL, height * CELL);
  }

  #paint(view: PageView): void {
    const { counts, columns, rows, left, top, most } = passesOf(this.#lines, view, CELL);
    this.#place = { left, top };
    this.#canvas.width = columns;
    this.#canvas.height = rows;
    const context = this.#canvas.getContext('2d');
    if (context === null || most === 0) return;
    const heat = blurred(blurred(counts, columns, rows), columns, rows);
    const image = context.createImageData(columns, rows);
    // A logarithm keeps streets visible next to motorways with many more vehicles.
    const full = Math.log1p(most * 0.7);
    heat.forEach((value, index) => {
      if (value <= 0.02) return;
      const place = Math.min(1, Math.log1p(value) / full) * (ramp.length - 1);
      const [low, high] = [ramp[Math.floor(place)] ?? ramp[0], ramp[Math.ceil(place)] ?? ramp[0]];
      for (let part = 0; part < 4; part++) {
        const [from, to] = [low[part] ?? 0, high[part] ?? 0];
        image.data[index * 4 + part] = (from + (to - from) * (place % 1)) * (part === 3 ? 255 : 1);
      }
    });
    context.putImageData(image, 0, 0);
  }
}

/** Returns the weighted mean of each cell (weight 2) and its neighbours. */
function blurred(values: Float32Array, columns: number, rows: number): Float32Array {
  const across = new Float32Array(values.length);
  const both = new Float32Array(values.length);
  const mean = (from: Float32Array, to: Float32Array, step: number) => {
    for (let i = step; i < columns * rows - step; i++)
      to[i] = ((from[i - step] ?? 0) + 2 * (from[i] ?? 0) + (from[i + step] ?? 0)) / 4;
  };
  mean(values, across, 1);
  mean(across, both, columns);
  return both;
}
