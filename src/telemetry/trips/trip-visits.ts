// The geofences that a vehicle visits in a trip, by the positions that count.
import type { Located } from '../position-cleaner.js';
import { crossingsTo } from '../watch/geofence-crossings.js';
import { type Shape, shapeOf } from '../watch/geofence-shape.js';
import type { TripGeofence, TripVisit } from './trip.js';

/** Geofences by id, with the shapes that positions are compared with. */
export type TripGeofences = ReadonlyMap<string, { readonly shape: Shape | null }>;

export function tripGeofences(geofences: readonly TripGeofence[]): TripGeofences {
  return new Map(geofences.map(({ id, geojson }) => [id, { shape: shapeOf(geojson, undefined) }]));
}

interface Visit {
  readonly geofenceId: string;
  /** Milliseconds since 1970; null when it was there before. */
  readonly entered: number | null;
  left: number | null;
}

export class TripVisits {
  readonly #geofences: TripGeofences;
  /** The visits that go on, by geofence. */
  readonly #inside = new Map<string, Visit>();
  #visits: Visit[] = [];
  #hasPosition = false;

  constructor(geofences: TripGeofences) {
    this.#geofences = geofences;
  }

  takePosition(position: Located): void {
    const { left, entered } = crossingsTo(position, new Set(this.#inside.keys()), this.#geofences);
    for (const geofenceId of left) {
      const visit = this.#inside.get(geofenceId);
      if (visit) visit.left = position.time;
      this.#inside.delete(geofenceId);
    }
    // With its first position the vehicle has not come from anywhere.
    for (const geofenceId of entered) this.#begin(geofenceId, this.#hasPosition ? position.time : null);
    this.#hasPosition = true;
  }

  /** Leaves out what came before: the vehicle is already where it is. */
  countFromHere(): void {
    const inside = [...this.#inside.keys()];
    this.#visits = [];
    for (const geofenceId of inside) this.#begin(geofenceId, null);
  }

  toVisits(): readonly TripVisit[] {
    return this.#visits.map(({ geofenceId, entered, left }) => ({
      geofenceId,
      enteredAt: entered === null ? null : new Date(entered).toISOString(),
      leftAt: left === null ? null : new Date(left).toISOString(),
    }));
  }

  #begin(geofenceId: string, entered: number | null): void {
    const visit = { geofenceId, entered, left: null };
    this.#inside.set(geofenceId, visit);
    this.#visits.push(visit);
  }
}
