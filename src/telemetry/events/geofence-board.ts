// The visits of vehicles in geofences and their changes: a state machine without clock.

import type { GeofenceVisit, PreviousVisit, VisitEvent, WatchedVehicle } from '../watch/events.js';
import { findCrossings } from './geofence-crossings.js';
import { Geofences, type GeofencesAnswer } from './geofences.js';

export type VisitChange = Omit<VisitEvent, 'at'>;

export interface GeofenceRules {
  /** The distance from the edge at which a vehicle has left. Default: 50. */
  readonly hysteresisMetres: number | undefined;
  /** For points and lines without a radius. */
  readonly radiusMetres: number | undefined;
  readonly geofenceIds: ReadonlySet<string> | null;
}

export class GeofenceBoard {
  readonly #rules: GeofenceRules;
  readonly #geofences: Geofences;
  /** Created, redrawn or deleted since the last `take`. */
  #changed: ReadonlySet<string> = new Set();
  readonly #visits = new Map<string, Set<string>>();
  #vehicles: ReadonlyMap<string, WatchedVehicle> = new Map();
  /** For events about deleted geofences. */
  #namesBefore: ReadonlyMap<string, string | null> = new Map();

  constructor(rules: GeofenceRules, previous: readonly PreviousVisit[] = []) {
    this.#rules = rules;
    this.#geofences = new Geofences(rules);
    for (const { vehicleId, geofenceId } of previous) this.#visitsOf(vehicleId).add(geofenceId);
  }

  visits(): readonly GeofenceVisit[] {
    const visits: GeofenceVisit[] = [];
    for (const vehicle of this.#vehicles.values()) {
      for (const id of this.#visits.get(vehicle.vehicleId) ?? []) visits.push(this.#visit(vehicle, id));
    }
    return visits;
  }

  /** Updates the geofences. Those missing from an incomplete answer stay. */
  setGeofences({ geofences, isComplete }: GeofencesAnswer): void {
    const { geofenceIds } = this.#rules;
    const watched = geofences.filter(({ geofenceId }) => geofenceIds?.has(geofenceId) ?? true);
    this.#namesBefore = new Map([...this.#geofences.byId].map(([id, { name }]) => [id, name]));
    const changed = this.#geofences.take({ geofences: watched, isComplete });
    this.#changed = new Set([...this.#changed, ...changed]);
  }

  /** Updates all vehicles, and returns the visits that ended and began. */
  take(vehicles: readonly WatchedVehicle[]): readonly VisitChange[] {
    const before = this.#vehicles;
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const changes: VisitChange[] = [];
    for (const [id, inside] of [...this.#visits]) {
      const vehicle = before.get(id);
      // A vehicle of the restored visits that no answer has listed yet may still come.
      if (this.#vehicles.has(id) || vehicle === undefined) continue;
      this.#visits.delete(id);
      for (const geofenceId of inside) changes.push(this.#change('left', vehicle, geofenceId, 'vehicle'));
    }
    for (const vehicle of this.#vehicles.values()) {
      const isAtSamePlace = isSamePlace(before.get(vehicle.vehicleId), vehicle);
      if (!isAtSamePlace || this.#changed.size > 0) changes.push(...this.#visitChanges(vehicle, isAtSamePlace));
    }
    this.#changed = new Set();
    return changes;
  }

  #visitChanges(vehicle: WatchedVehicle, isAtSamePlace: boolean): readonly VisitChange[] {
    const { vehicleId, position } = vehicle;
    if (position === null) return [];
    const inside = this.#visitsOf(vehicleId);
    const { left, entered } = findCrossings(position, inside, this.#geofences.byId, this.#rules.hysteresisMetres);
    for (const geofenceId of left) inside.delete(geofenceId);
    for (const geofenceId of entered) inside.add(geofenceId);
    const change = (type: VisitChange['type'], geofenceId: string) =>
      this.#change(type, vehicle, geofenceId, this.#causeOf(geofenceId, isAtSamePlace));
    return [...left.map((id) => change('left', id)), ...entered.map((id) => change('entered', id))];
  }

  #causeOf(geofenceId: string, isAtSamePlace: boolean): VisitChange['because'] {
    const isDeleted = this.#changed.has(geofenceId) && !this.#geofences.byId.has(geofenceId);
    return isAtSamePlace || isDeleted ? 'geofence' : 'vehicle';
  }

  #change(
    type: VisitChange['type'],
    vehicle: WatchedVehicle,
    geofenceId: string,
    because: VisitChange['because'],
  ): VisitChange {
    return { type, ...this.#visit(vehicle, geofenceId), because };
  }

  #visit(vehicle: WatchedVehicle, geofenceId: string): GeofenceVisit {
    const name = this.#geofences.byId.get(geofenceId)?.name ?? this.#namesBefore.get(geofenceId) ?? null;
    return { vehicle, geofence: { geofenceId, name } };
  }

  #visitsOf(vehicleId: string): Set<string> {
    const visits = this.#visits.get(vehicleId) ?? new Set();
    this.#visits.set(vehicleId, visits);
    return visits;
  }
}

function isSamePlace(one: WatchedVehicle | undefined, other: WatchedVehicle): boolean {
  return (
    one?.position !== undefined &&
    one.position?.latitude === other.position?.latitude &&
    one.position?.longitude === other.position?.longitude
  );
}
