// The tables of a fleet, each declared once: how a record is read, by which keys records are found, and whether deleted records are
// kept. The types of the records, the store and the checks of a snapshot follow from it. Times are epoch milliseconds, relations are
// ids. Records are immutable: a change creates a new one.
import { geojsonProblem } from '../core/geojson.js';
import {
  boolean,
  fail,
  int,
  json,
  list,
  lowerCaseUuid,
  type ObjectOf,
  object,
  oneOf,
  orNull,
  type ReadBy,
  type Reader,
  text,
  timestamp,
  wholeNumber,
} from '../core/readers.js';
import { regions, type VehicleKind } from '../telemetry/telemetry.js';
import type { KeySelector } from './table.js';

export type { VehicleKind };

const nullableText = orNull(text);

/** The id of a record of this table of the fleet, or of the fleet itself. */
function referenceTo(to: string): Reader<string> {
  return (value, path, references) => {
    const id = lowerCaseUuid(value, path);
    references?.push({ path, to, id });
    return id;
  };
}

const geojson: Reader<Readonly<Record<string, unknown>>> = (value, path) => {
  const problem = geojsonProblem(value);
  return problem === null ? json(value, path) : fail(path, `is not GeoJSON of a geofence: ${problem}`);
};

const versioned = {
  id: lowerCaseUuid,
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  createdAt: timestamp,
  updatedAt: timestamp,
  fleetId: referenceTo('fleet'),
};

const customField = object({ name: text, value: nullableText });

const vehicle = object({
  ...versioned,
  name: text,
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
  customFields: list(customField),
  /** The telemetry follows from these fields. */
  kind: oneOf<VehicleKind>(['car', 'van', 'truck']),
  region: oneOf(regions.map(({ name }) => name)),
  deviceSince: timestamp,
  /** When it was deactivated; null while it is in use. */
  deactivatedAt: orNull(timestamp),
  /** Its index among the vehicles of its fleet, from 0. */
  place: wholeNumber(0, Number.MAX_SAFE_INTEGER),
});

const device = object({
  id: lowerCaseUuid,
  serial: text,
  deviceTypeKey: text,
  enabled: boolean,
  phoneNumber: nullableText,
});

const group = object({
  ...versioned,
  name: text,
  parentId: orNull(referenceTo('groups')),
  externalId: nullableText,
  description: nullableText,
});

const label = object({ ...versioned, name: text });

const vehicleType = object({ id: lowerCaseUuid, name: text });

const workSchedule = object({
  ...versioned,
  name: text,
  isDefault: boolean,
  /** Minutes. */
  beginGrace: int,
  /** Minutes. */
  endGrace: int,
  periods: list(object({ weekday: text, begin: text, duration: int })),
});

const person = object({
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
  customFields: list(customField),
  roleIds: list(referenceTo('roles')),
  /** The group whose users can see the person; null: users of the whole fleet only. Not part of the contract. */
  groupId: orNull(referenceTo('groups')),
});

const driverToken = object({
  ...versioned,
  value: text,
  driverId: referenceTo('people'),
  lastScanTimestamp: orNull(timestamp),
});

const role = object({ ...versioned, name: text });

const assignment = object({
  ...versioned,
  vehicleId: referenceTo('vehicles'),
  // Not a reference: past assignments outlive their driver.
  driverId: lowerCaseUuid,
  startedAt: timestamp,
  endedAt: orNull(timestamp),
});

const address = object({
  country: nullableText,
  countryCode: nullableText,
  region: nullableText,
  city: nullableText,
  postalCode: nullableText,
  address: nullableText,
});

const geofence = object({
  ...versioned,
  name: text,
  geojson,
  color: nullableText,
  phone: nullableText,
  email: nullableText,
  address: orNull(address),
  description: nullableText,
  type: nullableText,
  displayNameAsAddress: boolean,
  /** Groups whose users can see the geofence; an empty list means the whole fleet. */
  groupIds: list(referenceTo('groups')),
});

const rule = object({
  id: lowerCaseUuid,
  name: text,
  enabled: boolean,
  ruleType: text,
  assignedVehicleIds: list(referenceTo('vehicles')),
  assignedGroupIds: list(referenceTo('groups')),
  assignedToAll: boolean,
  geofenceIds: list(referenceTo('geofences')),
});

interface TableDeclaration<Record extends { readonly id: string }, Index extends string> {
  readonly read: Reader<Record>;
  /** The keys by which `findBy` finds records. */
  readonly indexes: { readonly [I in Index]: KeySelector<Record> };
}

function table<Record extends { readonly id: string }, Index extends string = never>(
  read: Reader<Record>,
  indexes: { readonly [I in Index]: KeySelector<Record> },
): TableDeclaration<Record, Index> {
  return { read, indexes };
}

export const tables = {
  vehicles: table(vehicle, { vin: (row) => row.vin, group: (row) => row.groupIds, device: (row) => row.deviceIds }),
  devices: table(device, { serial: (row) => row.serial }),
  groups: table(group, { parent: (row) => row.parentId }),
  labels: table(label, {}),
  vehicleTypes: table(vehicleType, {}),
  workSchedules: table(workSchedule, {}),
  people: table(person, {}),
  tokens: table(driverToken, { driver: (row) => row.driverId, value: (row) => row.value }),
  roles: table(role, {}),
  assignments: table(assignment, { vehicle: (row) => row.vehicleId, driver: (row) => row.driverId }),
  geofences: table(geofence, {}),
  rules: table(rule, {}),
};

/** What a fleet has besides its tables: lists of records without an id, which no operation changes. */
export const lists = {
  metaSensors: list(object({ name: text, key: int })),
  vehicleFieldNames: list(text),
  personFieldNames: list(text),
};

/** The tables whose deleted records a service may keep showing. */
export const tablesWithDeleted = ['geofences', 'people', 'assignments'] as const satisfies readonly TableName[];

export type TableName = keyof typeof tables;
export type IndexOf<T extends TableName> = keyof (typeof tables)[T]['indexes'] & string;
export type RecordOf<T extends TableName> = ReadBy<(typeof tables)[T]['read']>;

export interface Versioned extends ObjectOf<typeof versioned> {}
export interface CustomFieldRecord extends ReadBy<typeof customField> {}
export interface VehicleRecord extends RecordOf<'vehicles'> {}
export interface DeviceRecord extends RecordOf<'devices'> {}
export interface GroupRecord extends RecordOf<'groups'> {}
export interface LabelRecord extends RecordOf<'labels'> {}
export interface VehicleTypeRecord extends RecordOf<'vehicleTypes'> {}
export interface WorkScheduleRecord extends RecordOf<'workSchedules'> {}
export interface PersonRecord extends RecordOf<'people'> {}
export interface DriverTokenRecord extends RecordOf<'tokens'> {}
export interface RoleRecord extends RecordOf<'roles'> {}
export interface AssignmentRecord extends RecordOf<'assignments'> {}
export interface AddressRecord extends ReadBy<typeof address> {}
export interface GeofenceRecord extends RecordOf<'geofences'> {}
export interface RuleRecord extends RecordOf<'rules'> {}

/** The lists of a fleet that are no tables. */
export type FleetLists = { readonly [L in keyof typeof lists]: ReadBy<(typeof lists)[L]> };

/** All records of one fleet as plain data. A list may be a getter that creates it. */
export type FleetData = { readonly [T in TableName]: readonly RecordOf<T>[] } & FleetLists;

/** Deleted records, which a service may keep showing. */
export type DeletedData = Pick<FleetData, (typeof tablesWithDeleted)[number]>;
