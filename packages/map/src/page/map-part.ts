// Which part of the map is shown before anybody moves it: all vehicles, the whole day of the chosen one, a geofence, or what a link names.
import type { FleetMap } from './fleet-map.js';
import type { SharedView } from './share-link.js';

type Places = Iterable<{ readonly x: number; readonly y: number }>;

export class MapPart {
  readonly #map: FleetMap;
  #hasBegun = false;
  /** What a link names, until it is shown. */
  #linked: SharedView['map'] = null;
  /** Whether a link has named it, and nobody has chosen another day or vehicle since. */
  #isLinked = false;

  constructor(map: FleetMap) {
    this.#map = map;
  }

  /** Null: the link names none. */
  link(view: SharedView['map']): void {
    this.#linked = view;
    this.#isLinked = view !== null;
    if (view !== null && this.#hasBegun) this.#map.camera.view = view;
  }

  /** Somebody has chosen another day or vehicle. */
  unlink(): void {
    this.#isLinked = false;
    this.#linked = null;
  }

  /** With the first vehicles. `chosen`: null when neither a day nor a geofence will come. */
  begin(places: Places, chosen: { readonly place: { readonly x: number; readonly y: number } | null } | null): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#map.camera.fit(places);
    if (chosen !== null && chosen.place !== null) this.#map.camera.show(chosen.place.x, chosen.place.y);
    if (this.#linked !== null) this.#map.camera.view = this.#linked;
    if (chosen === null) this.#linked = null;
  }

  /** A day, or the geofence of a link, is on the screen for the first time. */
  showFirst(places: Places): void {
    this.#hasBegun = true;
    if (this.#linked === null) this.#map.camera.fit(places);
    else this.#map.camera.view = this.#linked;
    this.#linked = null;
  }

  /** The track of a second vehicle is on the screen for the first time. */
  showSecond(places: Places): void {
    if (!this.#isLinked) this.#map.camera.fit(places);
  }
}
