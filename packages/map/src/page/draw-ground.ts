// Draws the background of a map without tiles: the graticule with its degrees, and driven roads.
import type { Line } from './lines.js';
import { latitudeOf, longitudeOf, xOf, yOf } from './mercator.js';
import type { Palette } from './theme.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';
import type { Language } from './words/language.js';
import type { WordKey } from './words/words.js';

export function drawRoads(
  context: CanvasRenderingContext2D,
  view: PageView,
  lines: readonly Line[],
  palette: Palette,
): void {
  context.strokeStyle = palette.road;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.beginPath();
  for (const line of lines) {
    const shift = shiftOf(view, line[0] ?? 0);
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let i = 0; i < line.length; i += 2) {
      const [x, y] = [screenX(view, (line[i] ?? 0) + shift), screenY(view, line[i + 1] ?? 0)];
      const isNear = Math.abs(x - lastX) < 1.5 && Math.abs(y - lastY) < 1.5;
      if (isNear && i + 2 < line.length) continue;
      if (Number.isNaN(lastX) || isOutside(view, lastX, lastY, x, y)) context.moveTo(x, y);
      else context.lineTo(x, y);
      [lastX, lastY] = [x, y];
    }
  }
  context.stroke();
}

/** True when a line segment certainly misses the screen. */
export function isOutside({ width, height }: PageView, x1: number, y1: number, x2: number, y2: number): boolean {
  return (x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height);
}

/** Graticule spacing in degrees, from far to near. */
const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001] as const;
const LEAST_PIXELS = 110;

export function drawGraticule(
  context: CanvasRenderingContext2D,
  view: PageView,
  palette: Palette,
  language: Language,
): void {
  const { scale, left, top, width, height } = view;
  const step = [...steps].reverse().find((degrees) => (degrees / 360) * scale >= LEAST_PIXELS) ?? 30;
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const degrees = (value: number, above: WordKey, below: WordKey) =>
    `${Math.abs(value).toFixed(digits)}° ${value === 0 ? '' : language.text(value > 0 ? above : below)}`.trim();
  context.strokeStyle = palette.grid;
  context.fillStyle = palette.muted;
  context.lineWidth = 1;
  context.font = '11px system-ui, sans-serif';
  context.beginPath();
  const west = longitudeOf(left / scale);
  const east = longitudeOf((left + width) / scale);
  const meridians: (readonly [x: number, text: string])[] = [];
  for (let n = Math.ceil(west / step); n * step <= east && meridians.length < 100; n++) {
    const x = Math.round(screenX(view, xOf(n * step))) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, height);
    meridians.push([x, degrees(((((n * step + 180) % 360) + 360) % 360) - 180, 'grid.E', 'grid.W')]);
  }
  const south = latitudeOf(Math.min(1, (top + height) / scale));
  const north = latitudeOf(Math.max(0, top / scale));
  const parallels: (readonly [y: number, text: string])[] = [];
  for (let n = Math.ceil(south / step); n * step <= north && parallels.length < 100; n++) {
    const y = Math.round(screenY(view, yOf(n * step))) + 0.5;
    context.moveTo(0, y);
    context.lineTo(width, y);
    parallels.push([y, degrees(n * step, 'grid.N', 'grid.S')]);
  }
  context.stroke();
  context.textBaseline = 'top';
  for (const [x, text] of meridians) if (x > 60) context.fillText(text, x + 4, 4);
  context.textBaseline = 'bottom';
  for (const [y, text] of parallels) if (y > 40) context.fillText(text, 6, y - 2);
}
