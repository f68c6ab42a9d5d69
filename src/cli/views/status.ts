// Views of the live status of vehicles, and the summary of a fleet.
import { type LiveSnapshot, type LiveStatus, liveStatus, liveStatuses } from '../../telemetry/live-status.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { Colors } from '../io/colors.js';
import { type Computed, type MapView, mapFormats, type View, type ViewColumn } from '../output/view.js';
import { positionText, shortAge, wholeNumber } from './humanize.js';
import { pointOf } from './map-views.js';
import { type LocatedFields, placeColumns, placeFields } from './place.js';

/** A vehicle with its last snapshot and driver; a past status has neither direction nor driver. */
export interface StatusRow extends LocatedFields {
  readonly id: string | null;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly status: LiveStatus;
  readonly deactivated: boolean;
  /** Time of the last snapshot, as the service sent it. */
  readonly timestamp: string | number | null;
  /** In km/h. */
  readonly speed: number | null;
  /** In degrees clockwise from north. */
  readonly direction?: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly engineStatus: boolean | null;
  /** The currently assigned driver. */
  readonly driverId?: string | null;
  readonly driver?: string | null;
  /** The driver in the last snapshot. */
  readonly identifiedDriverId?: string | null;
  readonly identifiedDriver?: string | null;
}

/** Returns the speed of a moving vehicle only: old speeds are outdated, parked ones are noise. */
export function speedText(speed: number | null | undefined, status: LiveStatus): string {
  return typeof speed === 'number' && status === 'moving' ? `${wholeNumber(speed)} km/h` : '';
}

export function paintStatus(text: string, status: LiveStatus, colors: Colors): string {
  if (status === 'moving') return colors.green(text);
  if (status === 'idling') return colors.yellow(text);
  return status === 'offline' ? colors.red(text) : colors.dim(text);
}

/** Returns `25 vehicles: 9 moving, 16 stopped`; a status without vehicles is omitted. */
export function countsText(rows: readonly { readonly status: LiveStatus }[]): string {
  const counts = liveStatuses.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length;
    return count > 0 ? `${wholeNumber(count)} ${status}` : [];
  });
  return `${wholeNumber(rows.length)} ${rows.length === 1 ? 'vehicle' : 'vehicles'}: ${counts.join(', ')}`;
}

const statusMap: MapView<StatusRow> = {
  formats: mapFormats,
  position: ['latitude', 'longitude'],
  needs: ['id', 'name', 'timestamp'],
  featureOf: ({ id, name, timestamp, latitude, longitude }) =>
    pointOf({ vehicleId: id, timestamp, gps: { latitude, longitude } }, name, id ?? undefined),
};

/** Returns the status for tables. The live status of a deactivated vehicle has no meaning. */
export function shownStatus(status: LiveStatus, deactivated: boolean | null | undefined): string {
  return deactivated === true ? 'deactivated' : status;
}

export const statusColumn: ViewColumn<Pick<StatusRow, 'status' | 'deactivated'>> = {
  title: 'STATUS',
  text: ({ status, deactivated }) => shownStatus(status, deactivated),
  paint: (text, { status, deactivated }, { colors }) =>
    deactivated ? colors.dim(text) : paintStatus(text, status, colors),
  rank: 0,
};

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

/**
 * Returns the STATUS and SEEN values for --filter and --sort. `lastSnapshot`: the path before the
 * fields of the snapshot, such as `lastData.`.
 */
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
  added: { address: [] },
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'PLATE', text: ({ licensePlate }) => licensePlate ?? '', shows: ['licensePlate'], min: 8, rank: 4 },
    statusColumn,
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
    ...placeColumns({ min: 16, rank: 3.5, addressRank: 5.5, isExtra: true }),
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

/** The fields that a status in the past does not have. */
const presentOnlyFields: ReadonlySet<string> = new Set([
  'direction',
  'driverId',
  'driver',
  'identifiedDriverId',
  'identifiedDriver',
]);

export const pastStatusView: View<StatusRow> = {
  ...statusView,
  added: {},
  columns: statusView.columns.filter(({ title }) => !['DRIVER', 'IDENTIFIED', 'ADDRESS'].includes(title)),
  fields: statusView.fields.filter((field) => !presentOnlyFields.has(field)),
};
