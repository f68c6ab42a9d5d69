// The tables of a fleet. Record types, store and snapshot checks derive from these declarations.
// Times are epoch milliseconds, relations are ids, records are immutable. Record types are aliases,
// because declarations cannot name an unexported interface.
import { geojsonProblem } from '../core/geojson.js';
import {
  boolean,
  fail,
  int,
  list,
  lowerCaseUuid,
  type ObjectOf,
  object,
  orNull,
  type ReadBy,
  readInteger,
  readJsonObject,
  readOneOf,
  readString,
  readTimestamp,
  type ValueReader,
} from '../core/readers.js';
import { regions, type VehicleKind } from '../telemetry/telemetry.js';
import type { KeySelector } from './table.js';

export type { VehicleKind };

const nullableText = orNull(readString);

/** Reads the id of a record of this table, or of the fleet. */
function referenceTo(to: string): ValueReader<string> {
  return (value, path, references) => {
    const id = lowerCaseUuid(value, path);
    references?.push({ path, to, id });
    return id;
  };
}

const geojson: ValueReader<Readonly<Record<string, unknown>>> = (value, path) => {
  const problem = geojsonProblem(value);
  return problem === null ? readJsonObject(value, path) : fail(path, `is not GeoJSON of a geofence: ${problem}`);
};

const versioned = {
  id: lowerCaseUuid,
  version: readInteger(1, Number.MAX_SAFE_INTEGER),
  createdAt: readTimestamp,
  updatedAt: readTimestamp,
  fleetId: referenceTo('fleet'),
};

export type Versioned = ObjectOf<typeof versioned>;

const customField = { name: readString, value: nullableText };

export type CustomFieldRecord = ObjectOf<typeof customField>;

const vehicle = {
  ...versioned,
  name: readString,
  vin: nullableText,
  licensePlate: nullableText,
  make: nullableText,
  model: nullableText,
  year: orNull(int),
  deactivated: boolean,
  vehicleTypeId: orNull(referenceTo('vehicleTypes')),
  workScheduleId: orNull(referenceTo('workSchedules')),
  groupIds: list(referenceTo('groups')),
  labelIds: list(referenceTo('labels')),
  deviceIds: list(referenceTo('devices')),
  customFields: list(object(customField)),
  /** The fields that determine the telemetry. */
  kind: readOneOf<VehicleKind>(['car', 'van', 'truck']),
  region: readOneOf(regions.map(({ name }) => name)),
  deviceSince: readTimestamp,
  /** Null while in use. */
  deactivatedAt: orNull(readTimestamp),
  /** Index among the fleet's vehicles, from 0. */
  place: readInteger(0, Number.MAX_SAFE_INTEGER),
};

export type VehicleRecord = ObjectOf<typeof vehicle>;

const device = {
  id: lowerCaseUuid,
  serial: readString,
  deviceTypeKey: readString,
  enabled: boolean,
  phoneNumber: nullableText,
};

export type DeviceRecord = ObjectOf<typeof device>;

const group = {
  ...versioned,
  name: readString,
  parentId: orNull(referenceTo('groups')),
  externalId: nullableText,
  description: nullableText,
};

export type GroupRecord = ObjectOf<typeof group>;

const label = { ...versioned, name: readString };

export type LabelRecord = ObjectOf<typeof label>;

const vehicleType = { id: lowerCaseUuid, name: readString };

export type VehicleTypeRecord = ObjectOf<typeof vehicleType>;

const workSchedule = {
  ...versioned,
  name: readString,
  isDefault: boolean,
  /** Minutes. */
  beginGrace: int,
  /** Minutes. */
  endGrace: int,
  periods: list(object({ weekday: readString, begin: readString, duration: int })),
};

export type WorkScheduleRecord = ObjectOf<typeof workSchedule>;

const person = {
  ...versioned,
  isUser: boolean,
  isDriver: boolean,
  email: nullableText,
  phone: nullableText,
  firstName: nullableText,
  lastName: nullableText,
  globalUserId: nullableText,
  licenseNumber: nullableText,
  licenseIssuedIn: nullableText,
  employeeId: nullableText,
  customFields: list(object(customField)),
  roleIds: list(referenceTo('roles')),
  /** Group whose users see the person; null: users of the whole fleet. Not in the contract. */
  groupId: orNull(referenceTo('groups')),
};

export type PersonRecord = ObjectOf<typeof person>;

const driverToken = {
  ...versioned,
  value: readString,
  driverId: referenceTo('people'),
  lastScanTimestamp: orNull(readTimestamp),
};

export type DriverTokenRecord = ObjectOf<typeof driverToken>;

const role = { ...versioned, name: readString };

export type RoleRecord = ObjectOf<typeof role>;

const assignment = {
  ...versioned,
  vehicleId: referenceTo('vehicles'),
  // Not a reference: past assignments outlive their driver.
  driverId: lowerCaseUuid,
  startedAt: readTimestamp,
  endedAt: orNull(readTimestamp),
};

export type AssignmentRecord = ObjectOf<typeof assignment>;

const address = {
  country: nullableText,
  countryCode: nullableText,
  region: nullableText,
  city: nullableText,
  postalCode: nullableText,
  address: nullableText,
};

export type AddressRecord = ObjectOf<typeof address>;

const geofence = {
  ...versioned,
  name: readString,
  geojson,
  color: nullableText,
  phone: nullableText,
  email: nullableText,
  address: orNull(object(address)),
  description: nullableText,
  type: nullableText,
  displayNameAsAddress: boolean,
  /** Groups whose users see the geofence; an empty list means the whole fleet. */
  groupIds: list(referenceTo('groups')),
};

export type GeofenceRecord = ObjectOf<typeof geofence>;

const rule = {
  id: lowerCaseUuid,
  name: readString,
  enabled: boolean,
  ruleType: readString,
  assignedVehicleIds: list(referenceTo('vehicles')),
  assignedGroupIds: list(referenceTo('groups')),
  assignedToAll: boolean,
  geofenceIds: list(referenceTo('geofences')),
};

export type RuleRecord = ObjectOf<typeof rule>;

function table<Row extends { readonly id: string }>(read: ValueReader<Row>) {
  return <Indexes extends Readonly<Record<string, KeySelector<Row>>>>(indexes: Indexes) => ({ read, indexes });
}

export const tables = {
  vehicles: table<VehicleRecord>(object(vehicle))({
    vin: (row) => row.vin,
    group: (row) => row.groupIds,
    device: (row) => row.deviceIds,
  }),
  devices: table<DeviceRecord>(object(device))({ serial: (row) => row.serial }),
  groups: table<GroupRecord>(object(group))({ parent: (row) => row.parentId }),
  labels: table<LabelRecord>(object(label))({}),
  vehicleTypes: table<VehicleTypeRecord>(object(vehicleType))({}),
  workSchedules: table<WorkScheduleRecord>(object(workSchedule))({}),
  people: table<PersonRecord>(object(person))({}),
  tokens: table<DriverTokenRecord>(object(driverToken))({ driver: (row) => row.driverId, value: (row) => row.value }),
  roles: table<RoleRecord>(object(role))({}),
  assignments: table<AssignmentRecord>(object(assignment))({
    vehicle: (row) => row.vehicleId,
    driver: (row) => row.driverId,
  }),
  geofences: table<GeofenceRecord>(object(geofence))({}),
  rules: table<RuleRecord>(object(rule))({}),
};

/** The lists of a fleet besides its tables: records without an id that no operation changes. */
export const lists = {
  metaSensors: list(object({ name: readString, key: int })),
  vehicleFieldNames: list(readString),
  personFieldNames: list(readString),
};

/** The tables whose deleted records a service may still show. */
export const tablesWithDeleted = ['geofences', 'people', 'assignments'] as const satisfies readonly TableName[];

export type TableName = keyof typeof tables;
export type IndexOf<T extends TableName> = keyof (typeof tables)[T]['indexes'] & string;
export type RecordOf<T extends TableName> = ReadBy<(typeof tables)[T]['read']>;

export type FleetLists = { readonly [L in keyof typeof lists]: ReadBy<(typeof lists)[L]> };

/** All records of one fleet as plain data. A list may be a lazy getter. */
export type FleetData = { readonly [T in TableName]: readonly RecordOf<T>[] } & FleetLists;

export type DeletedData = Pick<FleetData, (typeof tablesWithDeleted)[number]>;
