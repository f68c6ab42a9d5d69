// Decodes a tile into names, and paths that a canvas can draw at any size.
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { NameRule, Rule, Style, TileName } from './style.js';

export interface DecodedTile {
  /** One path per style rule, in {@link UNITS} per tile; null for none. */
  readonly paths: readonly (Path2D | null)[];
  readonly names: readonly TileName[];
}

/** A canvas draws lines reliably only in integers of some size. */
export const UNITS = 4_096;

export function decodeTile(bytes: ArrayBuffer, style: Style): DecodedTile {
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(bytes)));
  const paths = style.rules.map((rule) => pathOf(layers[rule.layer], rule));
  const names = style.names.flatMap((rule) => namesOf(layers[rule.layer], rule));
  return { paths, names };
}

type Layer = VectorTile['layers'][string] | undefined;

function* featuresOf(layer: Layer): Generator<VectorTileFeature> {
  for (let i = 0; i < (layer?.length ?? 0); i++) if (layer !== undefined) yield layer.feature(i);
}

function pathOf(layer: Layer, { width, accepts }: Rule): Path2D | null {
  let path: Path2D | null = null;
  const type = width === null ? 3 : 2;
  for (const feature of featuresOf(layer)) {
    if (feature.type !== type || accepts?.(feature.properties) === false) continue;
    path ??= new Path2D();
    const factor = UNITS / feature.extent;
    for (const line of feature.loadGeometry()) {
      for (const [index, { x, y }] of line.entries()) {
        if (index === 0) path.moveTo(x * factor, y * factor);
        else path.lineTo(x * factor, y * factor);
      }
      if (type === 3) path.closePath();
    }
  }
  return path;
}

function namesOf(layer: Layer, rule: NameRule): readonly TileName[] {
  const names: TileName[] = [];
  for (const feature of featuresOf(layer)) {
    const { properties, id, type, extent } = feature;
    if (type === 1) {
      const [point] = feature.loadGeometry().flat();
      // Points in the margin also belong to the next tile.
      if (point === undefined || Math.min(point.x, point.y) < 0 || Math.max(point.x, point.y) >= extent) continue;
      names.push({ rule, properties, id, x: point.x / extent, y: point.y / extent, along: null });
    } else if (type === 2 && typeof properties.name === 'string') {
      const found = longest(feature);
      if (found !== null) names.push({ rule, properties, id, ...found });
    }
  }
  return names;
}

/** Returns the longest straight segment inside the tile. */
function longest(feature: VectorTileFeature): Pick<TileName, 'x' | 'y' | 'along'> | null {
  const { extent } = feature;
  let best: Pick<TileName, 'x' | 'y' | 'along'> | null = null;
  let most = extent / 16;
  for (const line of feature.loadGeometry()) {
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1], line[i]];
      if (from === undefined || to === undefined) continue;
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
      if (length <= most || Math.min(x, y) < 0 || Math.max(x, y) >= extent) continue;
      most = length;
      const turn = Math.atan2(to.y - from.y, to.x - from.x);
      // Keeps the text upright.
      const angle = turn > Math.PI / 2 ? turn - Math.PI : turn <= -Math.PI / 2 ? turn + Math.PI : turn;
      best = { x: x / extent, y: y / extent, along: { angle, length: length / extent } };
    }
  }
  return best;
}
