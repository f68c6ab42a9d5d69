// Which vehicle is in which geofence, and what an answer changes about it. A state machine without clock and requests.
import type { GeofenceVisit, KnownVisit, VisitEvent, WatchedGeofence, WatchedVehicle } from './events.js';
import type { GeofencesAnswer } from './fleet-reader.js';
import { crossingsTo } from './geofence-crossings.js';
import { type Shape, shapeOf } from './geofence-shape.js';

/** A change, without the time at which it is told. */
export type VisitChange = Omit<VisitEvent, 'at'>;

export interface GeofenceRules {
  /** A vehicle has left when it is farther than this from the edge. Default: 50. */
  readonly hysteresisMetres: number | undefined;
  /** The radius of points and lines that say none themselves. */
  readonly radiusMetres: number | undefined;
  /** Null: all. */
  readonly geofenceIds: ReadonlySet<string> | null;
}

interface KnownGeofence {
  readonly geofence: WatchedGeofence;
  /** The GeoJSON as text, to see when the geofence was redrawn. */
  readonly text: string;
  readonly shape: Shape | null;
}

export class GeofenceBoard {
  readonly #rules: GeofenceRules;
  #geofences: ReadonlyMap<string, KnownGeofence> = new Map();
  /** Created, redrawn or deleted since the last `take`. */
  #changed = new Set<string>();
  /** The geofences that each vehicle is in. */
  readonly #visits = new Map<string, Set<string>>();
  #vehicles: ReadonlyMap<string, WatchedVehicle> = new Map();
  /** Geofences that the last answer lacks, for the names in the events about them. */
  #deleted: ReadonlyMap<string, WatchedGeofence> = new Map();

  constructor(rules: GeofenceRules, previous: readonly KnownVisit[] = []) {
    this.#rules = rules;
    for (const { vehicleId, geofenceId } of previous) this.#visitsOf(vehicleId).add(geofenceId);
  }

  /** Who is where, by the last answers. */
  visits(): readonly GeofenceVisit[] {
    const visits: GeofenceVisit[] = [];
    for (const vehicle of this.#vehicles.values()) {
      for (const id of this.#visits.get(vehicle.vehicleId) ?? []) visits.push(this.#visit(vehicle, id));
    }
    return visits;
  }

  /** Takes the geofences as they are now. What an incomplete answer lacks stays. */
  setGeofences({ geofences, isComplete }: GeofencesAnswer): void {
    const { geofenceIds, radiusMetres } = this.#rules;
    const before = this.#geofences;
    const after = new Map(isComplete ? [] : before);
    for (const { geofenceId, name, geojson } of geofences) {
      if (geofenceIds !== null && !geofenceIds.has(geofenceId)) continue;
      const text = JSON.stringify(geojson) ?? '';
      const known = before.get(geofenceId);
      const shape = known?.text === text ? known.shape : shapeOf(geojson, radiusMetres);
      if (known?.text !== text) this.#changed.add(geofenceId);
      after.set(geofenceId, { geofence: { geofenceId, name }, text, shape });
    }
    for (const id of before.keys()) if (!after.has(id)) this.#changed.add(id);
    this.#geofences = after;
    this.#deleted = new Map([...before].filter(([id]) => !after.has(id)).map(([id, { geofence }]) => [id, geofence]));
  }

  /** Takes all vehicles as they are now, and returns who has left and who has entered. */
  take(vehicles: readonly WatchedVehicle[]): readonly VisitChange[] {
    const before = this.#vehicles;
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const changes: VisitChange[] = [];
    for (const [id, inside] of [...this.#visits]) {
      const vehicle = before.get(id);
      // A vehicle that the caller knew, and that no answer has had yet, may still come.
      if (this.#vehicles.has(id) || vehicle === undefined) continue;
      this.#visits.delete(id);
      for (const geofenceId of inside) changes.push(this.#change('left', vehicle, geofenceId, 'vehicle'));
    }
    for (const vehicle of this.#vehicles.values()) {
      const isWhereItWas = isSamePlace(before.get(vehicle.vehicleId), vehicle);
      if (!isWhereItWas || this.#changed.size > 0) changes.push(...this.#moved(vehicle, isWhereItWas));
    }
    this.#changed = new Set();
    return changes;
  }

  #moved(vehicle: WatchedVehicle, isWhereItWas: boolean): readonly VisitChange[] {
    const { vehicleId, position } = vehicle;
    if (position === null) return [];
    const inside = this.#visitsOf(vehicleId);
    const { left, entered } = crossingsTo(position, inside, this.#geofences, this.#rules.hysteresisMetres);
    for (const geofenceId of left) inside.delete(geofenceId);
    for (const geofenceId of entered) inside.add(geofenceId);
    const change = (type: VisitChange['type'], geofenceId: string) =>
      this.#change(type, vehicle, geofenceId, this.#because(geofenceId, isWhereItWas));
    return [...left.map((id) => change('left', id)), ...entered.map((id) => change('entered', id))];
  }

  #because(geofenceId: string, isWhereItWas: boolean): VisitChange['because'] {
    return isWhereItWas || (this.#changed.has(geofenceId) && !this.#geofences.has(geofenceId)) ? 'geofence' : 'vehicle';
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
    const known = this.#geofences.get(geofenceId)?.geofence ?? this.#deleted.get(geofenceId);
    return { vehicle, geofence: known ?? { geofenceId, name: null } };
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
