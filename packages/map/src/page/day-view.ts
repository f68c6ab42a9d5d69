// The day of the selected vehicle: reads it, draws its track, and returns the vehicle's state at
// the slider's time.
import type { FileSetup, MapDay, MapSetup, MapVehicle } from '../shapes.js';
import type { PageClock } from './data-age.js';
import { find, make } from './dom.js';
import { type ShownDay, TrackPainter } from './draw-track.js';
import type { FleetMap } from './fleet-map.js';
import type { Formats } from './format.js';
import { momentStory } from './moment-story.js';
import { Player } from './player.js';
import { vehicleAt } from './recorded.js';
import { type DayState, loading, ProblemError, type Source } from './source.js';
import { speedClasses } from './speeds.js';
import type { Palette } from './theme.js';
import { TimeBar } from './time-bar.js';
import { decodeTrack, indexAt, placeAt, type Track } from './track.js';

export interface DayModel {
  readonly source: Source;
  readonly formats: Formats;
  readonly map: FleetMap;
  readonly palette: () => Palette;
  readonly setup: MapSetup;
  readonly clock: PageClock;
  readonly now: () => number;
}

export interface DayEvents {
  loaded(): void;
  /** A day is on the screen for the first time, and the layout is final. */
  opened(): void;
  moved(at: number): void;
}

/** Shortest pause between two reads of an open day. */
const GROW_MS = 15_000;

export class DayView {
  /** `2026-03-01`; null for a file's whole period. */
  day: string | null = null;
  state: DayState = loading;
  readonly #model: DayModel;
  readonly #events: DayEvents;
  readonly #player = new Player();
  readonly #bar: TimeBar;
  #vehicleId: string | null = null;
  #shown: ShownDay | null = null;
  #reading = new AbortController();
  /** By the page clock; null during a read. */
  #readAt: number | null = null;
  #wasToday = false;
  #isSliderMoved = false;

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
        story: (at) =>
          this.state.kind === 'loaded'
            ? momentStory(
                { day: this.state.day, period: this.#player, isGoingOn: this.#isToday, speed: this.#about(at) },
                at,
                formats,
              )
            : '',
        hover: (at) => this.mark(at),
      },
      () => this.#moved(),
    );
    showSpeedLegend(formats);
  }

  get vehicleId(): string | null {
    return this.#vehicleId;
  }

  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  /** True when a live map shows another time than now. */
  get isPast(): boolean {
    if (this.#vehicleId === null || this.#model.setup.kind === 'file') return false;
    return this.#isSliderMoved || this.day !== this.#today;
  }

  get #isToday(): boolean {
    return this.#model.setup.kind === 'live' && this.day === this.#today;
  }

  /** On a live map, a day without data has no slider. In a file the slider moves all vehicles. */
  get #hasSlider(): boolean {
    if (this.#model.setup.kind === 'file') return true;
    return this.state.kind === 'loaded' && (this.state.day.track.times.length > 0 || this.state.day.trips.length > 0);
  }

  get #today(): string {
    return this.#model.formats.fleetDay(this.#model.now());
  }

  get at(): number | null {
    return this.#shown === null ? null : this.#player.at;
  }

  get period(): { readonly from: number; readonly to: number } | null {
    return this.#shown;
  }

  get track(): Track | null {
    return this.#shown?.track ?? null;
  }

  vehicle(vehicle: MapVehicle): MapVehicle | null {
    const shown = this.#shown;
    if (shown === null || this.state.kind !== 'loaded') return null;
    return vehicleAt({ vehicle, day: this.state.day, track: shown.track }, this.#player.at);
  }

  *places(): Generator<{ readonly x: number; readonly y: number }> {
    if (this.#shown !== null) yield* placesOf(this.#shown);
  }

  get shown(): ShownDay | null {
    return this.#shown;
  }

  /** Returns null while the slider is at its end. */
  linkAt(): number | null {
    return this.#isSliderMoved ? Math.round(this.#player.at / 1_000) * 1_000 : null;
  }

  get defaultDay(): string | null {
    return this.#model.setup.kind === 'file' ? null : this.#today;
  }

  openPeriod({ from, to }: FileSetup, at: number): void {
    this.#player.open(from, to, at);
    this.#bar.open(null, true);
  }

  close(): void {
    this.#reading.abort();
    this.mark(null);
    this.#vehicleId = null;
    this.#shown = null;
    this.day = null;
    this.#model.map.track = null;
    find('legend', HTMLElement).hidden = true;
    this.state = loading;
    const { setup } = this.#model;
    if (setup.kind === 'file') {
      const at = this.#player.at;
      this.#player.open(setup.from, setup.to, at);
      this.#bar.open(null, true);
    } else {
      this.#isSliderMoved = false;
      this.#bar.open(null);
    }
  }

  /** `at`: null for the end, or in a file for the current time. */
  choose(vehicleId: string | null, day: string | null, at: number | null): void {
    if (vehicleId === null) return;
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#readAt = null;
    this.#vehicleId = vehicleId;
    this.day = day;
    this.#wasToday = day === this.#today;
    this.state = loading;
    this.#shown = null;
    this.#model.map.track = null;
    if (this.#model.setup.kind === 'live') this.#bar.open(null);
    this.#isSliderMoved = at !== null || (this.#model.setup.kind === 'file' && this.#isSliderMoved);
    this.#events.loaded();
    void this.#read(vehicleId, day, at, this.#reading.signal);
  }

  retry(): void {
    this.choose(this.#vehicleId, this.day, this.linkAt());
  }

  backToLive(): void {
    if (this.#vehicleId === null) return;
    if (this.day !== this.#today || this.#shown === null) {
      this.choose(this.#vehicleId, this.#today, null);
      return;
    }
    this.#bar.pause();
    this.#player.seek(this.#player.to);
    this.#chooseTrip(null);
    this.#bar.show();
    this.#moved();
  }

  /** Reads new data when the day is today. Switches to the next day at midnight. */
  grow(): void {
    const { setup, clock, source } = this.#model;
    const [vehicleId, day] = [this.#vehicleId, this.day];
    if (setup.kind === 'file' || vehicleId === null || this.#readAt === null) return;
    if (day !== this.#today) {
      if (this.#wasToday && !this.#isSliderMoved) this.choose(vehicleId, this.#today, null);
      return;
    }
    if (clock.now() - this.#readAt < GROW_MS) return;
    this.#readAt = null;
    const { signal } = this.#reading;
    const grown = source.day(vehicleId, day, signal).then(
      (read) => !signal.aborted && this.#growTo(read),
      (error: unknown) => {
        // Keeps the displayed day; the header shows the age of the data.
        if (!signal.aborted && !(error instanceof ProblemError)) throw error;
      },
    );
    void grown.finally(() => {
      if (!signal.aborted) this.#readAt = clock.now();
    });
  }

  mark(at: number | null): void {
    this.#bar.mark(at);
    this.#model.map.moment = at === null || this.#shown === null ? null : placeAt(this.#shown.track, at);
  }

  /** Goes to a trip, which is highlighted, or to a moment. */
  goTo(from: number, to: number | null): void {
    const shown = this.#shown;
    if (shown === null) return;
    this.#bar.pause();
    this.#chooseTrip(to === null ? null : { from, to });
    this.#player.seek(from);
    this.#bar.show();
    this.#moved();
    const { track } = shown;
    const first = Math.max(0, indexAt(track, from));
    const last = to === null ? first : Math.max(first, indexAt(track, to));
    if (to === null) this.#model.map.camera.show(track.x[first] ?? Number.NaN, track.y[first] ?? Number.NaN);
    else this.#model.map.camera.fit(placesBetween(shown, first, last));
  }

  redraw(): void {
    showSpeedLegend(this.#model.formats);
    this.#bar.redraw();
  }

  async #read(vehicleId: string, day: string | null, at: number | null, signal: AbortSignal): Promise<void> {
    try {
      const read = await this.#model.source.day(vehicleId, day, signal);
      if (signal.aborted) return;
      this.#readAt = this.#model.clock.now();
      this.#show(read, at);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProblemError)) throw error;
      this.state = { kind: 'failed', said: error.said };
      this.#events.loaded();
    }
  }

  #show(day: MapDay, at: number | null): void {
    const { setup } = this.#model;
    const { from, to } = day;
    const shown = shownDay(day, null);
    this.#put(shown);
    this.state = { kind: 'loaded', day };
    this.#player.open(from, to, at ?? (setup.kind === 'file' ? this.#player.at : null));
    this.#bar.open(shown, this.#hasSlider);
    find('legend', HTMLElement).hidden = shown.track.times.length === 0;
    this.#events.loaded();
    this.#events.moved(this.#player.at);
    this.#events.opened();
  }

  #growTo(day: MapDay): void {
    const shown = shownDay(day, this.#shown?.chosen ?? null);
    this.#put(shown);
    this.state = { kind: 'loaded', day };
    this.#player.grow(day.to);
    this.#bar.grow(shown, this.#hasSlider);
    find('legend', HTMLElement).hidden = shown.track.times.length === 0;
    this.#events.loaded();
  }

  #put(shown: ShownDay): void {
    this.#shown = shown;
    this.#model.map.track = new TrackPainter(shown);
  }

  #chooseTrip(chosen: ShownDay['chosen']): void {
    if (this.#shown === null) return;
    const shown = { ...this.#shown, chosen };
    this.#put(shown);
    this.#bar.grow(shown, this.#hasSlider);
  }

  #moved(): void {
    this.#isSliderMoved = this.#player.at < this.#player.to;
    this.#events.moved(this.#player.at);
  }

  /** Returns a minute before the first movement of the day. */
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

export function shownDay({ track, from, to, stops, events }: MapDay, chosen: ShownDay['chosen']): ShownDay {
  return { track: decodeTrack(track), from, to, stops, events, chosen };
}

export function* placesOf(shown: ShownDay): Generator<{ readonly x: number; readonly y: number }> {
  const { track, from, to } = shown;
  const [first, last] = [indexAt(track, from - 1) + 1, indexAt(track, to)];
  if (last > first) yield* placesBetween(shown, first, last);
}

function* placesBetween({ track }: ShownDay, first: number, last: number) {
  for (let i = first; i <= last; i++) yield { x: track.x[i] ?? Number.NaN, y: track.y[i] ?? Number.NaN };
}

function showSpeedLegend(formats: Formats): void {
  const entries = speedClasses.map(({ from, color }) => {
    const swatch = make('i');
    swatch.style.background = color;
    return make('span', {}, swatch, from === 0 ? '0' : formats.speed(from).replace(/\D+$/, ''));
  });
  const unit = formats.units === 'metric' ? 'km/h' : 'mph';
  find('legend', HTMLElement).replaceChildren(...entries, make('span', { class: 'unit' }, unit));
}
