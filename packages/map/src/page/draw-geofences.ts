// Draws the outlines of geofences, and their names where there is room.
import type { Fence, ScreenPath } from './fence.js';
import { type Box, isApart } from './ground-link.js';
import type { Palette } from './theme.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';

/** Narrower geofences get no name. */
const LEAST_NAMED_PIXELS = 12;
/** More names would be unreadable, and placing them takes long. */
const MOST_NAMES = 80;

export function drawGeofences(
  context: CanvasRenderingContext2D,
  view: PageView,
  fences: readonly Fence[],
  chosen: Fence | null,
  { fence }: Palette,
): void {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const each of fences) {
    if (onScreen(view, each) === null) continue;
    const { color, rings, buffers, box } = each;
    const shift = shiftOf(view, box.west);
    const look = each === chosen ? { alpha: 0.3, line: 3 } : { alpha: 0.1, line: 1.5 };
    context.beginPath();
    for (const ring of rings) trace(context, view, ring, shift, true);
    context.fillStyle = color ?? fence;
    context.strokeStyle = color ?? fence;
    context.globalAlpha = look.alpha;
    context.fill('evenodd');
    context.globalAlpha = 0.9;
    context.lineWidth = look.line;
    context.stroke();
    for (const { path, width } of buffers) drawBuffer(context, view, path, width * view.scale, shift, look);
    context.globalAlpha = 1;
  }
}

/** Draws names without overlaps, large geofences first, the chosen one always. Returns boxes. */
export function drawGeofenceNames(
  context: CanvasRenderingContext2D,
  view: PageView,
  fences: readonly Fence[],
  chosen: Fence | null,
  occupied: readonly Box[],
  { fence, ground }: Palette,
): readonly Box[] {
  const names: Box[] = [];
  const isFree = (box: Box) =>
    names.every((other) => isApart(box, other)) && occupied.every((other) => isApart(box, other));
  for (const each of chosen === null ? [...fences].reverse() : [chosen, ...[...fences].reverse()]) {
    const { name } = each;
    const at = onScreen(view, each);
    if (!name || at === null || names.length >= MOST_NAMES) continue;
    if (each === chosen ? names.length > 0 : at.east - at.west < LEAST_NAMED_PIXELS) continue;
    const x = (at.west + at.east) / 2;
    // Above the geofence, or below.
    const bottoms = [at.north - 5, at.south + 20];
    const bottom = bottoms.find((one) => isFree(nameBox(name, x, one))) ?? (each === chosen ? at.north - 5 : null);
    if (bottom === null) continue;
    names.push(nameBox(name, x, bottom));
    drawName(context, name, x, bottom, fence, ground);
  }
  return names;
}

function onScreen(view: PageView, { box }: Fence): Fence['box'] | null {
  const shift = shiftOf(view, box.west);
  const [west, east] = [screenX(view, box.west + shift), screenX(view, box.east + shift)];
  const [north, south] = [screenY(view, box.north), screenY(view, box.south)];
  if (east < 0 || south < 0 || west > view.width || north > view.height) return null;
  return { west, east, north, south };
}

interface Look {
  readonly alpha: number;
  readonly line: number;
}

function drawBuffer(
  context: CanvasRenderingContext2D,
  view: PageView,
  path: ScreenPath,
  width: number,
  shift: number,
  { alpha, line }: Look,
): void {
  const [only] = path;
  if (path.length === 1 && only !== undefined) {
    context.beginPath();
    context.arc(screenX(view, only[0] + shift), screenY(view, only[1]), width / 2, 0, 2 * Math.PI);
    context.globalAlpha = alpha;
    context.fill();
    context.globalAlpha = 0.9;
    context.lineWidth = line;
    context.stroke();
    return;
  }
  context.beginPath();
  trace(context, view, path, shift, false);
  context.globalAlpha = alpha + 0.1;
  context.lineWidth = Math.max(2, width);
  context.stroke();
}

function trace(
  context: CanvasRenderingContext2D,
  view: PageView,
  path: ScreenPath,
  shift: number,
  closes: boolean,
): void {
  path.forEach(([x, y], index) => {
    const [sx, sy] = [screenX(view, x + shift), screenY(view, y)];
    if (index === 0) context.moveTo(sx, sy);
    else context.lineTo(sx, sy);
  });
  if (closes) context.closePath();
}

/** Estimates the box of `drawName`, because measuring text is slower. */
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
