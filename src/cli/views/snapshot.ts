// Views of snapshots: position, speed, engine and fuel.

import type { Snapshot } from '../../index.js';
import { liveStatus } from '../../telemetry/live-status.js';
import { readFlag, readNumber } from '../../telemetry/readings.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View, ViewColumn } from '../output/view.js';
import { compassPoint } from './compass.js';
import { positionText, timeColumn, wholeNumber } from './humanize.js';
import { snapshotPointView, snapshotTrack } from './map-views.js';
import { type PlaceFields, placeFields, placeTextIn, shortPlaceTexts } from './place.js';
import { liveColumns, paintStatus, seenColumn, speedText } from './status.js';

/** The default fields of tsv and csv; a snapshot has more than a hundred. */
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

const engine: ViewColumn<Snapshot> = {
  title: 'ENGINE',
  text: ({ ignition }) => {
    const isOn = readFlag(ignition?.engineStatus);
    if (isOn === undefined) return String(ignition?.engineStatus);
    return isOn === null ? '' : isOn ? 'on' : 'off';
  },
  paint: (text, _row, { colors }) => (text === 'on' ? colors.green(text) : colors.dim(text)),
  rank: 2,
};
const odometer: ViewColumn<Snapshot> = {
  title: 'ODOMETER',
  text: ({ canBus }) => unit(canBus?.canDistance, 'km'),
  align: 'right',
  rank: 5,
};
const driver: ViewColumn<Snapshot> = { title: 'DRIVER ID', text: (row) => row.driver?.driverId ?? '', rank: 7 };
// The contract defines no unit for fuel.
const fuel: ViewColumn<Snapshot> = { title: 'FUEL', text: (row) => unit(row.fuel?.fuel, ''), align: 'right', rank: 6 };
export interface SnapshotRow extends Snapshot, PlaceFields {
  readonly vehicle?: string;
  readonly driverName?: string;
  readonly ordinal?: number;
}

const position: ViewColumn<Snapshot> = { title: 'POSITION', text: ({ gps }) => positionText(gps), rank: 1 };

const place: ViewColumn<SnapshotRow> = {
  title: 'PLACE',
  text: placeTextIn,
  short: shortPlaceTexts,
  shows: placeFields,
  min: 16,
  rank: 2.5,
};

const addedPlaces = Object.fromEntries(placeFields.map((name) => [name, ['gps.latitude', 'gps.longitude']]));

/** View of the snapshots of one vehicle, sorted by time. */
export const snapshotView: View<SnapshotRow> = {
  columns: [
    {
      title: 'TIME',
      ...timeColumn(({ timestamp }) => timestamp, '', 'second'),
      rank: 0,
    },
    { title: 'SPEED', text: ({ gps }) => unit(gps?.speed, 'km/h'), align: 'right', rank: 1 },
    { title: 'HEADING', text: ({ gps }) => heading(gps?.direction), align: 'right', rank: 4 },
    position,
    place,
    engine,
    odometer,
    fuel,
    driver,
  ],
  fields,
  map: snapshotTrack,
  added: { ...addedPlaces, vehicle: ['vehicleId'], driverName: ['driver.driverId'], ordinal: ['timestamp'] },
};

/** View of snapshots of several vehicles, with the names of vehicle and driver. */
export const fleetSnapshotView: View<SnapshotRow> = {
  ...snapshotView,
  columns: [
    { title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 },
    ...snapshotView.columns.filter((column) => column !== driver),
    { title: 'DRIVER', text: ({ driverName }) => driverName ?? '', min: 10, rank: 3 },
  ],
  fields: ['vehicle', 'driverName', ...fields],
};

/** Returns the view of one snapshot for each of many vehicles. */
export function latestView(nameOf: (vehicleId: string) => string): View<SnapshotRow> {
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
        text: (row, options) => speedText(readNumber(row.gps?.speed), status(row, options)),
        align: 'right',
        rank: 2,
      },
      place,
      { ...position, rank: 3 },
      engine,
      odometer,
      fuel,
      {
        title: 'VEHICLE ID',
        text: ({ vehicleId }) => vehicleId ?? '',
        namedBy: ({ vehicleId }) => nameOf(vehicleId ?? ''),
        rank: 4,
      },
    ],
    fields,
    map: snapshotPointView(nameOf),
    computed: liveColumns('', (row) => row),
    added: addedPlaces,
  };
}

/** Returns the number with its unit; a value that is no number is returned as text. */
function unit(value: unknown, name: string): string {
  const number = readNumber(value);
  if (number === undefined) return String(value);
  return number === null ? '' : `${wholeNumber(number)} ${name}`.trimEnd();
}

function heading(value: unknown): string {
  const degrees = readNumber(value);
  if (degrees === undefined) return String(value);
  return degrees === null ? '' : `${compassPoint(degrees)} ${Math.round(degrees)}°`;
}
