// Projects geofences into the Mercator unit square.
import type { MapGeofence, MapPoint } from '../shapes.js';
import { metresAt, xOf, yOf } from './mercator.js';

export type ScreenPath = readonly (readonly [x: number, y: number])[];

/** A geofence with its outlines in the Mercator unit square. */
export interface Fence {
  readonly name: string | null;
  /** Null for the default colour of the page. */
  readonly color: string | null;
  readonly geofence: MapGeofence;
  readonly rings: readonly ScreenPath[];
  /** `width`: the diameter in the unit square. */
  readonly buffers: readonly { readonly path: ScreenPath; readonly width: number }[];
  readonly box: { readonly west: number; readonly east: number; readonly north: number; readonly south: number };
}

export function fenceOf(geofence: MapGeofence): Fence {
  const { name, color, polygons, buffers } = geofence;
  const project = (points: readonly MapPoint[]): ScreenPath =>
    points.map(([longitude, latitude]) => [xOf(longitude), yOf(latitude)]);
  const rings = polygons.flat().map(project);
  const wide = buffers.map(({ path, radiusMetres }) => {
    const projected = project(path);
    return { path: projected, width: (2 * radiusMetres) / metresAt(projected[0]?.[1] ?? 0.5) };
  });
  const all = [
    ...rings.flat(),
    ...wide.flatMap(({ path, width }) => path.flatMap(([x, y]) => around(x, y, width / 2))),
  ];
  return {
    name,
    color: color !== null && /^#[\da-f]{3}([\da-f]{3})?$/i.test(color) ? color : null,
    geofence,
    rings,
    buffers: wide,
    box: boxOf(all),
  };
}

export function cornersOf({ box: { west, east, north, south } }: Fence): readonly { x: number; y: number }[] {
  return [
    { x: west, y: north },
    { x: east, y: south },
  ];
}

function boxOf(path: ScreenPath): Fence['box'] {
  let [west, east, north, south] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  // A loop, because a border has too many points for the arguments of a call.
  for (const [x, y] of path) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [north, south] = [Math.min(north, y), Math.max(south, y)];
  }
  return { west, east, north, south };
}

const around = (x: number, y: number, radius: number): ScreenPath => [
  [x - radius, y - radius],
  [x + radius, y + radius],
];
