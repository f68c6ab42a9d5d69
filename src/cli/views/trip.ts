// Views of trips.
import type { Trip } from '../../index.js';
import type { RenderOptions } from '../output/render-options.js';
import { totalOf } from '../output/total.js';
import type { View, ViewColumn } from '../output/view.js';
import { hoursText, positionText, timeColumn, wholeNumber } from './humanize.js';
import { tripMap } from './map-views.js';
import { type PlaceFields, placeTextIn, shortPlaceTexts } from './place.js';

export interface TripRow extends Trip {
  readonly vehicle?: string;
  /** Names of the drivers, separated by commas. */
  readonly driver?: string;
  /** The geofence around the start; null outside all geofences. */
  readonly startPlace?: string | null;
  readonly startNearestPlace?: string | null;
  readonly startNearestPlaceDistanceM?: number | null;
  readonly startNearestPlaceDirection?: string | null;
  readonly endPlace?: string | null;
  readonly endNearestPlace?: string | null;
  readonly endNearestPlaceDistanceM?: number | null;
  readonly endNearestPlaceDirection?: string | null;
}

const namesOfTrip = ['vehicle', 'driver'] as const;
const placesOfStart = ['startPlace', 'startNearestPlace', 'startNearestPlaceDistanceM', 'startNearestPlaceDirection'];
const placesOfEnd = ['endPlace', 'endNearestPlace', 'endNearestPlaceDistanceM', 'endNearestPlaceDirection'];
export const placesOfTrip = [...placesOfStart, ...placesOfEnd] as const;

export const tripView: View<TripRow> = {
  columns: [
    { title: 'STARTED', shows: ['startedAt'], ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: 'ENDED', shows: ['endedAt'], ...timeColumn(({ endedAt }) => endedAt, 'open'), paint: paintEnd, rank: 0 },
    {
      title: 'DURATION',
      text: ({ durationSeconds }) => hoursText(durationSeconds),
      shows: ['durationSeconds'],
      align: 'right',
      rank: 2,
      inTotal: true,
    },
    { title: 'DISTANCE', text: distanceOf, shows: ['distanceKm'], align: 'right', rank: 1, inTotal: true },
    {
      title: 'IDLE',
      text: ({ idleSeconds }) => hoursText(idleSeconds),
      shows: ['idleSeconds'],
      align: 'right',
      rank: 4,
      inTotal: true,
    },
    {
      title: 'TOP',
      text: ({ topSpeedKmh }) => topSpeedText(topSpeedKmh),
      shows: ['topSpeedKmh'],
      align: 'right',
      rank: 3,
      inTotal: true,
    },
    { title: 'FUEL', text: fuelText, shows: ['fuelUsed', 'fuelBy'], align: 'right', rank: 4.5, inTotal: true },
    {
      title: 'HARSH',
      text: ({ harshEvents }) => harshCount(harshEvents),
      shows: ['harshEvents'],
      align: 'right',
      rank: 5,
      inTotal: true,
    },
    { title: 'DRIVER', text: driverText, shows: ['driver', 'driverIds'], min: 10, rank: 1.5 },
    { title: 'FROM', ...endColumn('start'), shows: placesOfStart, min: 16, rank: 7 },
    { title: 'TO', ...endColumn('end'), shows: placesOfEnd, min: 16, rank: 8 },
  ],
  map: tripMap,
  nameLists: ['driver'],
  title: 'Trips',
  total: totalOf({
    durationSeconds: 'sum',
    distanceKm: 'sum',
    movingSeconds: 'sum',
    idleSeconds: 'sum',
    unseenSeconds: 'sum',
    topSpeedKmh: 'max',
    fuelUsed: 'sum',
    fuelBy: 'same',
    harshEvents: 'sum',
    snapshots: 'sum',
  }),
  added: Object.fromEntries([...namesOfTrip, ...placesOfTrip].map((name) => [name, []])),
  fields: [
    'id',
    'vehicleId',
    'startedAt',
    'endedAt',
    'lastSeenAt',
    'isOpen',
    'endedBy',
    'isStartKnown',
    'tripsBy',
    'driverIds',
    'distanceKm',
    'distanceBy',
    'distanceDoubt',
    'durationSeconds',
    'movingSeconds',
    'idleSeconds',
    'unseenSeconds',
    'topSpeedKmh',
    'meanSpeedKmh',
    'fuelUsed',
    'fuelBy',
    'harshEvents',
    'startPosition.latitude',
    'startPosition.longitude',
    'endPosition.latitude',
    'endPosition.longitude',
    'snapshots',
  ],
};

/** View of the trips of several vehicles, with the name of the vehicle. */
export const fleetTripView: View<TripRow> = {
  ...tripView,
  columns: [{ title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 }, ...tripView.columns],
  fields: [...namesOfTrip, ...tripView.fields, ...placesOfTrip],
};

function paintEnd(text: string, { isOpen }: TripRow, { colors }: RenderOptions): string {
  return isOpen ? colors.green(text) : text;
}

/** Returns the distance, with `~` when another source disagrees. */
function distanceOf({ distanceKm, distanceDoubt }: TripRow): string {
  return `${(distanceDoubt ?? null) === null ? '' : '~'}${distanceKm.toFixed(1)} km`;
}

export function topSpeedText(kmh: number | null): string {
  return kmh === null ? '' : `${wholeNumber(kmh)} km/h`;
}

/** Only one counter is known to be in litres; the contract gives the others no unit. */
export function fuelText({
  fuelUsed,
  fuelBy,
}: {
  readonly fuelUsed: number | null;
  readonly fuelBy: string | null;
}): string {
  if (fuelUsed === null || fuelUsed === undefined) return '';
  return `${fuelUsed.toFixed(1)}${fuelBy === 'canTripFuelUsed' ? ' l' : ''}`;
}

function harshCount(events: Trip['harshEvents']): string {
  const count = Object.values(events).reduce((sum, value) => sum + value, 0);
  return count === 0 ? '' : String(count);
}

function driverText({ driver, driverIds }: TripRow): string {
  return driver ?? driverIds.join(', ');
}

type EndOfTrip = 'start' | 'end';

function placeOfEnd(trip: TripRow, end: EndOfTrip): PlaceFields {
  return {
    nearestPlace: trip[`${end}NearestPlace`] ?? null,
    nearestPlaceDistanceM: trip[`${end}NearestPlaceDistanceM`] ?? null,
    nearestPlaceDirection: trip[`${end}NearestPlaceDirection`] ?? null,
  };
}

function endColumn(end: EndOfTrip): Pick<ViewColumn<TripRow>, 'text' | 'short'> {
  return {
    // Coordinates if no geofence is near.
    text: (trip) => placeTextIn(placeOfEnd(trip, end)) || positionText(trip[`${end}Position`]),
    short: (trip) => shortPlaceTexts(placeOfEnd(trip, end)),
  };
}
