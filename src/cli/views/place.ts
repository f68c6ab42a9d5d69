// Describes a position by a geofence: `in Depot Tartu` or `2.3 km NE of Depot Tartu`, or as fields.
import type { ViewColumn } from '../output/view.js';
import { wholeNumber } from './humanize.js';

export interface Place {
  readonly id: string;
  readonly name: string;
  /** In metres from the edge; 0 inside. */
  readonly distanceM: number;
  /** Direction from the geofence to the position, such as `NE`; null inside. */
  readonly direction: string | null;
}

/** Returns `340 m`, `2.3 km`, `1,204 km`. */
export function distanceText(metres: number): string {
  if (metres < 999.5) return `${Math.round(metres)} m`;
  const km = metres / 1_000;
  return km < 99.95 ? `${km.toFixed(1)} km` : `${wholeNumber(km)} km`;
}

/** The fields of a place. `place` is only set inside: the nearest geofence is no visit. */
export interface PlaceFields {
  /** The geofence around the position; null outside all geofences. */
  readonly place?: string | null;
  readonly placeId?: string | null;
  /** Name of `place`, or of the nearest geofence. */
  readonly nearestPlace?: string | null;
  /** In metres from the edge; 0 inside. */
  readonly nearestPlaceDistanceM?: number | null;
  /** Direction from the geofence to the position, such as `NE`; null inside. */
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

/** Returns shorter texts, the longest first: `2 km NE of Depot Tartu`, `NE of Depot Tartu`. */
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

/** Returns `in Depot Tartu`, or `2.3 km NE of Depot Tartu`. */
export function placeTextIn({ nearestPlace, nearestPlaceDistanceM, nearestPlaceDirection }: PlaceFields): string {
  if (!nearestPlace) return '';
  if (!nearestPlaceDirection) return `in ${nearestPlace}`;
  return `${distanceText(nearestPlaceDistanceM ?? 0)} ${nearestPlaceDirection} of ${nearestPlace}`;
}

/** The fields of a last position. */
export interface LocatedFields extends PlaceFields {
  /** Missing when the command did not read it. */
  readonly address?: string | null;
}

/** Returns PLACE and ADDRESS, which is omitted before the columns that every service has. */
export function placeColumns(
  fit: Readonly<Record<'min' | 'rank' | 'addressRank', number>> & Pick<ViewColumn<LocatedFields>, 'isExtra'>,
): readonly ViewColumn<LocatedFields>[] {
  return [
    { title: 'PLACE', text: placeTextIn, short: shortPlaceTexts, shows: placeFields, min: fit.min, rank: fit.rank },
    { title: 'ADDRESS', text: ({ address }) => address ?? '', min: 18, rank: fit.addressRank, isExtra: fit.isExtra },
  ];
}
