// Draws the track of a day: coloured by speed, with stops and driver behaviour events.
import type { MapEvent, MapStop } from '../shapes.js';
import { isOutside } from './draw-ground.js';
import { isUnknownEvent } from './format.js';
import { xOf, yOf } from './mercator.js';
import { speedClass, speedClasses } from './speeds.js';
import type { Palette } from './theme.js';
import { indexAt, type Track, visiblePositions } from './track.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';

export interface ShownDay {
  readonly track: Track;
  readonly from: number;
  readonly to: number;
  readonly stops: readonly MapStop[];
  readonly events: readonly MapEvent[];
  readonly chosen: { readonly from: number; readonly to: number } | null;
}

export class TrackPainter {
  readonly day: ShownDay;
  /** `dashed`: a second vehicle, distinguishable without colours. */
  readonly #look: 'speeds' | 'dashed';
  readonly #visible = new Map<number, Int32Array>();

  constructor(day: ShownDay, look: 'speeds' | 'dashed' = 'speeds') {
    this.day = day;
    this.#look = look;
  }

  draw(context: CanvasRenderingContext2D, view: PageView, palette: Palette): void {
    const { track, from, to, stops, events, chosen } = this.day;
    const shift = shiftOf(view, track.x[0] ?? 0);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    if (this.#look === 'dashed') {
      this.#drawDashes(context, view, palette);
      for (const [index, stop] of stops.entries()) drawStop(context, view, stop, index + 1, shift, palette, true);
      return;
    }
    if (chosen !== null) context.globalAlpha = 0.3;
    this.#drawLine(context, view, palette, from, to);
    context.globalAlpha = 1;
    if (chosen !== null) this.#drawLine(context, view, palette, chosen.from, chosen.to);
    for (const [index, stop] of stops.entries()) drawStop(context, view, stop, index + 1, shift, palette);
    for (const event of events) drawEvent(context, view, event, shift, palette);
  }

  #drawDashes(context: CanvasRenderingContext2D, view: PageView, { ground, text }: Palette): void {
    const { track, from, to } = this.day;
    const visible = this.#positions(view.scale);
    const [first, last] = [indexAt(track, from - 1) + 1, indexAt(track, to)];
    context.beginPath();
    trace(context, view, track, visible, { first, last, shift: shiftOf(view, track.x[0] ?? 0), only: null });
    context.lineCap = 'butt';
    context.strokeStyle = ground;
    context.lineWidth = 6;
    context.stroke();
    context.strokeStyle = text;
    context.lineWidth = 3;
    context.setLineDash([9, 6]);
    context.stroke();
    context.setLineDash([]);
  }

  #drawLine(context: CanvasRenderingContext2D, view: PageView, palette: Palette, from: number, to: number): void {
    const { track } = this.day;
    const visible = this.#positions(view.scale);
    const shift = shiftOf(view, track.x[0] ?? 0);
    const [first, last] = [indexAt(track, from - 1) + 1, indexAt(track, to)];
    // A wider background line first, for contrast with roads and tiles.
    for (const color of [null, ...speedClasses.keys()]) {
      context.beginPath();
      trace(context, view, track, visible, { first, last, shift, only: color });
      context.strokeStyle = color === null ? palette.ground : (speedClasses[color]?.color ?? palette.accent);
      context.lineWidth = color === null ? 7 : 4;
      context.stroke();
    }
  }

  #positions(scale: number): Int32Array {
    const cached = this.#visible.get(scale);
    if (cached !== undefined) return cached;
    const positions = visiblePositions(this.day.track, 1 / scale);
    if (this.#visible.size >= 24) this.#visible.clear();
    this.#visible.set(scale, positions);
    return positions;
  }
}

interface Part {
  readonly first: number;
  readonly last: number;
  readonly shift: number;
  readonly only: number | null;
}

function trace(
  context: CanvasRenderingContext2D,
  view: PageView,
  { x, y, speeds, begins }: Track,
  visible: Int32Array,
  { first, last, shift, only }: Part,
): void {
  let [fromX, fromY] = [0, 0];
  let isOpen = false;
  let isFirst = true;
  for (const index of visible) {
    if (index < first || index > last) continue;
    const [toX, toY] = [screenX(view, (x[index] ?? 0) + shift), screenY(view, y[index] ?? 0)];
    const isPart = !isFirst && begins[index] !== 1 && !isOutside(view, fromX, fromY, toX, toY);
    if (isPart && (only === null || speedClass(speeds[index] ?? -1) === only)) {
      if (!isOpen) context.moveTo(fromX, fromY);
      context.lineTo(toX, toY);
      isOpen = true;
    } else isOpen = false;
    [fromX, fromY] = [toX, toY];
    isFirst = false;
  }
}

function drawStop(
  context: CanvasRenderingContext2D,
  view: PageView,
  { latitude, longitude }: MapStop,
  number: number,
  shift: number,
  { text, ground }: Palette,
  isSecond = false,
): void {
  const [x, y] = [screenX(view, xOf(longitude) + shift), screenY(view, yOf(latitude))];
  const [front, back] = isSecond ? [text, ground] : [ground, text];
  context.fillStyle = back;
  context.strokeStyle = front;
  context.lineWidth = 2;
  context.beginPath();
  const half = number > 99 ? 12 : number > 9 ? 10 : 8;
  context.roundRect(x - half, y - 8, 2 * half, 16, isSecond ? 8 : 4);
  context.fill();
  context.stroke();
  context.fillStyle = front;
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(number), x, y + 0.5);
  context.textAlign = 'left';
}

export function drawMoment(
  context: CanvasRenderingContext2D,
  view: PageView,
  { x, y }: { readonly x: number; readonly y: number },
  { text, ground }: Palette,
): void {
  context.beginPath();
  context.arc(screenX(view, x + shiftOf(view, x)), screenY(view, y), 6, 0, 2 * Math.PI);
  context.fillStyle = ground;
  context.fill();
  context.strokeStyle = text;
  context.lineWidth = 3;
  context.stroke();
}

/** The pole of the sign keeps the number of a stop below readable. */
function drawEvent(
  context: CanvasRenderingContext2D,
  view: PageView,
  { latitude, longitude, type }: MapEvent,
  shift: number,
  { event, muted, ground }: Palette,
): void {
  const [x, foot] = [screenX(view, xOf(longitude) + shift), screenY(view, yOf(latitude))];
  const y = foot - 20;
  const color = isUnknownEvent(type) ? muted : event;
  context.beginPath();
  context.moveTo(x, foot);
  context.lineTo(x, y);
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.stroke();
  context.fillStyle = color;
  context.strokeStyle = ground;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 10);
  context.lineTo(x + 9, y + 6);
  context.lineTo(x - 9, y + 6);
  context.closePath();
  context.fill();
  context.stroke();
  context.fillStyle = ground;
  context.font = 'bold 10px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText('!', x, y + 1);
  context.textAlign = 'left';
}
