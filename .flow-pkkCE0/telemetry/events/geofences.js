import { hashedName } from "../../core/hashed-name.js";
import { shapeOf } from "../watch/geofence-shape.js";
const REFRESH_MS = 6e5;
const UNREADABLE = "";
class Geofences {
  #options;
  #known = /* @__PURE__ */ new Map();
  /** The hash of each geofence by id; null before the first answer. */
  #hashes;
  /** `hashes`: those of an earlier watch, to compare the first answer with. */
  constructor(options = {}, hashes = null) {
    this.#options = options;
    this.#hashes = hashes;
  }
  get known() {
    return this.#known;
  }
  /** The names of the geofences whose GeoJSON cannot be read. */
  get unreadable() {
    return [...this.#known].flatMap(([id, { name, hash }]) => hash === UNREADABLE ? [name ?? id] : []);
  }
  get hashes() {
    return this.#hashes;
  }
  /** Takes an answer, and returns the ids of geofences that were created, redrawn or deleted. */
  take({ geofences, isComplete }) {
    const known = new Map(isComplete ? [] : this.#known);
    for (const { geofenceId, name, geojson } of geofences) {
      known.set(geofenceId, { name, ...this.#shapeOf(geojson, this.#known.get(geofenceId)) });
    }
    const before = this.#hashes ?? /* @__PURE__ */ new Map();
    const after = new Map([...known].map(([id, { hash }]) => [id, hash]));
    this.#known = known;
    this.#hashes = after;
    return new Set([...after.keys(), ...before.keys()].filter((id) => before.get(id) !== after.get(id)));
  }
  /**
   * A geofence may be nested too deeply for any program. It must not end the watch of the others.
   */
  #shapeOf(geojson, before) {
    try {
      const hash = hashedName(JSON.stringify(geojson) ?? "");
      const shape = before?.hash === hash ? before.shape : shapeOf(geojson, this.#options.radiusMetres);
      return { hash, shape };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { hash: UNREADABLE, shape: null };
    }
  }
}
export {
  Geofences,
  REFRESH_MS
};
