// The parts of a fleet that a sync reads: lists of records, and reports of vehicles.
import type { CallOptions, FleetClient } from 'fleet-telematics';
import { isObject, readText } from 'fleet-telematics/kit';

/** The methods of the client that a sync calls. */
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
  | 'getVehicleTypes'
  | 'getMetaSensors'
  | 'getVehicleMappedSensors'
  | 'getDeviceById'
  | 'getDriverAssignments'
  | 'getLatestSnapshots'
  | 'streamSnapshots'
  | 'streamTrips'
  | 'streamStops'
  | 'serviceClock'
  | 'session'
  | 'identity'
  | 'forUser'
>;

export interface RecordList {
  readonly part: SyncPart;
  readonly table: string;
  readonly read: (fleet: SyncClient, options: CallOptions) => Promise<readonly unknown[]>;
}

export interface ListAnswer {
  readonly records: readonly object[];
  /** Reason why records may be missing and must not count as deleted; null for a whole list. */
  readonly gap: string | null;
}

/** Reads a list and collects its gaps. `nullRows` decides if a null row is one. */
export async function readWhole(
  read: (options: CallOptions) => Promise<readonly unknown[]>,
  options: CallOptions,
  nullRows: 'gap' | 'nothing' = 'gap',
): Promise<ListAnswer> {
  const gaps: string[] = [];
  const codes = ['NULL_LIST', 'PARTIAL_DATA', ...(nullRows === 'gap' ? ['NULL_ROWS'] : [])];
  const answered = await read({
    ...options,
    onWarning: ({ code, message }) => {
      if (codes.includes(code)) gaps.push(message);
    },
  });
  const records = answered.filter((record) => typeof record === 'object' && record !== null);
  const others = answered.length - records.length;
  if (others > 0) gaps.push(`${others} of ${answered.length} rows are no records; they are left out.`);
  return { records, gap: gaps.length === 0 ? null : gaps.join(' ') };
}

/** Newest positions and readings are in `latest_snapshots`; they would change every vehicle. */
const vehicleFields = {
  ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, name: true, fleetId: true },
  ...{ vin: true, licensePlate: true, make: true, model: true, year: true, lastOdometer: true, lastWorkingHours: true },
  ...{ deactivated: true, vehicleType: { id: true, name: true }, workSchedule: { id: true, name: true } },
  ...{ customFields: { name: true, value: true }, assignedGroups: { id: true, name: true } },
  assignedDevices: { id: true, serial: true, deviceTypeKey: true, enabled: true, phoneNumber: true },
  assignedLabels: { id: true, name: true },
} as const;

/** The default selection has only the ids and values of tokens. */
const personFields = {
  ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, isUser: true, isDriver: true },
  ...{ fleetId: true, email: true, phone: true, firstName: true, lastName: true, globalUserId: true },
  ...{ licenseNumber: true, licenseIssuedIn: true, employeeId: true, customFields: { name: true, value: true } },
  driverTokens: {
    ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, value: true, fleetId: true },
    ...{ driverId: true, lastScanTimestamp: true },
  },
  roles: { id: true, name: true },
} as const;

export const recordLists: readonly RecordList[] = [
  {
    part: 'vehicles',
    table: 'vehicles',
    read: (fleet, options) => fleet.getVehicles({}, { ...options, select: vehicleFields }),
  },
  {
    part: 'people',
    table: 'people',
    read: (fleet, options) => fleet.getPeople({}, { ...options, select: personFields }),
  },
  { part: 'groups', table: 'groups', read: (fleet, options) => fleet.getGroups({}, options) },
  { part: 'geofences', table: 'geofences', read: (fleet, options) => fleet.getGeofences({}, options) },
  { part: 'labels', table: 'labels', read: (fleet, options) => fleet.getLabels({}, options) },
  { part: 'roles', table: 'roles', read: (fleet, options) => fleet.getRoles({}, options) },
  { part: 'rules', table: 'rules', read: (fleet, options) => fleet.getRules({}, options) },
  { part: 'schedules', table: 'work_schedules', read: (fleet, options) => fleet.getWorkSchedules({}, options) },
  { part: 'vehicle-types', table: 'vehicle_types', read: (fleet, options) => fleet.getVehicleTypes({}, options) },
  {
    part: 'meta-sensors',
    table: 'meta_sensors',
    read: async (fleet, options) => withKeyAsId(await fleet.getMetaSensors({}, options)),
  },
];

/** A meta sensor has no id; its key is unique. */
function withKeyAsId(sensors: readonly unknown[]): readonly unknown[] {
  return sensors.map((sensor) => (isObject(sensor) ? { ...sensor, id: readText(sensor.key) } : sensor));
}

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
  'vehicle-types',
  'meta-sensors',
  'devices',
  'mapped-sensors',
  'assignments',
  'latest',
  'trips',
  'stops',
  'snapshots',
] as const;

/**
 * A part of a fleet. `schedules`: work schedules; `devices`: devices that are or were in vehicles;
 * `assignments`: driver assignments; `latest`: the newest snapshot of each vehicle.
 */
export type SyncPart = (typeof syncParts)[number];

const partsByVehicle: ReadonlySet<SyncPart> = new Set([
  'mapped-sensors',
  'assignments',
  'latest',
  'trips',
  'stops',
  'snapshots',
]);

export function isReadByVehicle(part: SyncPart): boolean {
  return partsByVehicle.has(part);
}

export function needsVehicles(part: SyncPart): boolean {
  return part === 'devices' || isReadByVehicle(part);
}

/**
 * The default parts. There are many snapshots, stops read the snapshots once more, and mapped
 * sensors take a call for each vehicle and hardly ever change.
 */
export const defaultParts: readonly SyncPart[] = syncParts.filter(
  (part) => part !== 'snapshots' && part !== 'stops' && part !== 'mapped-sensors',
);
