// Where a position is: in a geofence, or how far from the nearest one and in which direction. In words, `in Depot Tartu` or `2.3 km NE of
// Depot Tartu`, and as fields.
import { wholeNumber } from './humanize.js';

export interface Place {
  /** The geofence. */
  readonly id: string;
  readonly name: string;
  /** Metres from its edge; 0 inside. */
  readonly distanceM: number;
  /** The direction from the geofence to the position, such as `NE`; null inside. */
  readonly direction: string | null;
}

/** `340 m`, `2.3 km`, `1,204 km`. */
export function distanceText(metres: number): string {
  if (metres < 999.5) return `${Math.round(metres)} m`;
  const km = metres / 1_000;
  return km < 99.95 ? `${km.toFixed(1)} km` : `${wholeNumber(km)} km`;
}

/** The fields that a place adds to a row. `place` is where the position is; programs must not take the nearest geofence for a visit. */
export interface PlaceFields {
  /** The name of the geofence that the position is in; null outside of all. */
  readonly place?: string | null;
  readonly placeId?: string | null;
  /** The name of that geofence, or of the nearest one. */
  readonly nearestPlace?: string | null;
  /** Metres from its edge; 0 inside. */
  readonly nearestPlaceDistanceM?: number | null;
  /** The direction from it to the position, such as `NE`; null inside. */
  readonly nearestPlaceDirection?: string | null;
}

export const placeFields = [
  'place',
  'placeId',
  'nearestPlace',
  'nearestPlaceDistanceM',
  'nearestPlaceDirection',
] as const;

export function fieldsOfPlace(found: Place | null): Required<PlaceFields> {
  const inside = found?.distanceM === 0 ? found : null;
  return {
    place: inside?.name ?? null,
    placeId: inside?.id ?? null,
    nearestPlace: found?.name ?? null,
    nearestPlaceDistanceM: found === null ? null : Math.round(found.distanceM),
    nearestPlaceDirection: found?.direction ?? null,
  };
}

/** `2 km NE of Depot Tartu`, `NE of Depot Tartu`: the name says more than the distance, where there is no room for both. */
export function shortPlaceTexts({
  nearestPlace,
  nearestPlaceDistanceM,
  nearestPlaceDirection,
}: PlaceFields): readonly string[] {
  if (!nearestPlace) return [];
  if (!nearestPlaceDirection) return [nearestPlace];
  const km = (nearestPlaceDistanceM ?? 0) / 1_000;
  const place = `${nearestPlaceDirection} of ${nearestPlace}`;
  return [...(km < 1 ? [] : [`${wholeNumber(km)} km ${place}`]), place];
}

/** `in Depot Tartu`, or `2.3 km NE of Depot Tartu`. */
export function placeTextIn({ nearestPlace, nearestPlaceDistanceM, nearestPlaceDirection }: PlaceFields): string {
  if (!nearestPlace) return '';
  if (!nearestPlaceDirection) return `in ${nearestPlace}`;
  return `${distanceText(nearestPlaceDistanceM ?? 0)} ${nearestPlaceDirection} of ${nearestPlace}`;
}
