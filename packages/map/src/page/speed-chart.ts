// The speed chart above the slider, with stops, events, and lines at two times.
import { find, make, setText } from './dom.js';
import type { ShownDay } from './draw-track.js';
import type { Formats } from './format.js';
import { nearestEvent } from './nearest-on-track.js';
import { speedTicks, timeTicks } from './speed-axis.js';
import { speedClass, speedClasses } from './speeds.js';
import type { Palette } from './theme.js';

/** Below the axis. */
const STOPS_HEIGHT = 12;
const TIMES_HEIGHT = 14;
/** Above the axis. */
const EVENTS_HEIGHT = 9;
const LEAST_TIME_WIDTH = 60;

export interface ChartModel {
  readonly formats: Formats;
  readonly palette: () => Palette;
  readonly at: () => number;
  readonly about: (at: number) => string;
}

export interface ChartEvents {
  /** Null when the pointer has left. */
  hover(at: number | null): void;
  seek(at: number): void;
}

export class SpeedChart {
  readonly #model: ChartModel;
  readonly #canvas = find('strip', HTMLCanvasElement);
  readonly #tip = find('chart-tip', HTMLElement);
  /** The chart without its moving lines. */
  readonly #picture = make('canvas');
  #day: ShownDay | null = null;
  #marked: number | null = null;

  constructor(model: ChartModel, { hover, seek }: ChartEvents) {
    this.#model = model;
    this.#canvas.addEventListener(
      'pointermove',
      (event) => this.#day !== null && hover(this.#timeOf(this.#day, event)),
    );
    this.#canvas.addEventListener('pointerleave', () => hover(null));
    this.#canvas.addEventListener('click', (event) => this.#day !== null && seek(this.#timeOf(this.#day, event)));
    new ResizeObserver(() => this.draw()).observe(this.#canvas);
  }

  /** Snaps to near events, because a pixel is minutes; the reach is larger at their triangles. */
  #timeOf({ from, to, events }: ShownDay, { clientX, clientY }: PointerEvent): number {
    const { left, top, width } = this.#canvas.getBoundingClientRect();
    const time = from + Math.max(0, Math.min(1, (clientX - left) / width)) * (to - from);
    return nearestEvent(events, time, ((clientY - top < EVENTS_HEIGHT + 4 ? 6 : 2) / width) * (to - from)) ?? time;
  }

  show(day: ShownDay | null): void {
    this.#day = day !== null && hasMoved(day) ? day : null;
    const box = this.#canvas.parentElement;
    box?.classList.toggle('has-chart', this.#day !== null);
    if (this.#day === null) {
      this.mark(null);
      this.#canvas.setAttribute('aria-label', this.#model.formats.language.text('speedChart'));
    }
    this.draw();
  }

  mark(at: number | null): void {
    const day = this.#day;
    this.#marked = day !== null && at !== null && at >= day.from && at <= day.to ? at : null;
    this.#tip.hidden = this.#marked === null;
    this.moved();
    if (this.#marked === null || day === null) return;
    setText(this.#tip, this.#model.about(this.#marked));
    const part = (this.#marked - day.from) / (day.to - day.from || 1);
    // Places the tooltip on the side of the line with more room.
    this.#tip.style.left = `${part * 100}%`;
    this.#tip.classList.toggle('left', part > 0.5);
  }

  moved(): void {
    const context = this.#canvas.getContext('2d');
    const day = this.#day;
    const { width, height } = this.#picture;
    if (context === null || width === 0) return;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.#picture, 0, 0);
    if (day === null) return;
    const ratio = window.devicePixelRatio || 1;
    const { text, accent } = this.#model.palette();
    const line = (at: number, color: string) => {
      context.fillStyle = color;
      const x = ((at - day.from) / (day.to - day.from || 1)) * width;
      context.fillRect(Math.min(width - ratio, Math.max(0, x - ratio / 2)), 0, 1.5 * ratio, height);
    };
    line(this.#model.at(), accent);
    if (this.#marked !== null) line(this.#marked, text);
  }

  draw(): void {
    const { width, height } = this.#canvas.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.#canvas, this.#picture]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = this.#picture.getContext('2d');
    if (context === null) return;
    context.scale(ratio, ratio);
    if (this.#day !== null) this.#paint(context, this.#day, width, height);
    this.moved();
  }

  #paint(context: CanvasRenderingContext2D, day: ShownDay, width: number, height: number): void {
    const { track, from, to, events, stops, chosen } = day;
    const { formats } = this.#model;
    const { grid, muted, ground, event: eventColor, text } = this.#model.palette();
    const xAt = (time: number) => ((time - from) / (to - from || 1)) * width;
    const base = height - STOPS_HEIGHT - TIMES_HEIGHT;
    let top = 0;
    track.speeds.forEach((speed, i) => {
      const time = track.times[i] ?? 0;
      if (time >= from && time <= to) top = Math.max(top, speed);
    });
    const ticks = speedTicks(Math.max(top, 20), formats.units);
    const most = ticks.at(-1)?.kmh ?? 1;
    const yAt = (kmh: number) => base - (kmh / most) * (base - EVENTS_HEIGHT);
    if (chosen !== null) {
      context.fillStyle = grid;
      context.fillRect(xAt(chosen.from), 0, Math.max(2, xAt(chosen.to) - xAt(chosen.from)), base);
    }
    context.fillStyle = grid;
    for (const { kmh } of ticks) context.fillRect(0, Math.round(yAt(kmh)), width, 1);
    for (let i = 0; i + 1 < track.times.length; i++) {
      const [begin, end] = [track.times[i] ?? 0, track.times[i + 1] ?? 0];
      const speed = track.speeds[i] ?? -1;
      if (speed < 2 || track.begins[i + 1] === 1 || end < from || begin > to) continue;
      context.fillStyle = speedClasses[speedClass(speed)]?.color ?? '';
      context.fillRect(xAt(begin), yAt(speed), Math.max(1, xAt(end) - xAt(begin)), base - yAt(speed));
    }
    context.font = '10px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    for (const [index, stop] of stops.entries()) {
      const [begin, end] = [xAt(Math.max(from, stop.from)), xAt(stop.to ?? to)];
      context.fillStyle = muted;
      context.fillRect(begin, base + 2, Math.max(2, end - begin), STOPS_HEIGHT - 3);
      context.fillStyle = ground;
      if (end - begin >= 16) context.fillText(String(index + 1), (begin + end) / 2, base + STOPS_HEIGHT / 2 + 1);
    }
    context.fillStyle = eventColor;
    for (const { at } of events) {
      context.beginPath();
      context.moveTo(xAt(at), 0);
      context.lineTo(xAt(at) + 4, 7);
      context.lineTo(xAt(at) - 4, 7);
      context.fill();
    }
    context.fillStyle = muted;
    context.textBaseline = 'alphabetic';
    const isOfDays = to - from > 86_400_000;
    const times = timeTicks(from, to, Math.floor(width / LEAST_TIME_WIDTH), formats.minuteOfDay(from));
    for (const time of times) {
      const label =
        isOfDays && formats.time(time) === '00:00' ? formats.date(time).replace(/,? \d{4}$/, '') : formats.time(time);
      context.fillText(label, xAt(time), height - 2);
      context.fillRect(xAt(time), base, 1, STOPS_HEIGHT);
    }
    // Draws labels over the columns, so that the chart is as wide as the slider.
    context.textAlign = 'left';
    context.lineWidth = 3;
    context.strokeStyle = ground;
    context.fillStyle = text;
    for (const { value, kmh } of ticks.slice(1)) {
      const label = kmh === most ? `${value} ${formats.units === 'metric' ? 'km/h' : 'mph'}` : String(value);
      context.strokeText(label, 2, yAt(kmh) + 9);
      context.fillText(label, 2, yAt(kmh) + 9);
    }
    this.#canvas.setAttribute(
      'aria-label',
      formats.language.text('speedChartOf', {
        speed: formats.speed(top),
        stops: formats.language.counted(stops.length, 'stop'),
      }),
    );
  }
}

/** A vehicle that was parked all day has no chart. */
function hasMoved({ track, stops, events }: ShownDay): boolean {
  return stops.length > 0 || events.length > 0 || track.speeds.some((speed) => speed >= 2);
}
