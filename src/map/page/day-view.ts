// The day of the chosen vehicle: reads it, draws its track, and moves a marker along it with the slider. In a file the slider moves all
// vehicles, with or without a chosen one.
import type { FileSetup, MapDay, MapSetup } from '../shapes.js';
import { find, make } from './dom.js';
import { type ShownDay, TrackPainter } from './draw-track.js';
import type { FleetMap } from './fleet-map.js';
import type { Formats } from './format.js';
import type { DayState } from './panel.js';
import { Player } from './player.js';
import { ProblemError, type Source } from './source.js';
import { speedClasses } from './speeds.js';
import type { Palette } from './theme.js';
import { TimeBar } from './time-bar.js';
import { decodeTrack, indexAt, placeAt } from './track.js';

export interface DayModel {
  readonly source: Source;
  readonly formats: Formats;
  readonly map: FleetMap;
  readonly palette: () => Palette;
  readonly setup: MapSetup;
}

export interface DayEvents {
  /** The day is there, or has failed. */
  loaded(): void;
  moved(at: number): void;
}

const loading: DayState = { kind: 'loading' };

export class DayView {
  /** `2026-03-01`; null for the whole period of a file, and while no vehicle is chosen. */
  day: string | null = null;
  state: DayState = loading;
  readonly #model: DayModel;
  readonly #events: DayEvents;
  readonly #player = new Player();
  readonly #bar: TimeBar;
  #shown: ShownDay | null = null;
  #reading = new AbortController();
  /** Whether somebody has moved the slider: then its time belongs to the link. */
  #isMoved = false;

  constructor(model: DayModel, events: DayEvents) {
    this.#model = model;
    this.#events = events;
    const { formats, palette } = model;
    this.#bar = new TimeBar(
      {
        player: this.#player,
        formats,
        palette,
        beginning: () => this.#beginning(),
        about: (at) => this.#about(at),
      },
      () => this.#moved(),
    );
    showLegend(formats);
  }

  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  /** The time for the link; null while the slider is at its end. */
  linkAt(): number | null {
    return this.#isMoved ? Math.round(this.#player.at / 1_000) * 1_000 : null;
  }

  /** The day to begin with: that of the time; in a file the whole period. */
  defaultDay(now: number): string | null {
    return this.#model.setup.kind === 'file' ? null : this.#model.formats.day(now);
  }

  /** In a file the slider is there without a vehicle. */
  openPeriod({ from, to }: FileSetup): void {
    this.#player.open(from, to, this.#player.at || null);
    this.#bar.open(null, true);
  }

  close(): void {
    this.#reading.abort();
    this.#shown = null;
    this.day = null;
    this.#model.map.track = null;
    find('legend', HTMLElement).hidden = true;
    const { setup } = this.#model;
    if (setup.kind === 'file') {
      const at = this.#player.at;
      this.#player.open(setup.from, setup.to, at);
      this.#bar.open(null, true);
    } else {
      this.#isMoved = false;
      this.#bar.open(null);
    }
  }

  /** `at`: the time of the slider; null for the end, or in a file for where it is. */
  choose(vehicleId: string | null, day: string | null, at: number | null): void {
    if (vehicleId === null) return;
    this.#reading.abort();
    this.#reading = new AbortController();
    this.day = day;
    this.state = loading;
    this.#shown = null;
    this.#model.map.track = null;
    if (this.#model.setup.kind === 'live') this.#bar.open(null);
    this.#isMoved = at !== null || (this.#model.setup.kind === 'file' && this.#isMoved);
    this.#events.loaded();
    void this.#read(vehicleId, day, at, this.#reading.signal);
  }

  /** A trip, or a moment. */
  goTo(from: number, to: number | null): void {
    const shown = this.#shown;
    if (shown === null) return;
    this.#bar.pause();
    this.#player.seek(from);
    this.#bar.show();
    this.#moved();
    const { track } = shown;
    const first = Math.max(0, indexAt(track, from));
    const last = to === null ? first : Math.max(first, indexAt(track, to));
    if (to === null) this.#model.map.show(track.x[first] ?? Number.NaN, track.y[first] ?? Number.NaN);
    else this.#model.map.fit(placesOf(shown, first, last));
  }

  redraw(): void {
    showLegend(this.#model.formats);
    this.#bar.redraw();
  }

  async #read(vehicleId: string, day: string | null, at: number | null, signal: AbortSignal): Promise<void> {
    try {
      const read = await this.#model.source.day(vehicleId, day, signal);
      if (!signal.aborted) this.#show(read, at);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProblemError)) throw error;
      this.state = { kind: 'failed', problem: error.problem };
      this.#events.loaded();
    }
  }

  #show(day: MapDay, at: number | null): void {
    const { map, setup } = this.#model;
    const { from, to, stops, events } = day;
    const shown = { track: decodeTrack(day.track), from, to, stops, events };
    this.#shown = shown;
    this.state = { kind: 'loaded', day };
    map.track = new TrackPainter(shown);
    this.#player.open(from, to, at ?? (setup.kind === 'file' ? this.#player.at : null));
    this.#bar.open(shown);
    find('legend', HTMLElement).hidden = shown.track.times.length === 0;
    const [first, last] = [indexAt(shown.track, from - 1) + 1, indexAt(shown.track, to)];
    if (last > first) map.fit(placesOf(shown, first, last));
    this.#events.loaded();
    this.#moveMarker();
    if (setup.kind === 'file') this.#events.moved(this.#player.at);
  }

  #moved(): void {
    this.#isMoved = this.#player.at < this.#player.to;
    this.#moveMarker();
    this.#events.moved(this.#player.at);
  }

  /** In a file the vehicle itself moves. */
  #moveMarker(): void {
    const isShown = this.#shown !== null && this.#isMoved && this.#model.setup.kind === 'live';
    this.#model.map.past = isShown && this.#shown !== null ? placeAt(this.#shown.track, this.#player.at) : null;
  }

  /** The first time of the day with a speed. */
  #beginning(): number {
    const shown = this.#shown;
    if (shown === null) return this.#player.from;
    const { track, from } = shown;
    for (let i = Math.max(0, indexAt(track, from)); i < track.times.length; i++) {
      if ((track.speeds[i] ?? 0) > 0) return Math.max(from, (track.times[i] ?? from) - 60_000);
    }
    return from;
  }

  #about(at: number): string {
    const place = this.#shown === null ? null : placeAt(this.#shown.track, at);
    return place === null || place.speed === null ? '' : this.#model.formats.speed(place.speed);
  }
}

function* placesOf({ track }: ShownDay, first: number, last: number) {
  for (let i = first; i <= last; i++) yield { x: track.x[i] ?? Number.NaN, y: track.y[i] ?? Number.NaN };
}

function showLegend(formats: Formats): void {
  const entries = speedClasses.map(({ from, color }) => {
    const swatch = make('i');
    swatch.style.background = color;
    return make('span', {}, swatch, from === 0 ? '0' : formats.speed(from).replace(/\D+$/, ''));
  });
  const unit = formats.units === 'metric' ? 'km/h' : 'mph';
  find('legend', HTMLElement).replaceChildren(...entries, make('span', { class: 'unit' }, unit));
}
