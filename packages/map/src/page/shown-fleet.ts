// The vehicles on the screen: all of now, or at a time of the past the chosen one and the one that it is compared with.
import type { MapVehicle } from '../shapes.js';
import { Fleet, type Marker } from './fleet.js';

export interface ChosenIds {
  readonly chosen: () => string | null;
  /** The vehicle that it is compared with. */
  readonly compared: () => string | null;
}

/** What is not known of a vehicle whose past is not there. */
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
  /** Of now, or in a file of the time of the slider. */
  readonly latest = new Fleet();
  /** Null while all of the screen is of now. */
  #past: Fleet | null = null;
  readonly #ids: ChosenIds;

  constructor(ids: ChosenIds) {
    this.#ids = ids;
  }

  /** Of the past only those are known whose day is there. */
  showPast(at: number, vehicles: readonly MapVehicle[]): void {
    this.#past ??= new Fleet();
    this.#past.take({ kind: 'fleet', at, ageMs: 0, vehicles }, performance.now(), false);
  }

  showLatest(): void {
    this.#past = null;
  }

  get isPast(): boolean {
    return this.#past !== null;
  }

  /** The time of the past that is shown; null for now. */
  get pastAt(): number | null {
    return this.#past?.at ?? null;
  }

  get fleet(): Fleet {
    return this.#past ?? this.latest;
  }

  /** All of now, or with the values of the past where these are known. */
  get vehicles(): readonly MapVehicle[] {
    const past = this.#past?.markers;
    return [...this.latest.markers].map(([id, { vehicle }]) => past?.get(id)?.vehicle ?? vehicle);
  }

  /** Whether anything is known of a vehicle at the time that is shown. */
  knows(vehicleId: string): boolean {
    return this.#past === null || this.#past.markers.has(vehicleId);
  }

  /** Where the chosen vehicle is shown. */
  get marker(): Marker | null {
    return this.fleet.markers.get(this.#ids.chosen() ?? '') ?? null;
  }

  /** The chosen vehicle as it is now. */
  get chosen(): MapVehicle | null {
    return this.#latestOf(this.#ids.chosen());
  }

  /** The chosen vehicle as it is shown; of one whose past is not there only the name. */
  get shownChosen(): MapVehicle | null {
    const { chosen } = this;
    if (this.#past === null || chosen === null) return chosen;
    return this.#past.markers.get(chosen.id)?.vehicle ?? { ...chosen, ...nothing };
  }

  /** The vehicle that it is compared with, as it is now. */
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
