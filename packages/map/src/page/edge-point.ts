// Computes the position of the arrow at the edge of the map.
import type { PageView } from './view.js';

export interface EdgePoint {
  readonly x: number;
  readonly y: number;
  /** Degrees clockwise from up. */
  readonly angle: number;
}

const INSET = 30;
/** Half of the arrow and a margin. */
const ROOM = 34;

export interface ButtonCorner {
  readonly width: number;
  readonly height: number;
}

/** Returns null when the point is on the screen. */
export function edgePoint(
  { width, height }: Pick<PageView, 'width' | 'height'>,
  x: number,
  y: number,
  buttons: ButtonCorner,
): EdgePoint | null {
  if (x >= 0 && y >= 0 && x <= width && y <= height) return null;
  const [middleX, middleY] = [width / 2, height / 2];
  const [dx, dy] = [x - middleX, y - middleY];
  const room = (half: number, distance: number) => Math.max(1, half - INSET) / Math.max(Math.abs(distance), 1e-9);
  const part = Math.min(room(middleX, dx), room(middleY, dy));
  const angle = ((Math.atan2(dx, -dy) * 180) / Math.PI + 360) % 360;
  const [left, top] = [middleX + dx * part, middleY + dy * part];
  const corner = { width: buttons.width + ROOM, height: buttons.height + ROOM };
  if (left <= width - corner.width || top >= corner.height) return { x: left, y: top, angle };
  // Moves the arrow next to a column of buttons, or below a row of them.
  const isRow = buttons.width > buttons.height;
  return isRow
    ? { x: left, y: Math.min(corner.height, Math.max(INSET, height - INSET)), angle }
    : { x: Math.max(INSET, width - corner.width), y: top, angle };
}
