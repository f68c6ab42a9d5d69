// Views of vehicles near a place.
import { type LiveStatus, liveStatuses, silentStatuses } from '../../telemetry/live-status.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { positionOf } from '../../telemetry/tracks/geojson.js';
import { mapFormats, type View, type ViewColumn } from '../output/view.js';
import { positionText, shortAge } from './humanize.js';
import { distanceText, type LocatedFields, placeColumns, placeFields } from './place.js';
import { seenColumn, statusColumn } from './status.js';

export interface NearRow extends LocatedFields {
  readonly id: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
  /** In metres from the edge; 0 inside. */
  readonly distanceM: number;
  /** Direction from the place to the vehicle; null inside. */
  readonly direction: string | null;
  readonly status: LiveStatus;
  readonly deactivated: boolean;
  /** Time of the last snapshot, as the service sent it. */
  readonly timestamp: string | number | null;
  /** Time of the last fix, if the service has it. */
  readonly locationTimestamp: string | number | null;
  readonly latitude: number;
  readonly longitude: number;
  /** Age of the position at the requested time. */
  readonly ageSeconds?: number;
}

/** Returns the time of the fix, else of the snapshot: without a fix old positions are repeated. */
export function locatedAt({
  timestamp,
  locationTimestamp,
}: Pick<NearRow, 'timestamp' | 'locationTimestamp'>): string | number | null {
  return timestampMs(locationTimestamp) === null ? timestamp : locationTimestamp;
}

/** Returns true for a deactivated or silent vehicle. */
export function isUnusable({ status, deactivated }: Pick<NearRow, 'status' | 'deactivated'>): boolean {
  return deactivated || silentStatuses.includes(status);
}

const addedFields = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, []]));

const ageColumn: ViewColumn<NearRow> = {
  title: 'AGE',
  text: ({ ageSeconds = 0 }) => shortAge(0, ageSeconds * 1_000),
  align: 'right',
  rank: 1,
};

export const nearView: View<NearRow> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'PLATE', text: ({ licensePlate }) => licensePlate ?? '', min: 8, rank: 3 },
    {
      title: 'DISTANCE',
      text: ({ distanceM, direction }) => (direction === null ? 'inside' : distanceText(distanceM)),
      align: 'right',
      rank: 0,
    },
    { title: 'DIRECTION', text: ({ direction }) => direction ?? '', rank: 1 },
    { ...statusColumn, rank: 1 },
    { ...seenColumn, text: (row, options) => seenColumn.text({ timestamp: locatedAt(row) }, options) },
    ...placeColumns({ min: 16, rank: 2, addressRank: 3.7, isExtra: true }),
    { title: 'POSITION', text: positionText, rank: 3.5 },
    { title: 'ID', text: ({ id }) => id, namedBy: ({ name }) => name, rank: 4 },
  ],
  fields: [
    'id',
    'name',
    'licensePlate',
    'distanceM',
    'direction',
    'status',
    'timestamp',
    'locationTimestamp',
    'latitude',
    'longitude',
    'deactivated',
  ],
  added: addedFields(['address', ...placeFields]),
  computed: {
    seen: { kind: 'age', needs: [], shows: ['locationTimestamp', 'timestamp'], value: locatedAt, values: null },
  },
  values: { status: liveStatuses },
  map: {
    formats: mapFormats,
    position: ['latitude', 'longitude'],
    needs: ['id', 'name', 'timestamp', 'locationTimestamp'],
    featureOf: (row) => {
      const { id, name, latitude, longitude } = row;
      const fix = fixOf({ vehicleId: id, timestamp: locatedAt(row), gps: { latitude, longitude } });
      if (fix === null) return null;
      const geometry = { type: 'Point', coordinates: positionOf(fix) } as const;
      return { geometry, id, name, times: [new Date(fix.time).toISOString()] };
    },
  },
};

/** View of vehicles near a place at a time in the past. */
export const pastNearView: View<NearRow> = {
  ...nearView,
  columns: nearView.columns
    .filter(({ title }) => title !== 'ADDRESS')
    .map((column) => (column.title === 'SEEN' ? ageColumn : column)),
  added: addedFields(placeFields),
  fields: [...nearView.fields, 'ageSeconds'],
  computed: {},
};
