// The views of stops.
import type { Stop } from '../../index.js';
import { totalOf } from '../output/total.js';
import type { View } from '../output/view.js';
import { hoursText, positionText, timeColumn } from './humanize.js';
import { stopMap } from './map-views.js';
import { type PlaceFields, placeFields, placeTextIn, shortPlaceTexts } from './place.js';

/** A stop with the names and places of tables and of several vehicles. */
export interface StopRow extends Stop, PlaceFields {
  readonly vehicle?: string;
  /** The names of its drivers, separated by commas. */
  readonly driver?: string;
}

export const stopView: View<StopRow> = {
  columns: [
    { title: 'STARTED', shows: ['startedAt'], ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: 'ENDED', shows: ['endedAt'], ...timeColumn(({ endedAt }) => endedAt, 'open'), rank: 0 },
    { title: 'DURATION', text: durationText, shows: ['durationSeconds'], align: 'right', rank: 1, inTotal: true },
    {
      title: 'IDLE',
      text: ({ idleSeconds }) => ((idleSeconds ?? null) === null ? '' : hoursText(Number(idleSeconds))),
      shows: ['idleSeconds'],
      align: 'right',
      rank: 2,
      inTotal: true,
    },
    { title: 'PLACE', text: placeText, short: shortPlaceTexts, shows: [...placeFields], min: 16, rank: 1.5 },
    { title: 'DRIVER', text: driverText, shows: ['driver', 'driverIds'], min: 10, rank: 3 },
  ],
  map: stopMap,
  nameLists: ['driver'],
  title: 'Stops',
  total: totalOf({ durationSeconds: 'sum', idleSeconds: 'sum', unseenSeconds: 'sum' }),
  added: Object.fromEntries(['vehicle', 'driver', ...placeFields].map((name) => [name, []])),
  fields: [
    ...['id', 'vehicleId', 'startedAt', 'endedAt', 'lastSeenAt', 'isOpen', 'endedBy', 'isStartKnown', 'driverIds'],
    ...['durationSeconds', 'idleSeconds', 'unseenSeconds', 'position.latitude', 'position.longitude'],
  ],
};

/** The stops of several vehicles, each with the name of its vehicle. */
export const fleetStopView: View<StopRow> = {
  ...stopView,
  columns: [{ title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 }, ...stopView.columns],
  fields: ['vehicle', 'driver', ...stopView.fields, ...placeFields],
};

/** `1:07 h`, or `12 min`; `≥` where it may have begun earlier. A total has no start. */
function durationText({ durationSeconds, isStartKnown }: StopRow): string {
  return `${isStartKnown === false ? '≥ ' : ''}${hoursText(durationSeconds)}`;
}

function placeText(stop: StopRow): string {
  // The coordinates, when there is no geofence to name the position by.
  return placeTextIn(stop) || positionText(stop.position);
}

function driverText({ driver, driverIds }: StopRow): string {
  return driver ?? driverIds.join(', ');
}
