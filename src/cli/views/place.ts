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

/** The fields that a place adds to a row of a machine format. */
export interface PlaceFields {
  /** The name of the geofence. */
  readonly place?: string | null;
  readonly placeId?: string | null;
  readonly placeDistanceM?: number | null;
  readonly placeDirection?: string | null;
}

export const placeFields = ['place', 'placeId', 'placeDistanceM', 'placeDirection'] as const;

export function fieldsOfPlace(place: Place | null): Required<PlaceFields> {
  return {
    place: place?.name ?? null,
    placeId: place?.id ?? null,
    placeDistanceM: place === null ? null : Math.round(place.distanceM),
    placeDirection: place?.direction ?? null,
  };
}

/** `in Depot Tartu`, or `2.3 km NE of Depot Tartu`. */
export function placeTextIn({ place, placeDistanceM, placeDirection }: PlaceFields): string {
  if (!place) return '';
  if (!placeDirection) return `in ${place}`;
  return `${distanceText(placeDistanceM ?? 0)} ${placeDirection} of ${place}`;
}
