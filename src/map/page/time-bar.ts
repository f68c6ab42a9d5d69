// The slider of the day: it plays, and shows the speeds, stops and events of the day on its strip.
import { find, setText } from './dom.js';
import type { ShownDay } from './draw-track.js';
import type { Formats } from './format.js';
import type { Player } from './player.js';
import { speedClass, speedClasses } from './speeds.js';
import type { Palette } from './theme.js';

export interface TimeBarModel {
  readonly player: Player;
  readonly formats: Formats;
  readonly palette: () => Palette;
  /** Where playing begins again after the end. */
  readonly beginning: () => number;
  /** What is said of the moment, beside its time. */
  readonly about: (at: number) => string;
}

export class TimeBar {
  readonly #model: TimeBarModel;
  readonly #onMove: () => void;
  readonly #target = find('time', HTMLElement);
  readonly #play = find('play', HTMLButtonElement);
  readonly #slider = find('moment', HTMLInputElement);
  readonly #text = find('moment-text', HTMLOutputElement);
  readonly #strip = find('strip', HTMLCanvasElement);
  #day: ShownDay | null = null;
  #frame = 0;

  constructor(model: TimeBarModel, onMove: () => void) {
    this.#model = model;
    this.#onMove = onMove;
    const { player } = model;
    this.#play.addEventListener('click', () => (player.isPlaying ? this.pause() : this.#start()));
    this.#slider.addEventListener('input', () => {
      this.pause();
      player.seek(Number(this.#slider.value));
      this.#moved();
    });
    find('rate', HTMLSelectElement).addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) player.rate = Number(target.value);
    });
    new ResizeObserver(() => this.#drawStrip()).observe(this.#strip);
  }

  /** Null hides the slider. The player has the period already. */
  open(day: ShownDay | null, isShown = day !== null): void {
    this.#day = day;
    this.#target.hidden = !isShown;
    const { player } = this.#model;
    this.#slider.min = String(player.from);
    this.#slider.max = String(player.to);
    this.pause();
    this.show();
    this.#drawStrip();
  }

  pause(): void {
    this.#model.player.pause();
    cancelAnimationFrame(this.#frame);
    this.#showPlaying();
  }

  /** After the time, the units or the theme has changed. */
  show(): void {
    const { player, formats, about } = this.#model;
    this.#slider.value = String(player.at);
    const isLong = player.to - player.from > 86_400_000 + 3_600_000;
    const time = isLong ? formats.moment(player.at) : formats.seconds(player.at);
    const text = [time, about(player.at)].filter(Boolean).join(' · ');
    setText(this.#text, text);
    this.#slider.setAttribute('aria-valuetext', text);
  }

  redraw(): void {
    this.show();
    this.#drawStrip();
  }

  #start(): void {
    const { player, beginning } = this.#model;
    player.play(beginning());
    this.#showPlaying();
    const step = (now: number) => {
      player.tick(now);
      this.#moved();
      if (player.isPlaying) this.#frame = requestAnimationFrame(step);
      else this.#showPlaying();
    };
    this.#frame = requestAnimationFrame(step);
  }

  #showPlaying(): void {
    const { isPlaying } = this.#model.player;
    setText(this.#play, isPlaying ? 'Pause' : 'Play');
    this.#play.setAttribute('aria-pressed', String(isPlaying));
  }

  #moved(): void {
    this.show();
    this.#onMove();
  }

  #drawStrip(): void {
    const { width, height } = this.#strip.getBoundingClientRect();
    const context = this.#strip.getContext('2d');
    const day = this.#day;
    if (context === null || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.#strip.width = Math.round(width * ratio);
    this.#strip.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    if (day === null) return;
    const { track, from, to, events } = day;
    const xAt = (time: number) => ((time - from) / (to - from || 1)) * width;
    for (let i = 0; i + 1 < track.times.length; i++) {
      const [begin, end] = [track.times[i] ?? 0, track.times[i + 1] ?? 0];
      const speed = track.speeds[i] ?? -1;
      if (speed < 2 || track.begins[i + 1] === 1 || end < from || begin > to) continue;
      const tall = Math.max(2, Math.min(1, speed / 130) * (height - 2));
      context.fillStyle = speedClasses[speedClass(speed)]?.color ?? '';
      context.fillRect(xAt(begin), height - tall, Math.max(1, xAt(end) - xAt(begin)), tall);
    }
    context.fillStyle = this.#model.palette().event;
    for (const { at } of events) context.fillRect(xAt(at) - 1, 0, 2, 6);
  }
}
