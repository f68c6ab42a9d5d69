// Which geofences a vehicle leaves and enters with a position: for watches, and for the trips of a period.
import type { TripPosition } from '../trips/trip.js';
import { metresFromEdge, type Shape } from '../watch/geofence-shape.js';

/** A vehicle has left when it is farther than this from the edge, unless the caller says otherwise: positions are accurate to some metres. */
const DEFAULT_HYSTERESIS_METRES = 50;

export interface Crossings {
  readonly left: readonly string[];
  readonly entered: readonly string[];
}

/** `inside`: the geofences that it was in, by id. Those of `known` without a shape are nowhere. */
export function crossingsTo(
  position: TripPosition,
  inside: ReadonlySet<string>,
  known: ReadonlyMap<string, { readonly shape: Shape | null }>,
  hysteresisMetres = DEFAULT_HYSTERESIS_METRES,
): Crossings {
  const left: string[] = [];
  for (const id of inside) {
    const shape = known.get(id)?.shape ?? null;
    if (shape === null || metresFromEdge(shape, position, hysteresisMetres) > hysteresisMetres) left.push(id);
  }
  const entered: string[] = [];
  for (const [id, { shape }] of known) {
    if (shape !== null && !inside.has(id) && metresFromEdge(shape, position, 0) <= 0) entered.push(id);
  }
  return { left, entered };
}
