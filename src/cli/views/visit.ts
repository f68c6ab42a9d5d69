// View of visits of geofences.
import type { View } from '../output/view.js';
import { hoursText, timeColumn } from './humanize.js';

/** A stay of a vehicle in a geofence; the contract has no such record. */
export interface VisitRow {
  readonly geofence: string;
  readonly vehicle: string;
  readonly licensePlate: string | null;
  /** Names of all drivers on arrival or during the visit, separated by commas. */
  readonly driver: string;
  /** First position inside, RFC 3339 in UTC; null when the visit began before the period. */
  readonly enteredAt: string | null;
  /** First position outside, RFC 3339 in UTC; null when the visit ended after the period. */
  readonly leftAt: string | null;
  /** Only the part inside the period. */
  readonly dwellSeconds: number;
  /** Last position inside, RFC 3339 in UTC. */
  readonly lastSeenAt: string;
  readonly geofenceId: string;
  readonly vehicleId: string;
  readonly driverIds: readonly string[];
}

/** Returns the view of visits. `isOver`: a past period, so the vehicle may have left since. */
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

/** Returns `1:07 h` or `12 min`; with `≥` when a part of the visit is outside the period. */
function dwellText({ dwellSeconds, enteredAt, leftAt }: VisitRow): string {
  return `${enteredAt === null || leftAt === null ? '≥ ' : ''}${hoursText(dwellSeconds)}`;
}
