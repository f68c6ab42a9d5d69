// The vehicles that pass search and filter, and the found geofences below them.
import type { MapVehicle } from '../shapes.js';
import { find } from './dom.js';
import type { Fence } from './fence.js';
import type { Filters } from './filters.js';
import type { Marker } from './fleet.js';
import type { Formats } from './format.js';
import type { Header } from './header.js';
import { arranged, NameOrder, placesMatching } from './list-order.js';
import type { ScreenTime } from './screen-time.js';
import type { ShownFleet } from './shown-fleet.js';
import { VehicleList } from './vehicle-list.js';

export interface FoundModel {
  readonly formats: Formats;
  readonly filters: Filters;
  readonly header: Header;
  readonly shown: ShownFleet;
  readonly time: ScreenTime;
  readonly chosenId: () => string | null;
  readonly fences: () => readonly Fence[];
  readonly chosenFence: () => Fence | null;
}

export interface FoundEvents {
  choose(vehicleId: string): void;
  choosePlace(fence: Fence): void;
  /** `isDrawn`: the map must be redrawn. */
  listed(isDrawn: boolean): void;
  fit(markers: readonly Marker[]): void;
}

export class FoundVehicles {
  readonly #model: FoundModel;
  readonly #events: FoundEvents;
  readonly #names = new NameOrder();
  readonly #list: VehicleList;
  readonly #fit = find('fit-found', HTMLButtonElement);
  #ids: ReadonlySet<string> | null = null;
  #places: readonly Fence[] = [];
  #count = 0;
  #countText = '';
  #timer = 0;

  constructor(model: FoundModel, events: FoundEvents) {
    this.#model = model;
    this.#events = events;
    this.#list = new VehicleList(model.formats, (chosen) => {
      if ('geofence' in chosen) events.choosePlace(chosen);
      else events.choose(chosen.id);
    });
    this.#fit.addEventListener('click', () => events.fit(this.#markers));
    find('query', HTMLInputElement).addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault();
        this.#list.focus();
      }
      if (event.key !== 'Enter') return;
      const [place] = this.#places;
      if (this.#count === 0 && place !== undefined) events.choosePlace(place);
      else events.fit(this.#markers);
    });
  }

  /** Null for all. */
  get ids(): ReadonlySet<string> | null {
    return this.#ids;
  }

  get countText(): string {
    return this.#countText;
  }

  get latest(): readonly MapVehicle[] {
    const { filters, shown } = this.#model;
    const vehicles = [...shown.latest.markers.values()].map(({ vehicle }) => vehicle);
    return arranged(vehicles, filters.filter(), this.#names);
  }

  /** Combines several changes into one update of the list. */
  showSoon(isBusy: boolean): void {
    if (this.#timer !== 0) return;
    const isSlow = isBusy || this.#model.shown.latest.markers.size > 1_000;
    this.#timer = window.setTimeout(() => this.show(), isSlow ? 400 : 60);
  }

  show(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const { formats, filters, header, shown, time, chosenId, fences, chosenFence } = this.#model;
    const { vehicles } = shown;
    const wish = filters.filter();
    const found = arranged(vehicles, wish, this.#names);
    this.#count = found.length;
    this.#places = placesMatching(fences(), wish.query);
    const hasPlaces = this.#places.length > 0;
    // A search for a place keeps all vehicles, to show those near it.
    const isFiltered = found.length !== vehicles.length && !(found.length === 0 && hasPlaces);
    const wasFiltered = this.#ids !== null;
    this.#ids = isFiltered ? new Set(found.map(({ id }) => id)) : null;
    const selectedId = chosenId() ?? chosenFence()?.geofence.id ?? null;
    this.#list.show(this.#withChosen(found, vehicles), this.#places, selectedId, {
      now: time.shownNow,
      time: time.time,
      hasState: (id) => shown.hasState(id),
    });
    filters.showCounts(vehicles);
    filters.showFound(found.length + this.#places.length, vehicles.length);
    this.#fit.hidden = !isFiltered || found.length === 0;
    this.#countText = header.countText(found.length, vehicles.length, this.#places.length);
    header.showCount(shown.latest.at === null ? formats.language.text('waiting') : this.#countText);
    this.#events.listed(isFiltered || wasFiltered);
  }

  /** Keeps the row of the selected vehicle, whatever the search finds. */
  #withChosen(found: readonly MapVehicle[], vehicles: readonly MapVehicle[]): readonly MapVehicle[] {
    const id = this.#model.chosenId();
    if (id === null || found.length === vehicles.length || found.some((vehicle) => vehicle.id === id)) return found;
    return [...vehicles.filter((vehicle) => vehicle.id === id), ...found];
  }

  get #markers(): readonly Marker[] {
    const { markers } = this.#model.shown.fleet;
    return [...(this.#ids ?? markers.keys())].flatMap((id) => markers.get(id) ?? []);
  }
}
