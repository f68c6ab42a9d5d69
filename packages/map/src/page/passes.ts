// Counts passes of vehicles per cell of the screen. Standing does not count, because parking lots
// would dominate.
import type { Line } from './lines.js';
import { type PageView, shiftOf } from './view.js';

export interface Passes {
  readonly counts: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** Cells keep their geographic position when the map pans. */
  readonly left: number;
  readonly top: number;
  readonly most: number;
}

/** Returns the passes per cell of the screen. `cell`: the width of a cell in pixels. */
export function passesOf(lines: readonly Line[], view: PageView, cell: number): Passes {
  const { scale } = view;
  const [firstColumn, firstRow] = [Math.floor(view.left / cell) - 1, Math.floor(view.top / cell) - 1];
  const [columns, rows] = [Math.ceil(view.width / cell) + 3, Math.ceil(view.height / cell) + 3];
  const counts = new Float32Array(columns * rows);
  for (const line of lines) {
    const shift = shiftOf(view, line[0] ?? 0);
    let last = -1;
    let [fromX, fromY] = [Number.NaN, Number.NaN];
    for (let i = 0; i + 1 < line.length; i += 2) {
      const x = (((line[i] ?? 0) + shift) * scale) / cell - firstColumn;
      const y = ((line[i + 1] ?? 0) * scale) / cell - firstRow;
      const isAway =
        (x < 0 && !(fromX >= 0)) ||
        (y < 0 && !(fromY >= 0)) ||
        (x >= columns && !(fromX < columns)) ||
        (y >= rows && !(fromY < rows));
      const distance = Number.isNaN(fromX) || isAway ? 0 : Math.max(Math.abs(x - fromX), Math.abs(y - fromY));
      // Counts each cell between two positions, with a limit for long jumps.
      const steps = Math.max(1, Math.min(Math.ceil(distance), columns + rows));
      for (let step = 1; step <= steps; step++) {
        const part = distance === 0 ? 1 : step / steps;
        const column = Math.floor(distance === 0 ? x : fromX + (x - fromX) * part);
        const row = Math.floor(distance === 0 ? y : fromY + (y - fromY) * part);
        const isInside = column >= 0 && row >= 0 && column < columns && row < rows;
        const index = isInside ? row * columns + column : -1;
        if (index >= 0 && index !== last) counts[index] = (counts[index] ?? 0) + 1;
        last = index;
      }
      [fromX, fromY] = [x, y];
    }
  }
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return { counts, columns, rows, left: firstColumn * cell - view.left, top: firstRow * cell - view.top, most };
}
