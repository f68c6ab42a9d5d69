import { crossingsTo } from "../events/geofence-crossings.js";
import { shapeOf } from "../watch/geofence-shape.js";
function shapesById(geofences) {
  return new Map(geofences.map(({ id, geojson }) => [id, { shape: shapeOf(geojson, void 0) }]));
}
class GeofenceVisits {
  #geofences;
  /** The visits that go on, by geofence. */
  #inside = /* @__PURE__ */ new Map();
  #all = [];
  #hasPosition = false;
  constructor(geofences) {
    this.#geofences = geofences;
  }
  takePosition(position) {
    const { time } = position;
    const { left, entered } = crossingsTo(position, new Set(this.#inside.keys()), this.#geofences);
    for (const geofenceId of left) {
      const visit = this.#inside.get(geofenceId);
      if (visit) visit.left = time;
      this.#inside.delete(geofenceId);
    }
    for (const visit of this.#inside.values()) visit.lastSeen = time;
    for (const geofenceId of entered) this.#begin(geofenceId, this.#hasPosition ? time : null, time);
    this.#hasPosition = true;
  }
  /** Leaves out what came before: the vehicle is already where it is. */
  countFromHere() {
    const inside = [...this.#inside.values()];
    this.#all = [];
    for (const { geofenceId, lastSeen } of inside) this.#begin(geofenceId, null, lastSeen);
  }
  /** In the order in which they began. */
  get stays() {
    return this.#all;
  }
  #begin(geofenceId, entered, lastSeen) {
    const visit = { geofenceId, entered, left: null, lastSeen };
    this.#inside.set(geofenceId, visit);
    this.#all.push(visit);
  }
}
export {
  GeofenceVisits,
  shapesById
};
