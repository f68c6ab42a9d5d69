// The geofences that a vehicle visits, by the positions that count: of a trip, or of any period.

import { crossingsTo } from '../events/geofence-crossings.js';
import type { Located } from '../position-cleaner.js';
import { type Shape, shapeOf } from '../watch/geofence-shape.js';

/** Geofences by id, with the shapes that positions are compared with. */
export type ShapesById = ReadonlyMap<string, { readonly shape: Shape | null }>;

/** Rows of `getGeofences` fit. */
export function shapesById(geofences: readonly { readonly id: string; readonly geojson: unknown }[]): ShapesById {
  return new Map(geofences.map(({ id, geojson }) => [id, { shape: shapeOf(geojson, undefined) }]));
}

/** Times in milliseconds since 1970. */
export interface StayInGeofence {
  readonly geofenceId: string;
  /** The first position inside; null when the vehicle was there before. */
  readonly entered: number | null;
  /** The first position outside; null when it was still there with the last position. */
  readonly left: number | null;
  /** The last position before it left. */
  readonly lastSeen: number;
}

export class GeofenceVisits {
  readonly #geofences: ShapesById;
  /** The visits that go on, by geofence. */
  readonly #inside = new Map<string, { -readonly [Name in keyof StayInGeofence]: StayInGeofence[Name] }>();
  #all: StayInGeofence[] = [];
  #hasPosition = false;

  constructor(geofences: ShapesById) {
    this.#geofences = geofences;
  }

  takePosition(position: Located): void {
    const { time } = position;
    const { left, entered } = crossingsTo(position, new Set(this.#inside.keys()), this.#geofences);
    for (const geofenceId of left) {
      const visit = this.#inside.get(geofenceId);
      if (visit) visit.left = time;
      this.#inside.delete(geofenceId);
    }
    for (const visit of this.#inside.values()) visit.lastSeen = time;
    // A first position is no arrival: the vehicle has not come from anywhere.
    for (const geofenceId of entered) this.#begin(geofenceId, this.#hasPosition ? time : null, time);
    this.#hasPosition = true;
  }

  /** Leaves out what came before: the vehicle is already where it is. */
  countFromHere(): void {
    const inside = [...this.#inside.values()];
    this.#all = [];
    for (const { geofenceId, lastSeen } of inside) this.#begin(geofenceId, null, lastSeen);
  }

  /** In the order in which they began. */
  get stays(): readonly StayInGeofence[] {
    return this.#all;
  }

  #begin(geofenceId: string, entered: number | null, lastSeen: number): void {
    const visit = { geofenceId, entered, left: null, lastSeen };
    this.#inside.set(geofenceId, visit);
    this.#all.push(visit);
  }
}
