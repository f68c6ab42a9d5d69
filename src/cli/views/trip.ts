// How trips are shown.
import type { Trip } from '../../index.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { positionText, wholeNumber } from './humanize.js';
import { tripMap } from './map-views.js';

/** In tables, with the names of the drivers where they are known. */
export interface TripRow extends Trip {
  readonly drivers?: readonly string[];
}

export const tripView: View<TripRow> = {
  columns: [
    { title: 'STARTED', text: ({ startedAt }) => minute(startedAt), rank: 0 },
    { title: 'ENDED', text: endText, paint: paintEnd, rank: 0 },
    { title: 'DURATION', text: ({ durationSeconds }) => duration(durationSeconds), align: 'right', rank: 2 },
    { title: 'DISTANCE', text: ({ distanceKm }) => `${distanceKm.toFixed(1)} km`, align: 'right', rank: 1 },
    { title: 'IDLE', text: ({ idleSeconds }) => duration(idleSeconds), align: 'right', rank: 4 },
    { title: 'TOP', text: ({ topSpeedKmh }) => speed(topSpeedKmh), align: 'right', rank: 3 },
    { title: 'HARSH', text: ({ harshEvents }) => harshCount(harshEvents), align: 'right', rank: 5 },
    { title: 'DRIVER', text: driverText, min: 10, rank: 6 },
    { title: 'FROM', text: ({ startPosition }) => positionText(startPosition), rank: 7 },
    { title: 'TO', text: ({ endPosition }) => positionText(endPosition), rank: 8 },
  ],
  map: tripMap,
  fields: [
    'id',
    'vehicleId',
    'startedAt',
    'endedAt',
    'lastSeenAt',
    'isOpen',
    'endedBy',
    'isStartKnown',
    'driverIds',
    'distanceKm',
    'distanceBy',
    'durationSeconds',
    'movingSeconds',
    'idleSeconds',
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

/** `2026-03-02 07:41Z`: to the minute, in UTC. */
function minute(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;
}

function endText({ endedAt }: TripRow): string {
  return endedAt === null ? 'open' : minute(endedAt);
}

function paintEnd(text: string, { isOpen }: TripRow, { colors }: RenderOptions): string {
  return isOpen ? colors.green(text) : text;
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
  const count = Object.values(events).reduce((sum, one) => sum + one, 0);
  return count === 0 ? '' : String(count);
}

function driverText({ drivers, driverIds }: TripRow): string {
  return (drivers ?? driverIds).join(', ');
}
