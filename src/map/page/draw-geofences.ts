// Draws the outlines of geofences, with their names where there is room.
import type { MapGeofence, MapPoint } from '../shapes.js';
import { metresAt, xOf, yOf } from './mercator.js';
import type { Palette } from './theme.js';
import { screenX, screenY, shiftOf, type View } from './view.js';

type Path = readonly (readonly [x: number, y: number])[];

/** A geofence in the square of the projection. */
export interface Fence {
  readonly name: string | null;
  readonly rings: readonly Path[];
  /** `width` in the square: the diameter. */
  readonly buffers: readonly { readonly path: Path; readonly width: number }[];
  readonly box: { readonly west: number; readonly east: number; readonly north: number; readonly south: number };
}

export function fenceOf({ name, polygons, buffers }: MapGeofence): Fence {
  const project = (points: readonly MapPoint[]): Path =>
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
  return { name, rings, buffers: wide, box: boxOf(all) };
}

function boxOf(path: Path): Fence['box'] {
  let [west, east, north, south] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  // A border may have more corners than a call can have arguments.
  for (const [x, y] of path) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [north, south] = [Math.min(north, y), Math.max(south, y)];
  }
  return { west, east, north, south };
}

const around = (x: number, y: number, radius: number): Path => [
  [x - radius, y - radius],
  [x + radius, y + radius],
];

/** Narrower ones have no name. */
const leastNamedPixels = 60;

export function drawGeofences(
  context: CanvasRenderingContext2D,
  view: View,
  fences: readonly Fence[],
  { fence, ground }: Palette,
): void {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const { name, rings, buffers, box } of fences) {
    const shift = shiftOf(view, box.west);
    const [west, east] = [screenX(view, box.west + shift), screenX(view, box.east + shift)];
    const [north, south] = [screenY(view, box.north), screenY(view, box.south)];
    if (east < 0 || south < 0 || west > view.width || north > view.height) continue;
    context.beginPath();
    for (const ring of rings) trace(context, view, ring, shift, true);
    context.fillStyle = fence;
    context.strokeStyle = fence;
    context.globalAlpha = 0.1;
    context.fill('evenodd');
    context.globalAlpha = 0.9;
    context.lineWidth = 1.5;
    context.stroke();
    for (const { path, width } of buffers) drawBuffer(context, view, path, width * view.scale, shift);
    context.globalAlpha = 1;
    if (name && east - west >= leastNamedPixels) drawName(context, name, (west + east) / 2, north - 5, fence, ground);
  }
}

function drawBuffer(context: CanvasRenderingContext2D, view: View, path: Path, width: number, shift: number): void {
  const [only] = path;
  if (path.length === 1 && only !== undefined) {
    context.beginPath();
    context.arc(screenX(view, only[0] + shift), screenY(view, only[1]), width / 2, 0, 2 * Math.PI);
    context.globalAlpha = 0.1;
    context.fill();
    context.globalAlpha = 0.9;
    context.lineWidth = 1.5;
    context.stroke();
    return;
  }
  context.beginPath();
  trace(context, view, path, shift, false);
  context.globalAlpha = 0.2;
  context.lineWidth = Math.max(2, width);
  context.stroke();
}

function trace(context: CanvasRenderingContext2D, view: View, path: Path, shift: number, closes: boolean): void {
  path.forEach(([x, y], index) => {
    const [sx, sy] = [screenX(view, x + shift), screenY(view, y)];
    if (index === 0) context.moveTo(sx, sy);
    else context.lineTo(sx, sy);
  });
  if (closes) context.closePath();
}

export function drawName(
  context: CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  color: string,
  halo: string,
): void {
  const text = name.length > 40 ? `${name.slice(0, 39)}…` : name;
  context.font = '12px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  context.lineWidth = 3;
  context.strokeStyle = halo;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
  context.textAlign = 'left';
}
