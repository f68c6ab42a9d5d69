// Finds the geofences that a vehicle leaves and enters with a position, for watches and trips.
import type { TripPosition } from '../trips/trip.js';
import { metresFromEdge, type Shape } from '../watch/geofence-shape.js';

/** The default distance from the edge at which a vehicle has left, above the error of positions. */
const DEFAULT_HYSTERESIS_METRES = 50;

export interface Crossings {
  readonly left: readonly string[];
  readonly entered: readonly string[];
}

/** Returns the crossings of a position. `inside`: the ids before. No vehicle is in a null shape. */
export function findCrossings(
  position: TripPosition,
  inside: ReadonlySet<string>,
  geofences: ReadonlyMap<string, { readonly shape: Shape | null }>,
  hysteresisMetres = DEFAULT_HYSTERESIS_METRES,
): Crossings {
  const left: string[] = [];
  for (const id of inside) {
    const shape = geofences.get(id)?.shape ?? null;
    if (shape === null || metresFromEdge(shape, position, hysteresisMetres) > hysteresisMetres) left.push(id);
  }
  const entered: string[] = [];
  for (const [id, { shape }] of geofences) {
    if (shape !== null && !inside.has(id) && metresFromEdge(shape, position, 0) <= 0) entered.push(id);
  }
  return { left, entered };
}
