// Views of stops.
import type { Stop } from '../../index.js';
import { totalOf } from '../output/total.js';
import type { View } from '../output/view.js';
import { hoursText, positionText, timeColumn } from './humanize.js';
import { stopMap } from './map-views.js';
import { type PlaceFields, placeFields, placeTextIn, shortPlaceTexts } from './place.js';

export interface StopRow extends Stop, PlaceFields {
  readonly vehicle?: string;
  /** Names of the drivers, separated by commas. */
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

/** View of the stops of several vehicles, with the name of the vehicle. */
export const fleetStopView: View<StopRow> = {
  ...stopView,
  columns: [{ title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 }, ...stopView.columns],
  fields: ['vehicle', 'driver', ...stopView.fields, ...placeFields],
};

/** Returns `1:07 h`, or `12 min`; with `≥` when the start is unknown. */
function durationText({ durationSeconds, isStartKnown }: StopRow): string {
  return `${isStartKnown === false ? '≥ ' : ''}${hoursText(durationSeconds)}`;
}

function placeText(stop: StopRow): string {
  // Coordinates if no geofence is near.
  return placeTextIn(stop) || positionText(stop.position);
}

function driverText({ driver, driverIds }: StopRow): string {
  return driver ?? driverIds.join(', ');
}
