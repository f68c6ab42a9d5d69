// Compares a second vehicle: its day, its track, and its state at the slider's time.
import type { MapDay, MapVehicle } from '../shapes.js';
import { placesOf, shownDay } from './day-view.js';
import { type ShownDay, TrackPainter } from './draw-track.js';
import type { FleetMap } from './fleet-map.js';
import { vehicleAt } from './recorded.js';
import { type DayState, loading, ProblemError, type Source } from './source.js';

export class Comparison {
  /** Null without a comparison. */
  vehicleId: string | null = null;
  state: DayState = loading;
  readonly #source: Source;
  readonly #map: FleetMap;
  /** `isNew`: the map now shows another track. */
  readonly #onChange: (isNew: boolean) => void;
  /** The second vehicle is read when this day has loaded or grown. */
  #first: { readonly day: string | null; readonly state: DayState } = { day: null, state: loading };
  #shown: ShownDay | null = null;
  #reading = new AbortController();

  constructor(source: Source, map: FleetMap, onChange: (isNew: boolean) => void) {
    this.#source = source;
    this.#map = map;
    this.#onChange = onChange;
  }

  choose(vehicleId: string | null): void {
    if (vehicleId === this.vehicleId) return;
    this.vehicleId = vehicleId;
    this.#clear();
    this.#onChange(false);
    this.retry();
  }

  retry(): void {
    if (this.#first.state.kind === 'loaded') void this.#read();
  }

  /** Follows the first vehicle: reads the second one when its day has loaded or grown. */
  follow(day: string | null, state: DayState): void {
    if (state === this.#first.state && day === this.#first.day) return;
    const isOther = day !== this.#first.day || state.kind !== 'loaded';
    this.#first = { day, state };
    if (isOther) this.#clear();
    this.retry();
  }

  vehicle(vehicle: MapVehicle, at: number): MapVehicle | null {
    if (this.#shown === null || this.state.kind !== 'loaded') return null;
    return vehicleAt({ vehicle, day: this.state.day, track: this.#shown.track }, at);
  }

  *places(): Generator<{ readonly x: number; readonly y: number }> {
    if (this.#shown !== null) yield* placesOf(this.#shown);
  }

  #clear(): void {
    this.#reading.abort();
    this.state = loading;
    this.#shown = null;
    this.#map.secondTrack = null;
  }

  async #read(): Promise<void> {
    if (this.vehicleId === null) return;
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const isNew = this.#shown === null;
    try {
      const day = await this.#source.day(this.vehicleId, this.#first.day, signal);
      if (!signal.aborted) this.#show(day, isNew);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProblemError)) throw error;
      // Keeps the displayed day, as for the selected vehicle.
      if (!isNew) return;
      this.state = { kind: 'failed', said: error.said };
      this.#onChange(false);
    }
  }

  #show(day: MapDay, isNew: boolean): void {
    this.#shown = shownDay(day, null);
    this.state = { kind: 'loaded', day };
    this.#map.secondTrack = new TrackPainter(this.#shown, 'dashed');
    this.#onChange(isNew);
  }
}
