// Draws the outlines of geofences, with their names where there is room.
import type { Fence, Path } from './fence.js';
import type { Box } from './ground-link.js';
import type { Palette } from './theme.js';
import { screenX, screenY, shiftOf, type View } from './view.js';

/** Narrower ones have no name. */
const LEAST_NAMED_PIXELS = 60;

/** Returns where names stand. */
export function drawGeofences(
  context: CanvasRenderingContext2D,
  view: View,
  fences: readonly Fence[],
  { fence, ground }: Palette,
): readonly Box[] {
  const names: Box[] = [];
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const { name, color, rings, buffers, box } of fences) {
    const shift = shiftOf(view, box.west);
    const [west, east] = [screenX(view, box.west + shift), screenX(view, box.east + shift)];
    const [north, south] = [screenY(view, box.north), screenY(view, box.south)];
    if (east < 0 || south < 0 || west > view.width || north > view.height) continue;
    context.beginPath();
    for (const ring of rings) trace(context, view, ring, shift, true);
    context.fillStyle = color ?? fence;
    context.strokeStyle = color ?? fence;
    context.globalAlpha = 0.1;
    context.fill('evenodd');
    context.globalAlpha = 0.9;
    context.lineWidth = 1.5;
    context.stroke();
    for (const { path, width } of buffers) drawBuffer(context, view, path, width * view.scale, shift);
    context.globalAlpha = 1;
    if (!name || east - west < LEAST_NAMED_PIXELS) continue;
    drawName(context, name, (west + east) / 2, north - 5, fence, ground);
    names.push(nameBox(name, (west + east) / 2, north - 5));
  }
  return names;
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

/** About where `drawName` draws: measuring text takes longer. */
export function nameBox(name: string, x: number, y: number): Box {
  const half = Math.min(name.length, 40) * 3.5 + 2;
  return { left: x - half, right: x + half, top: y - 15, bottom: y };
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
