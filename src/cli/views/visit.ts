// How visits of geofences are shown.
import type { View } from '../output/view.js';
import { hoursText, timeColumn } from './humanize.js';

/** A stay of a vehicle in a geofence; not a record of the contract. */
export interface VisitRow {
  readonly geofence: string;
  readonly vehicle: string;
  readonly licensePlate: string | null;
  /** The names of who came with it and of who was identified while it was there, separated by commas. */
  readonly driver: string;
  /** RFC 3339, UTC: the first position inside; null when it was there before the period. */
  readonly enteredAt: string | null;
  /** RFC 3339, UTC: the first position outside; null when it was there at the end of the period. */
  readonly leftAt: string | null;
  /** Inside of the period. */
  readonly dwellSeconds: number;
  /** RFC 3339, UTC: the last position before it left. */
  readonly lastSeenAt: string;
  readonly geofenceId: string;
  readonly vehicleId: string;
  readonly driverIds: readonly string[];
}

/** `isOver`: the period has ended, so nobody knows from it who is still there. */
export function visitView(shown: { readonly geofence: boolean; readonly isOver: boolean }): View<VisitRow> {
  return {
    columns: [
      ...(shown.geofence ? [{ title: 'GEOFENCE', text: ({ geofence }: VisitRow) => geofence, min: 12, rank: 0 }] : []),
      { title: 'VEHICLE', text: ({ vehicle }) => vehicle, min: 8, rank: 0 },
      { title: 'PLATE', text: ({ licensePlate }) => licensePlate ?? '', min: 8, rank: 3 },
      { title: 'ENTERED', ...timeColumn(({ enteredAt }) => enteredAt, 'before'), rank: 0 },
      { title: 'LEFT', ...timeColumn(({ leftAt }) => leftAt, shown.isOver ? 'later' : 'still there'), rank: 0 },
      { title: 'DWELL', text: dwellText, align: 'right', rank: 1 },
      { title: 'DRIVER', text: ({ driver }) => driver, min: 10, rank: 2 },
    ],
    nameLists: ['driver'],
    fields: [
      'geofence',
      'vehicle',
      'licensePlate',
      'driver',
      'enteredAt',
      'leftAt',
      'dwellSeconds',
      'lastSeenAt',
      'geofenceId',
      'vehicleId',
      'driverIds',
    ],
  };
}

/** `1:07 h`, or `12 min`; `≥` where it began before the period or went on after it. */
function dwellText({ dwellSeconds, enteredAt, leftAt }: VisitRow): string {
  return `${enteredAt === null || leftAt === null ? '≥ ' : ''}${hoursText(dwellSeconds)}`;
}
