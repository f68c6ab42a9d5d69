// Selects the part of the map to show until the user moves it.
import type { FleetMap } from './fleet-map.js';
import type { SharedView } from './share-link.js';

type Places = Iterable<{ readonly x: number; readonly y: number }>;

export class MapPart {
  readonly #map: FleetMap;
  #hasBegun = false;
  /** View of a link until it is shown. */
  #linked: SharedView['map'] = null;
  /** True after a link has set the view, until the user selects another day or vehicle. */
  #isLinked = false;

  constructor(map: FleetMap) {
    this.#map = map;
  }

  link(view: SharedView['map']): void {
    this.#linked = view;
    this.#isLinked = view !== null;
    if (view !== null && this.#hasBegun) this.#map.camera.view = view;
  }

  unlink(): void {
    this.#isLinked = false;
    this.#linked = null;
  }

  /** Shows the first vehicles. `chosen`: null when neither a day nor a geofence will follow. */
  begin(places: Places, chosen: { readonly place: { readonly x: number; readonly y: number } | null } | null): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#map.camera.fit(places);
    if (chosen !== null && chosen.place !== null) this.#map.camera.show(chosen.place.x, chosen.place.y);
    if (this.#linked !== null) this.#map.camera.view = this.#linked;
    if (chosen === null) this.#linked = null;
  }

  showFirst(places: Places): void {
    this.#hasBegun = true;
    if (this.#linked === null) this.#map.camera.fit(places);
    else this.#map.camera.view = this.#linked;
    this.#linked = null;
  }

  showSecond(places: Places): void {
    if (!this.#isLinked) this.#map.camera.fit(places);
  }
}
