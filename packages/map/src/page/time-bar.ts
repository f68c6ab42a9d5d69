// The slider with playback, time field and speed chart.
import { clockTimeOf, momentOfClockTime } from './clock-time.js';
import { find, setText } from './dom.js';
import type { ShownDay } from './draw-track.js';
import type { Formats } from './format.js';
import type { Player } from './player.js';
import { SpeedChart } from './speed-chart.js';
import type { Palette } from './theme.js';
import { TypedField } from './typed-field.js';

export interface TimeBarModel {
  readonly player: Player;
  readonly formats: Formats;
  readonly palette: () => Palette;
  /** Start of the playback after the end. */
  readonly beginning: () => number;
  readonly about: (at: number) => string;
  readonly story: (at: number) => string;
  /** Null when the pointer has left. */
  readonly hover: (at: number | null) => void;
}

/** Steps in milliseconds. */
const keySteps: Readonly<Record<string, number>> = {
  ArrowRight: 60_000,
  ArrowUp: 60_000,
  ArrowLeft: -60_000,
  ArrowDown: -60_000,
  PageUp: 600_000,
  PageDown: -600_000,
};

export class TimeBar {
  readonly #model: TimeBarModel;
  readonly #onMove: () => void;
  readonly #target = find('time', HTMLElement);
  readonly #play = find('play', HTMLButtonElement);
  readonly #slider = find('moment', HTMLInputElement);
  readonly #clock = find('clock', HTMLInputElement);
  readonly #typed: TypedField;
  readonly #text = find('moment-text', HTMLOutputElement);
  readonly #chart: SpeedChart;
  #frame = 0;

  constructor(model: TimeBarModel, onMove: () => void) {
    this.#model = model;
    this.#onMove = onMove;
    const { player } = model;
    this.#play.addEventListener('click', () => (player.isPlaying ? this.pause() : this.#start()));
    this.#slider.addEventListener('input', () => this.#seek(Number(this.#slider.value)));
    this.#typed = new TypedField(this.#clock, (time) => {
      // Hiding a field also blurs it.
      if (!this.#target.hidden) this.#seek(momentOfClockTime(time, player.from, model.formats.zone));
    });
    this.#slider.addEventListener('keydown', (event) => this.#onKey(event));
    find('rate', HTMLSelectElement).addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) player.rate = Number(target.value);
    });
    const { formats, palette, story, hover } = model;
    this.#chart = new SpeedChart(
      { formats, palette, at: () => player.at, about: story },
      {
        hover,
        seek: (at) => {
          this.#seek(at);
          // Lets the arrow keys continue from there.
          this.#slider.focus({ preventScroll: true });
        },
      },
    );
  }

  /** Shows a day, whose period the player already has. */
  open(day: ShownDay | null, isShown = day !== null): void {
    this.#target.hidden = !isShown;
    const { player } = this.#model;
    this.#slider.min = String(player.from);
    this.#slider.max = String(player.to);
    this.pause();
    this.#chart.show(day);
    this.show();
  }

  grow(day: ShownDay, isShown: boolean): void {
    this.#target.hidden = !isShown;
    this.#slider.max = String(this.#model.player.to);
    this.#chart.show(day);
    this.show();
  }

  mark(at: number | null): void {
    this.#chart.mark(at);
  }

  pause(): void {
    this.#model.player.pause();
    cancelAnimationFrame(this.#frame);
    this.#showPlaying();
  }

  show(): void {
    const { player, formats, about } = this.#model;
    this.#slider.value = String(player.at);
    const isLong = player.to - player.from > 86_400_000 + 3_600_000;
    // A time of day is unique only within one day.
    this.#clock.hidden = isLong;
    this.#typed.show(clockTimeOf(player.at, formats.zone));
    const time = isLong ? formats.moment(player.at) : formats.seconds(player.at);
    const what = about(player.at);
    const text = [time, what].filter(Boolean).join(' · ');
    setText(this.#text, isLong ? text : what);
    this.#chart.moved();
    this.#slider.setAttribute('aria-valuetext', text);
  }

  redraw(): void {
    this.show();
    this.#chart.draw();
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

  /** Moves by a minute or ten; the browser's own steps would be a second or a tenth of the day. */
  #onKey(event: KeyboardEvent): void {
    const step = keySteps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { at } = this.#model.player;
    // Rounds to displayed seconds: a day ends a millisecond before midnight.
    this.#seek(Math.round((at + (event.shiftKey ? step / 60 : step)) / 1_000) * 1_000);
  }

  #seek(at: number): void {
    this.pause();
    this.#model.player.seek(at);
    this.#moved();
  }

  #showPlaying(): void {
    const { isPlaying } = this.#model.player;
    setText(this.#play, this.#model.formats.language.text(isPlaying ? 'pause' : 'play'));
    this.#play.setAttribute('aria-pressed', String(isPlaying));
  }

  #moved(): void {
    this.show();
    this.#onMove();
  }
}
