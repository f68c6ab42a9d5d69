// The parts of a fleet that a sync reads: lists of records, and what vehicles report.
import type { FleetClient } from '../client.js';
import type { CallOptions } from '../core/operation.js';

/** The client, as far as a sync uses it. */
export type SyncClient = Pick<
  FleetClient,
  | 'getVehicles'
  | 'getPeople'
  | 'getGroups'
  | 'getGeofences'
  | 'getLabels'
  | 'getRoles'
  | 'getRules'
  | 'getWorkSchedules'
  | 'getDriverAssignments'
  | 'getLatestSnapshots'
  | 'streamSnapshots'
  | 'streamTrips'
  | 'serviceNow'
  | 'machineNow'
  | 'hasServiceTime'
  | 'session'
  | 'identity'
>;

/** A list that the service answers as a whole. */
export interface RecordList {
  readonly part: SyncPart;
  readonly table: string;
  readonly read: (fleet: SyncClient, options: CallOptions) => Promise<readonly object[]>;
}

/** What the service answered to a call for a list. */
export interface ListAnswer {
  readonly records: readonly object[];
  /** Why records may be missing that the service has: then nothing may be marked as gone on its ground. Null for a whole list. */
  readonly gap: string | null;
}

/** Reads a list, and takes note of what the service has left out of it. */
export async function readWhole(
  read: (options: CallOptions) => Promise<readonly unknown[]>,
  options: CallOptions,
): Promise<ListAnswer> {
  const gaps: string[] = [];
  const answered = await read({
    ...options,
    onWarning: ({ code, message }) => {
      if (code === 'NULL_LIST' || code === 'NULL_ROWS' || code === 'PARTIAL_DATA') gaps.push(message);
    },
  });
  const records = answered.filter((record) => typeof record === 'object' && record !== null);
  const others = answered.length - records.length;
  if (others > 0) gaps.push(`${others} of ${answered.length} rows are no records; they are left out.`);
  return { records, gap: gaps.length === 0 ? null : gaps.join(' ') };
}

/** Where vehicles are and what they have read last is in `latest_snapshots`; here it would make every vehicle a changed one. */
const vehicleFields = {
  ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, name: true, fleetId: true },
  ...{ vin: true, licensePlate: true, make: true, model: true, year: true, lastOdometer: true, lastWorkingHours: true },
  ...{ deactivated: true, vehicleType: { id: true, name: true }, workSchedule: { id: true, name: true } },
  ...{ customFields: { name: true, value: true }, assignedGroups: { id: true, name: true } },
  assignedDevices: { id: true, serial: true, deviceTypeKey: true, enabled: true, phoneNumber: true },
  assignedLabels: { id: true, name: true },
} as const;

export const recordLists: readonly RecordList[] = [
  {
    part: 'vehicles',
    table: 'vehicles',
    read: (fleet, options) => fleet.getVehicles({}, { ...options, select: vehicleFields }),
  },
  { part: 'people', table: 'people', read: (fleet, options) => fleet.getPeople({}, options) },
  { part: 'groups', table: 'groups', read: (fleet, options) => fleet.getGroups({}, options) },
  { part: 'geofences', table: 'geofences', read: (fleet, options) => fleet.getGeofences({}, options) },
  { part: 'labels', table: 'labels', read: (fleet, options) => fleet.getLabels({}, options) },
  { part: 'roles', table: 'roles', read: (fleet, options) => fleet.getRoles({}, options) },
  { part: 'rules', table: 'rules', read: (fleet, options) => fleet.getRules({}, options) },
  { part: 'schedules', table: 'work_schedules', read: (fleet, options) => fleet.getWorkSchedules({}, options) },
];

/** The parts of a fleet, in the order in which a sync reads them. */
export const syncParts = [
  'vehicles',
  'people',
  'groups',
  'geofences',
  'labels',
  'roles',
  'rules',
  'schedules',
  'assignments',
  'latest',
  'trips',
  'snapshots',
] as const;

/** `schedules`: work schedules; `assignments`: driver assignments; `latest`: the newest snapshot of each vehicle. */
export type SyncPart = (typeof syncParts)[number];

/** Whether the rows of a part refer to vehicles, and are read by vehicle. */
export function isOfVehicles(part: SyncPart): boolean {
  return part === 'assignments' || part === 'latest' || part === 'trips' || part === 'snapshots';
}

/** What is read when nothing is said: everything but the snapshots of the period, which are many. */
export const defaultParts: readonly SyncPart[] = syncParts.filter((part) => part !== 'snapshots');
