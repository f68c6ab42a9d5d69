// How trips are shown.
import type { Trip } from '../../index.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { positionText, timeColumn, wholeNumber } from './humanize.js';
import { tripMap } from './map-views.js';
import { placeTextIn } from './place.js';

/** With names and places, in tables and for several vehicles. */
export interface TripRow extends Trip {
  readonly vehicle?: string;
  /** The names of its drivers, separated by commas. */
  readonly driver?: string;
  /** The geofence that it starts in; null outside of all. The nearest one stands beside it. */
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
export const placesOfTrip = [
  ...['startPlace', 'startNearestPlace', 'startNearestPlaceDistanceM', 'startNearestPlaceDirection'],
  ...['endPlace', 'endNearestPlace', 'endNearestPlaceDistanceM', 'endNearestPlaceDirection'],
] as const;

export const tripView: View<TripRow> = {
  columns: [
    { title: 'STARTED', ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: 'ENDED', ...timeColumn(({ endedAt }) => endedAt, 'open'), paint: paintEnd, rank: 0 },
    { title: 'DURATION', text: ({ durationSeconds }) => duration(durationSeconds), align: 'right', rank: 2 },
    { title: 'DISTANCE', text: distanceOf, align: 'right', rank: 1 },
    { title: 'IDLE', text: ({ idleSeconds }) => duration(idleSeconds), align: 'right', rank: 4 },
    { title: 'TOP', text: ({ topSpeedKmh }) => speed(topSpeedKmh), align: 'right', rank: 3 },
    { title: 'HARSH', text: ({ harshEvents }) => harshCount(harshEvents), align: 'right', rank: 5 },
    { title: 'DRIVER', text: driverText, min: 10, rank: 6 },
    { title: 'FROM', text: startText, min: 16, rank: 7 },
    { title: 'TO', text: goalText, min: 16, rank: 8 },
  ],
  map: tripMap,
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

/** The trips of several vehicles, each with the name of its vehicle. Who drove is more than how fast. */
export const fleetTripView: View<TripRow> = {
  ...tripView,
  columns: [
    { title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 },
    ...tripView.columns.map((column) => (column.title === 'DRIVER' ? { ...column, rank: 1.5 } : column)),
  ],
  fields: [...namesOfTrip, ...tripView.fields, ...placesOfTrip],
};

function paintEnd(text: string, { isOpen }: TripRow, { colors }: RenderOptions): string {
  return isOpen ? colors.green(text) : text;
}

/** `~12.3 km` where another source disagrees. */
function distanceOf({ distanceKm, distanceDoubt }: TripRow): string {
  return `${distanceDoubt === null ? '' : '~'}${distanceKm.toFixed(1)} km`;
}

/** `1:07 h`, or `12 min`. */
function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
}

function speed(kmh: number | null): string {
  return kmh === null ? '' : `${wholeNumber(kmh)} km/h`;
}

function harshCount(events: Trip['harshEvents']): string {
  const count = Object.values(events).reduce((sum, value) => sum + value, 0);
  return count === 0 ? '' : String(count);
}

function driverText({ driver, driverIds }: TripRow): string {
  return driver ?? driverIds.join(', ');
}

function startText(trip: TripRow): string {
  const text = placeTextIn({
    nearestPlace: trip.startNearestPlace ?? null,
    nearestPlaceDistanceM: trip.startNearestPlaceDistanceM ?? null,
    nearestPlaceDirection: trip.startNearestPlaceDirection ?? null,
  });
  // The coordinates, when there is no geofence to name the position by.
  return text || positionText(trip.startPosition);
}

function goalText(trip: TripRow): string {
  const text = placeTextIn({
    nearestPlace: trip.endNearestPlace ?? null,
    nearestPlaceDistanceM: trip.endNearestPlaceDistanceM ?? null,
    nearestPlaceDirection: trip.endNearestPlaceDirection ?? null,
  });
  return text || positionText(trip.endPosition);
}
