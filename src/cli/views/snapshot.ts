// How snapshots are shown: position, speed, engine and fuel.
import type { Snapshot } from '../../index.js';
import { liveStatus } from '../../telemetry/live-status.js';
import type { RenderOptions } from '../output/render-options.js';
import type { Column, View } from '../output/view.js';
import { momentOf, positionText, wholeNumber } from './humanize.js';
import { snapshotPoint, snapshotTrack } from './map-views.js';
import { paintStatus, seenColumn, speedText } from './status.js';

/** The fields that tsv and csv print by default, of more than a hundred. */
const fields = [
  'vehicleId',
  'timestamp',
  'gps.latitude',
  'gps.longitude',
  'gps.speed',
  'gps.direction',
  'gps.altitude',
  'gps.satellites',
  'ignition.engineStatus',
  'driver.driverId',
  'canBus.canDistance',
  'canBus.canFuel',
  'canBus.canrpm',
  'fuel.fuel',
  'misc.power',
];

const engine: Column<Snapshot> = {
  title: 'ENGINE',
  text: ({ ignition }) => (typeof ignition?.engineStatus === 'boolean' ? (ignition.engineStatus ? 'on' : 'off') : ''),
  paint: (text, { ignition }, { colors }) => (ignition?.engineStatus === true ? colors.green(text) : colors.dim(text)),
  rank: 2,
};
const odometer: Column<Snapshot> = {
  title: 'ODOMETER',
  text: ({ canBus }) => unit(canBus?.canDistance, 'km'),
  align: 'right',
  rank: 5,
};
const driver: Column<Snapshot> = { title: 'DRIVER ID', text: (row) => row.driver?.driverId ?? '', rank: 7 };
// The contract defines no unit for it.
const fuel: Column<Snapshot> = { title: 'FUEL', text: (row) => unit(row.fuel?.fuel, ''), align: 'right', rank: 6 };
const position: Column<Snapshot> = { title: 'POSITION', text: ({ gps }) => positionText(gps), rank: 1 };

/** Snapshots of one vehicle in order of time. */
export const snapshotView: View<Snapshot> = {
  columns: [
    {
      title: 'TIME',
      text: ({ timestamp }) => {
        const moment = momentOf(timestamp);
        return moment === null ? '' : new Date(moment).toISOString();
      },
      rank: 0,
    },
    { title: 'SPEED', text: ({ gps }) => unit(gps?.speed, 'km/h'), align: 'right', rank: 1 },
    { title: 'HEADING', text: ({ gps }) => heading(gps?.direction), align: 'right', rank: 4 },
    position,
    engine,
    odometer,
    fuel,
    driver,
  ],
  fields,
  map: snapshotTrack,
};

/** One snapshot each of many vehicles. */
export function latestView(nameOf: (vehicleId: string) => string): View<Snapshot> {
  const status = (row: Snapshot, { now }: RenderOptions) => liveStatus(row, { now });
  return {
    columns: [
      { title: 'VEHICLE', text: ({ vehicleId }) => nameOf(vehicleId ?? ''), min: 10, rank: 0 },
      {
        title: 'STATUS',
        text: status,
        paint: (text, row, options) => paintStatus(text, status(row, options), options.colors),
        rank: 1,
      },
      seenColumn,
      {
        title: 'SPEED',
        text: (row, options) => speedText(row.gps?.speed, status(row, options)),
        align: 'right',
        rank: 2,
      },
      { ...position, rank: 3 },
      engine,
      odometer,
      fuel,
      { title: 'VEHICLE ID', text: ({ vehicleId }) => vehicleId ?? '', rank: 4 },
    ],
    fields,
    map: snapshotPoint(nameOf),
  };
}

function unit(value: number | null | undefined, name: string): string {
  return typeof value === 'number' ? `${wholeNumber(value)} ${name}`.trimEnd() : '';
}

const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

function heading(degrees: number | null | undefined): string {
  return typeof degrees === 'number' ? `${winds[Math.round(degrees / 45) % 8] ?? ''} ${Math.round(degrees)}°` : '';
}
