// Selects and positions the names of the base map: important ones first, without overlaps.
import { type Box, isApart } from '../ground-link.js';
import type { NameStyle } from './style.js';

export interface NameCandidate {
  readonly text: string;
  readonly style: NameStyle;
  readonly rank: number;
  /** In pixels of the whole world. */
  readonly x: number;
  readonly y: number;
  readonly along: { readonly angle: number; readonly length: number } | null;
}

export interface PlacedName {
  readonly text: string;
  readonly style: NameStyle;
  readonly box: Box;
  readonly angle: number;
  /** Null without a dot. */
  readonly dot: { readonly x: number; readonly y: number } | null;
}

/** In pixels. */
const GAP = { x: 10, y: 5 };
/** Least distance between two names of a street. */
const SAME_NAME_PIXELS = 350;
const MOST_NAMES = 160;
export const LINE_HEIGHT = 15;

export function placeNames(
  candidates: readonly NameCandidate[],
  widthOf: (text: string, style: NameStyle) => number,
): readonly PlacedName[] {
  const placed: PlacedName[] = [];
  const occupied: Box[] = [];
  const order = [...candidates].sort((one, other) => one.rank - other.rank || (one.text < other.text ? -1 : 1));
  for (const name of order) {
    if (placed.length >= MOST_NAMES) break;
    const isRepeated = placed.some(
      ({ text, box }) => text === name.text && Math.hypot(box.left - name.x, box.top - name.y) < SAME_NAME_PIXELS,
    );
    if (isRepeated) continue;
    const found = placesOf(name, widthOf(name.text, name.style)).find(({ box }) =>
      occupied.every((other) => isApart(box, other)),
    );
    if (found === undefined) continue;
    const { box } = found;
    occupied.push({
      left: box.left - GAP.x,
      right: box.right + GAP.x,
      top: box.top - GAP.y,
      bottom: box.bottom + GAP.y,
    });
    placed.push(found);
  }
  return placed;
}

/** Returns possible positions, best first. */
function placesOf({ text, style, x, y, along }: NameCandidate, width: number): readonly PlacedName[] {
  if (along !== null) {
    if (width > along.length) return [];
    const [halfX, halfY] = [
      (Math.abs(Math.cos(along.angle)) * width + Math.abs(Math.sin(along.angle)) * LINE_HEIGHT) / 2,
      (Math.abs(Math.sin(along.angle)) * width + Math.abs(Math.cos(along.angle)) * LINE_HEIGHT) / 2,
    ];
    const box = { left: x - halfX, right: x + halfX, top: y - halfY, bottom: y + halfY };
    return [{ text, style, box, angle: along.angle, dot: null }];
  }
  const at = (left: number, top: number, hasDot: boolean): PlacedName => ({
    text,
    style,
    box: { left, right: left + width, top, bottom: top + LINE_HEIGHT },
    angle: 0,
    dot: hasDot ? { x, y } : null,
  });
  const half = LINE_HEIGHT / 2;
  if (style === 'country' || style === 'region' || style === 'village') return [at(x - width / 2, y - half, false)];
  return [at(x + 5, y - half, true), at(x - 5 - width, y - half, true), at(x - width / 2, y - 4 - LINE_HEIGHT, true)];
}
