// How the live status of vehicles is shown, and the summary of a fleet.
import { type LiveSnapshot, type LiveStatus, liveStatus, liveStatuses } from '../../telemetry/live-status.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { Colors } from '../io/colors.js';
import { type Computed, type MapView, mapFormats, type View, type ViewColumn } from '../output/view.js';
import { positionText, shortAge, wholeNumber } from './humanize.js';
import { pointOf } from './map-views.js';
import { type PlaceFields, placeFields, placeTextIn, shortPlaceTexts } from './place.js';

/**
 * A vehicle with its last snapshot and its driver; not a record of the contract. A status of the
 * past has neither direction nor drivers.
 */
export interface StatusRow extends PlaceFields {
  readonly id: string | null;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly status: LiveStatus;
  readonly deactivated: boolean;
  /** The timestamp of the last snapshot, as the service sent it. */
  readonly timestamp: string | number | null;
  /** km/h */
  readonly speed: number | null;
  /** Degrees clockwise from north. */
  readonly direction?: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly engineStatus: boolean | null;
  /** The driver who is assigned now. */
  readonly driverId?: string | null;
  /** Their name. */
  readonly driver?: string | null;
  /** The driver whom the last snapshot identifies. */
  readonly identifiedDriverId?: string | null;
  readonly identifiedDriver?: string | null;
}

/** Shown only for a moving vehicle: the speed in an old snapshot is outdated, and that of a standing vehicle is noise. */
export function speedText(speed: number | null | undefined, status: LiveStatus): string {
  return typeof speed === 'number' && status === 'moving' ? `${wholeNumber(speed)} km/h` : '';
}

export function paintStatus(text: string, status: LiveStatus, colors: Colors): string {
  if (status === 'moving') return colors.green(text);
  if (status === 'idling') return colors.yellow(text);
  return status === 'offline' ? colors.red(text) : colors.dim(text);
}

/** `25 vehicles: 9 moving, 16 stopped`; a status without vehicles is left out. */
export function countsText(rows: readonly { readonly status: LiveStatus }[]): string {
  const counts = liveStatuses.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count > 0 ? `${wholeNumber(count)} ${status}` : [];
  });
  return `${wholeNumber(rows.length)} ${rows.length === 1 ? 'vehicle' : 'vehicles'}: ${counts.join(', ')}`;
}

/** A point at the last known position. */
const statusMap: MapView<StatusRow> = {
  formats: mapFormats,
  position: ['latitude', 'longitude'],
  needs: ['id', 'name', 'timestamp'],
  featureOf: ({ id, name, timestamp, latitude, longitude }) =>
    pointOf({ vehicleId: id, timestamp, gps: { latitude, longitude } }, name, id ?? undefined),
};

/** What a table shows as the status: that of a deactivated vehicle says nothing about it. */
export function shownStatus(status: LiveStatus, deactivated: boolean | null | undefined): string {
  return deactivated === true ? 'deactivated' : status;
}

/** The age of the last snapshot. */
export const seenColumn: ViewColumn<{ readonly timestamp?: string | number | null }> = {
  title: 'SEEN',
  text: ({ timestamp }, { now }) => {
    const moment = timestampMs(timestamp);
    return moment === null ? '' : shortAge(moment, now);
  },
  shows: ['timestamp'],
  align: 'right',
  rank: 1,
};

/** What the STATUS and SEEN columns show, for --filter and --sort. `lastSnapshot`: the path of the snapshot, with its dot. */
export function liveColumns<Row>(
  lastSnapshot: string,
  snapshotOf: (row: Row) => LiveSnapshot | null | undefined,
): Readonly<Record<string, Computed<Row>>> {
  const parts = ['timestamp', 'gps.speed', 'ignition.engineStatus', 'canBus.canSpeed', 'canBus.canWheelSpeed'];
  return {
    status: {
      kind: 'text',
      needs: parts.map((part) => `${lastSnapshot}${part}`),
      value: (row, now) => liveStatus(snapshotOf(row), { now }),
      values: liveStatuses,
    },
    seen: {
      kind: 'age',
      needs: [`${lastSnapshot}timestamp`],
      value: (row) => snapshotOf(row)?.timestamp ?? null,
      values: null,
    },
  };
}

export const statusView: View<StatusRow> = {
  map: statusMap,
  computed: {
    seen: { kind: 'age', needs: [], shows: ['timestamp'], value: ({ timestamp }) => timestamp, values: null },
  },
  values: { status: liveStatuses },
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'PLATE', text: ({ licensePlate }) => licensePlate ?? '', shows: ['licensePlate'], min: 8, rank: 4 },
    {
      title: 'STATUS',
      text: ({ status, deactivated }) => shownStatus(status, deactivated),
      paint: (text, { status, deactivated }, { colors }) =>
        deactivated ? colors.dim(text) : paintStatus(text, status, colors),
      rank: 0,
    },
    seenColumn,
    { title: 'SPEED', text: ({ speed, status }) => speedText(speed, status), align: 'right', rank: 2 },
    {
      title: 'DRIVER',
      text: ({ driver, driverId }) => driver ?? driverId ?? '',
      shows: ['driverId'],
      min: 14,
      rank: 3,
    },
    {
      title: 'IDENTIFIED',
      text: ({ driverId, identifiedDriver, identifiedDriverId }) =>
        identifiedDriverId === driverId ? '' : (identifiedDriver ?? identifiedDriverId ?? ''),
      shows: ['identifiedDriver', 'identifiedDriverId'],
      min: 14,
      rank: 4,
    },
    { title: 'PLACE', text: placeTextIn, short: shortPlaceTexts, shows: placeFields, min: 16, rank: 3.5 },
    { title: 'POSITION', text: positionText, shows: ['latitude', 'longitude'], rank: 5 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 6 },
  ],
  fields: [
    'id',
    'name',
    'licensePlate',
    'status',
    'timestamp',
    'speed',
    'direction',
    'latitude',
    'longitude',
    'engineStatus',
    'driverId',
    'driver',
    'identifiedDriverId',
    'identifiedDriver',
    ...placeFields,
    'deactivated',
  ],
};

/** Members of the present, which a status of the past does not have. */
const ofPresent: ReadonlySet<string> = new Set([
  'direction',
  'driverId',
  'driver',
  'identifiedDriverId',
  'identifiedDriver',
]);

export const pastStatusView: View<StatusRow> = {
  ...statusView,
  columns: statusView.columns.filter(({ title }) => title !== 'DRIVER' && title !== 'IDENTIFIED'),
  fields: statusView.fields.filter((field) => !ofPresent.has(field)),
};
