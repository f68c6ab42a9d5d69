// The displayed vehicles: all current ones, or for a past time the selected and compared one.
import type { MapVehicle } from '../shapes.js';
import { MapFleet, type Marker } from './fleet.js';

export interface ChosenIds {
  readonly chosen: () => string | null;
  readonly compared: () => string | null;
}

/** Values of a vehicle whose past has not loaded. */
const nothing = {
  at: null,
  latitude: null,
  longitude: null,
  speed: null,
  heading: null,
  driver: null,
  place: null,
  status: 'unknown',
} as const;

export class ShownFleet {
  /** In a file, the state at the slider's time. */
  readonly latest = new MapFleet();
  #past: MapFleet | null = null;
  readonly #ids: ChosenIds;

  constructor(ids: ChosenIds) {
    this.#ids = ids;
  }

  /** Only vehicles whose day has loaded are known. */
  showPast(at: number, vehicles: readonly MapVehicle[]): void {
    this.#past ??= new MapFleet();
    this.#past.take({ kind: 'fleet', at, ageMs: 0, vehicles }, performance.now(), false);
  }

  showLatest(): void {
    this.#past = null;
  }

  get isPast(): boolean {
    return this.#past !== null;
  }

  /** Null for now. */
  get pastAt(): number | null {
    return this.#past?.at ?? null;
  }

  get fleet(): MapFleet {
    return this.#past ?? this.latest;
  }

  /** All vehicles, with past values where known. */
  get vehicles(): readonly MapVehicle[] {
    const past = this.#past?.markers;
    return [...this.latest.markers].map(([id, { vehicle }]) => past?.get(id)?.vehicle ?? vehicle);
  }

  hasState(vehicleId: string): boolean {
    return this.#past === null || this.#past.markers.has(vehicleId);
  }

  get marker(): Marker | null {
    return this.fleet.markers.get(this.#ids.chosen() ?? '') ?? null;
  }

  get chosen(): MapVehicle | null {
    return this.#latestOf(this.#ids.chosen());
  }

  /** Only the name is known when the past has not loaded. */
  get shownChosen(): MapVehicle | null {
    const { chosen } = this;
    if (this.#past === null || chosen === null) return chosen;
    return this.#past.markers.get(chosen.id)?.vehicle ?? { ...chosen, ...nothing };
  }

  get second(): MapVehicle | null {
    return this.#latestOf(this.#ids.compared());
  }

  get shownSecond(): MapVehicle | null {
    const { second } = this;
    return second === null ? null : (this.#past?.markers.get(second.id)?.vehicle ?? second);
  }

  #latestOf(vehicleId: string | null): MapVehicle | null {
    return this.latest.markers.get(vehicleId ?? '')?.vehicle ?? null;
  }
}
