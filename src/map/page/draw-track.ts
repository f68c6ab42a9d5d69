// Draws the track of a day: coloured by speed, with stops and driver behaviour events.
import type { MapEvent, MapStop } from '../shapes.js';
import { isOutside } from './draw-ground.js';
import { xOf, yOf } from './mercator.js';
import { visiblePositions } from './simplify.js';
import { speedClass, speedClasses } from './speeds.js';
import type { Palette } from './theme.js';
import { indexAt, type Place, type Track } from './track.js';
import { screenX, screenY, shiftOf, type View } from './view.js';

export interface ShownDay {
  readonly track: Track;
  readonly from: number;
  readonly to: number;
  readonly stops: readonly MapStop[];
  readonly events: readonly MapEvent[];
}

export class TrackPainter {
  readonly day: ShownDay;
  /** The positions to draw at a scale; the last scales are kept. */
  readonly #visible = new Map<number, Int32Array>();

  constructor(day: ShownDay) {
    this.day = day;
  }

  draw(context: CanvasRenderingContext2D, view: View, palette: Palette): void {
    const { track, from, to, stops, events } = this.day;
    const visible = this.#positions(view.scale);
    const shift = shiftOf(view, track.x[0] ?? 0);
    const [first, last] = [indexAt(track, from - 1) + 1, indexAt(track, to)];
    context.lineCap = 'round';
    context.lineJoin = 'round';
    // A ground under the line, so that it can be told from roads and tiles.
    for (const color of [null, ...speedClasses.keys()]) {
      context.beginPath();
      trace(context, view, track, visible, { first, last, shift, only: color });
      context.strokeStyle = color === null ? palette.ground : (speedClasses[color]?.color ?? palette.accent);
      context.lineWidth = color === null ? 7 : 4;
      context.stroke();
    }
    for (const stop of stops) drawStop(context, view, stop, shift, palette);
    for (const event of events) drawEvent(context, view, event, shift, palette);
  }

  #positions(scale: number): Int32Array {
    const known = this.#visible.get(scale);
    if (known !== undefined) return known;
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
  /** The class of speed; null for all. */
  readonly only: number | null;
}

function trace(
  context: CanvasRenderingContext2D,
  view: View,
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
  view: View,
  { latitude, longitude }: MapStop,
  shift: number,
  { text, ground }: Palette,
): void {
  const [x, y] = [screenX(view, xOf(longitude) + shift), screenY(view, yOf(latitude))];
  context.fillStyle = text;
  context.strokeStyle = ground;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x - 8, y - 8, 16, 16, 4);
  context.fill();
  context.stroke();
  context.fillStyle = ground;
  context.font = 'bold 11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText('P', x, y + 0.5);
  context.textAlign = 'left';
}

function drawEvent(
  context: CanvasRenderingContext2D,
  view: View,
  { latitude, longitude }: MapEvent,
  shift: number,
  { event, ground }: Palette,
): void {
  const [x, y] = [screenX(view, xOf(longitude) + shift), screenY(view, yOf(latitude))];
  context.fillStyle = event;
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

/** The vehicle as it was at the time of the slider. */
export function drawPast(
  context: CanvasRenderingContext2D,
  view: View,
  place: Place,
  { accent, ground }: Palette,
): void {
  const [x, y] = [screenX(view, place.x + shiftOf(view, place.x)), screenY(view, place.y)];
  context.save();
  context.translate(x, y);
  context.fillStyle = accent;
  context.strokeStyle = ground;
  context.lineWidth = 2.5;
  context.lineJoin = 'round';
  context.beginPath();
  if (place.heading === null) context.arc(0, 0, 9, 0, 2 * Math.PI);
  else {
    context.rotate((place.heading / 180) * Math.PI);
    context.moveTo(0, -13);
    context.lineTo(10, 11);
    context.lineTo(0, 6);
    context.lineTo(-10, 11);
    context.closePath();
  }
  context.fill();
  context.stroke();
  context.restore();
}
