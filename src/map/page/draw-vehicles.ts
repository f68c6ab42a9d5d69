// Draws thousands of vehicles: small pictures, made once for each status and direction, and names where there is room. The form says the
// status as the colour does.
import { drawName } from './draw-geofences.js';
import { type Fleet, type Marker, progress } from './fleet.js';
import { nameOf, type Status } from './list-order.js';
import type { Palette } from './theme.js';
import { screenX, screenY, shiftOf, type View } from './view.js';

/** Pictures for this many directions. */
const DIRECTIONS = 48;
/** With more vehicles on the screen they are drawn smaller, and without names. */
const SMALL_FROM = 600;
const MOST_NAMES = 60;
/** How near a click must be, in pixels. */
const REACH = 16;

export interface Shown {
  readonly marker: Marker;
  readonly x: number;
  readonly y: number;
}

export class VehiclePainter {
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  #palette: Palette | null = null;
  #shown: readonly Shown[] = [];

  draw(
    context: CanvasRenderingContext2D,
    view: View,
    fleet: Fleet,
    { palette, selectedId, isListed, now }: DrawOptions,
  ): void {
    if (this.#palette !== palette) this.#pictures.clear();
    this.#palette = palette;
    const shown: Shown[] = [];
    for (const marker of fleet.markers.values()) {
      if (Number.isNaN(marker.x) || !isListed(marker.vehicle.id)) continue;
      const part = progress(marker, now);
      const worldX = marker.fromX + (marker.x - marker.fromX) * part;
      const x = screenX(view, worldX + shiftOf(view, worldX));
      const y = screenY(view, marker.fromY + (marker.y - marker.fromY) * part);
      if (x > -20 && y > -20 && x < view.width + 20 && y < view.height + 20) shown.push({ marker, x, y });
    }
    const size = shown.length > SMALL_FROM ? 14 : 22;
    const ratio = window.devicePixelRatio || 1;
    let selected: Shown | null = null;
    for (const one of shown) {
      if (one.marker.vehicle.id === selectedId) selected = one;
      this.#drawOne(context, one, size, ratio, palette);
    }
    if (selected !== null) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 3;
      context.beginPath();
      context.arc(selected.x, selected.y, 17, 0, 2 * Math.PI);
      context.stroke();
      this.#drawOne(context, selected, 24, ratio, palette);
    }
    this.#shown = shown;
    drawNames(context, shown, selected, palette);
  }

  /** The vehicle at a place of the screen. */
  at(x: number, y: number): Marker | null {
    let nearest: Marker | null = null;
    let least = REACH;
    for (const one of this.#shown) {
      const distance = Math.hypot(one.x - x, one.y - y);
      if (distance < least) [nearest, least] = [one.marker, distance];
    }
    return nearest;
  }

  #drawOne(
    context: CanvasRenderingContext2D,
    { marker, x, y }: Shown,
    size: number,
    ratio: number,
    palette: Palette,
  ): void {
    const { status, heading } = marker.vehicle;
    const hasDirection = status === 'moving' && heading !== null;
    const direction = hasDirection ? Math.round((heading / 360) * DIRECTIONS) % DIRECTIONS : -1;
    const key = `${status} ${direction} ${size} ${ratio}`;
    let picture = this.#pictures.get(key);
    if (picture === undefined) {
      picture = pictureOf(status, direction < 0 ? null : (direction / DIRECTIONS) * 2 * Math.PI, size, ratio, palette);
      this.#pictures.set(key, picture);
    }
    // Whole pixels are drawn fastest, and are not blurred.
    const corner = (value: number) => Math.round((value - size / 2) * ratio) / ratio;
    context.drawImage(picture, corner(x), corner(y), size, size);
  }
}

export interface DrawOptions {
  readonly palette: Palette;
  readonly selectedId: string | null;
  readonly isListed: (vehicleId: string) => boolean;
  /** By the clock of the page. */
  readonly now: number;
}

/** `turn` in radians; null without a direction. */
function pictureOf(
  status: Status,
  turn: number | null,
  size: number,
  ratio: number,
  palette: Palette,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(size * ratio);
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.scale(canvas.width / 24, canvas.width / 24);
  context.translate(12, 12);
  context.fillStyle = palette.statuses[status];
  context.strokeStyle = palette.ground;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.beginPath();
  if (status === 'moving' && turn !== null) {
    context.rotate(turn);
    context.moveTo(0, -10);
    context.lineTo(7.5, 9);
    context.lineTo(0, 5);
    context.lineTo(-7.5, 9);
    context.closePath();
  } else if (status === 'stopped') context.roundRect(-6, -6, 12, 12, 3);
  else context.arc(0, 0, 7, 0, 2 * Math.PI);
  const isHollow = status === 'stale' || status === 'offline' || status === 'unknown';
  if (isHollow) {
    context.fillStyle = palette.ground;
    context.fill();
    context.strokeStyle = palette.statuses[status];
    context.lineWidth = 2.5;
    context.stroke();
    if (status === 'offline') cross(context);
  } else {
    context.stroke();
    context.fill();
    if (status === 'idling') dot(context, palette.ground);
  }
  return canvas;
}

function cross(context: CanvasRenderingContext2D): void {
  context.beginPath();
  context.moveTo(-3, -3);
  context.lineTo(3, 3);
  context.moveTo(3, -3);
  context.lineTo(-3, 3);
  context.stroke();
}

function dot(context: CanvasRenderingContext2D, color: string): void {
  context.fillStyle = color;
  context.beginPath();
  context.arc(0, 0, 2.5, 0, 2 * Math.PI);
  context.fill();
}

/** No name covers another one. */
function drawNames(
  context: CanvasRenderingContext2D,
  shown: readonly Shown[],
  selected: Shown | null,
  palette: Palette,
): void {
  const named = shown.length > MOST_NAMES ? [] : shown.filter((one) => one !== selected);
  const taken: (readonly [x: number, y: number, half: number])[] = [];
  for (const { marker, x, y } of selected === null ? named : [selected, ...named]) {
    const name = nameOf(marker.vehicle);
    const half = Math.min(name.length, 40) * 3.5 + 2;
    if (taken.some(([otherX, otherY, other]) => Math.abs(otherX - x) < half + other && Math.abs(otherY - y) < 15))
      continue;
    taken.push([x, y, half]);
    drawName(context, name, x, y - 15, palette.text, palette.ground);
  }
}
