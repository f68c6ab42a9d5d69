import { crossingsTo } from "./geofence-crossings.js";
import { Geofences } from "./geofences.js";
class GeofenceBoard {
  #rules;
  #geofences;
  /** Created, redrawn or deleted since the last `take`. */
  #changed = /* @__PURE__ */ new Set();
  /** The geofences that each vehicle is in. */
  #visits = /* @__PURE__ */ new Map();
  #vehicles = /* @__PURE__ */ new Map();
  /** The names of the geofences before the last answer, for events about deleted ones. */
  #namesBefore = /* @__PURE__ */ new Map();
  constructor(rules, previous = []) {
    this.#rules = rules;
    this.#geofences = new Geofences(rules);
    for (const { vehicleId, geofenceId } of previous) this.#visitsOf(vehicleId).add(geofenceId);
  }
  /** Returns the visits by the last answers. */
  visits() {
    const visits = [];
    for (const vehicle of this.#vehicles.values()) {
      for (const id of this.#visits.get(vehicle.vehicleId) ?? []) visits.push(this.#visit(vehicle, id));
    }
    return visits;
  }
  /** Takes the geofences as they are now. What an incomplete answer lacks stays. */
  setGeofences({ geofences, isComplete }) {
    const { geofenceIds } = this.#rules;
    const watched = geofences.filter(({ geofenceId }) => geofenceIds?.has(geofenceId) ?? true);
    this.#namesBefore = new Map([...this.#geofences.known].map(([id, { name }]) => [id, name]));
    const changed = this.#geofences.take({ geofences: watched, isComplete });
    this.#changed = /* @__PURE__ */ new Set([...this.#changed, ...changed]);
  }
  /** Takes all vehicles as they are now, and returns the visits that ended and began. */
  take(vehicles) {
    const before = this.#vehicles;
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const changes = [];
    for (const [id, inside] of [...this.#visits]) {
      const vehicle = before.get(id);
      if (this.#vehicles.has(id) || vehicle === void 0) continue;
      this.#visits.delete(id);
      for (const geofenceId of inside) changes.push(this.#change("left", vehicle, geofenceId, "vehicle"));
    }
    for (const vehicle of this.#vehicles.values()) {
      const isWhereItWas = isSamePlace(before.get(vehicle.vehicleId), vehicle);
      if (!isWhereItWas || this.#changed.size > 0) changes.push(...this.#moved(vehicle, isWhereItWas));
    }
    this.#changed = /* @__PURE__ */ new Set();
    return changes;
  }
  #moved(vehicle, isWhereItWas) {
    const { vehicleId, position } = vehicle;
    if (position === null) return [];
    const inside = this.#visitsOf(vehicleId);
    const { left, entered } = crossingsTo(position, inside, this.#geofences.known, this.#rules.hysteresisMetres);
    for (const geofenceId of left) inside.delete(geofenceId);
    for (const geofenceId of entered) inside.add(geofenceId);
    const change = (type, geofenceId) => this.#change(type, vehicle, geofenceId, this.#because(geofenceId, isWhereItWas));
    return [...left.map((id) => change("left", id)), ...entered.map((id) => change("entered", id))];
  }
  #because(geofenceId, isWhereItWas) {
    const isDeleted = this.#changed.has(geofenceId) && !this.#geofences.known.has(geofenceId);
    return isWhereItWas || isDeleted ? "geofence" : "vehicle";
  }
  #change(type, vehicle, geofenceId, because) {
    return { type, ...this.#visit(vehicle, geofenceId), because };
  }
  #visit(vehicle, geofenceId) {
    const name = this.#geofences.known.get(geofenceId)?.name ?? this.#namesBefore.get(geofenceId) ?? null;
    return { vehicle, geofence: { geofenceId, name } };
  }
  #visitsOf(vehicleId) {
    const visits = this.#visits.get(vehicleId) ?? /* @__PURE__ */ new Set();
    this.#visits.set(vehicleId, visits);
    return visits;
  }
}
function isSamePlace(one, other) {
  return one?.position !== void 0 && one.position?.latitude === other.position?.latitude && one.position?.longitude === other.position?.longitude;
}
export {
  GeofenceBoard
};
