// Draws the visible tiles of an archive and collects their names.
import type { PageView } from '../view.js';
import { UNITS } from './decode-tile.js';
import type { TileName } from './style.js';
import type { FoundTile, TileStore } from './tile-store.js';

/** Position in pixels of the whole world. */
export interface FoundName {
  readonly name: TileName;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

interface ShownTile extends FoundTile {
  /** Position on the canvas when not enlarged. */
  readonly left: number;
  readonly top: number;
  readonly x: number;
  readonly y: number;
}

/** Returns the names of the tiles. */
export function drawTiles(
  context: CanvasRenderingContext2D,
  view: PageView,
  store: TileStore,
  color: (name: string) => string,
): readonly FoundName[] {
  if (store.header === null) return [];
  const zoom = Math.log2(view.scale / 256);
  const z = store.zoomFor(zoom);
  const size = view.scale / 2 ** z;
  const tiles = tilesOf(view, store, z, size);
  for (const [index, rule] of store.style.rules.entries()) {
    if (zoom < (rule.minZoom ?? 0)) continue;
    const paint = color(rule.color);
    for (const tile of tiles) {
      const path = tile.tile.paths[index];
      if (!path) continue;
      const { left, top, above, x, y } = tile;
      const enlarged = 2 ** above;
      const scale = (size * enlarged) / UNITS;
      context.save();
      if (above > 0) {
        context.beginPath();
        context.rect(left, top, size, size);
        context.clip();
      }
      context.translate(left - (x % enlarged) * size, top - (y % enlarged) * size);
      context.scale(scale, scale);
      if (rule.width === null) {
        context.fillStyle = paint;
        context.fill(path);
      } else {
        context.strokeStyle = paint;
        context.lineWidth = rule.width(zoom) / scale;
        context.lineJoin = 'round';
        context.lineCap = rule.dash === undefined ? 'round' : 'butt';
        context.setLineDash((rule.dash ?? []).map((part) => part / scale));
        context.stroke(path);
      }
      context.restore();
    }
  }
  return namesOf(view, tiles, size);
}

function tilesOf(view: PageView, store: TileStore, z: number, size: number): readonly ShownTile[] {
  const count = 2 ** z;
  const tiles: ShownTile[] = [];
  const [north, south] = [
    Math.max(0, Math.floor(view.top / size)),
    Math.min(count - 1, Math.floor((view.top + view.height) / size)),
  ];
  for (let column = Math.floor(view.left / size); column * size < view.left + view.width; column++) {
    // The square wraps around at the 180th meridian.
    const x = ((column % count) + count) % count;
    for (let y = north; y <= south; y++) {
      const found = store.find(z, x, y);
      if (found !== null) tiles.push({ ...found, left: column * size - view.left, top: y * size - view.top, x, y });
    }
  }
  return tiles;
}

/** Skips enlarged tiles, which only replace tiles that are still loading. */
function namesOf(view: PageView, tiles: readonly ShownTile[], size: number): readonly FoundName[] {
  return tiles
    .filter(({ above }) => above === 0)
    .flatMap(({ tile, left, top }) =>
      tile.names.map((name) => ({
        name,
        x: left + view.left + name.x * size,
        y: top + view.top + name.y * size,
        size,
      })),
    );
}
