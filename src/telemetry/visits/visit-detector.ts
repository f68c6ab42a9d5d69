// Finds the geofences that a vehicle visits, by its accepted positions in a trip or a period.

import { findCrossings } from '../events/geofence-crossings.js';
import type { Located } from '../position-cleaner.js';
import { type Shape, shapeOf } from '../watch/geofence-shape.js';

export type ShapesById = ReadonlyMap<string, { readonly shape: Shape | null }>;

/** Returns the shapes of geofences. Rows of `getGeofences` are assignable. */
export function shapesById(geofences: readonly { readonly id: string; readonly geojson: unknown }[]): ShapesById {
  return new Map(geofences.map(({ id, geojson }) => [id, { shape: shapeOf(geojson, undefined) }]));
}

/** Times in milliseconds since 1970. */
export interface StayInGeofence {
  readonly geofenceId: string;
  /** Null when it was inside before the first position. */
  readonly entered: number | null;
  /** Null when still inside at the last position. */
  readonly left: number | null;
  readonly lastSeen: number;
}

export class GeofenceVisits {
  readonly #geofences: ShapesById;
  /** The current visits by geofence id. */
  readonly #inside = new Map<string, { -readonly [Name in keyof StayInGeofence]: StayInGeofence[Name] }>();
  #all: StayInGeofence[] = [];
  #hasPosition = false;

  constructor(geofences: ShapesById) {
    this.#geofences = geofences;
  }

  takePosition(position: Located): void {
    const { time } = position;
    const { left, entered } = findCrossings(position, new Set(this.#inside.keys()), this.#geofences);
    for (const geofenceId of left) {
      const visit = this.#inside.get(geofenceId);
      if (visit) visit.left = time;
      this.#inside.delete(geofenceId);
    }
    for (const visit of this.#inside.values()) visit.lastSeen = time;
    // The first position is not an arrival.
    for (const geofenceId of entered) this.#begin(geofenceId, this.#hasPosition ? time : null, time);
    this.#hasPosition = true;
  }

  /** Drops earlier visits. Current ones continue, without their start. */
  restart(): void {
    const inside = [...this.#inside.values()];
    this.#all = [];
    for (const { geofenceId, lastSeen } of inside) this.#begin(geofenceId, null, lastSeen);
  }

  /** In the order of their start. */
  get stays(): readonly StayInGeofence[] {
    return this.#all;
  }

  #begin(geofenceId: string, entered: number | null, lastSeen: number): void {
    const visit = { geofenceId, entered, left: null, lastSeen };
    this.#inside.set(geofenceId, visit);
    this.#all.push(visit);
  }
}
