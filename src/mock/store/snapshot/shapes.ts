// The readers of every record of a snapshot. A reader that does not fit the type in records.ts does not compile.

import { geojsonProblem } from '../../core/geojson.js';
import { regions } from '../../telemetry/telemetry.js';
import type {
  AddressRecord,
  AssignmentRecord,
  CustomFieldRecord,
  DeletedData,
  DeviceRecord,
  DriverTokenRecord,
  FleetData,
  GeofenceRecord,
  GroupRecord,
  LabelRecord,
  MetaSensorRecord,
  PersonRecord,
  RoleRecord,
  RuleRecord,
  VehicleRecord,
  VehicleTypeRecord,
  Versioned,
  WorkScheduleRecord,
} from '../records.js';
import {
  boolean,
  fail,
  int,
  list,
  oneOf,
  orNull,
  type Reader,
  type RecordShape,
  record,
  referenceTo,
  text,
  timestamp,
  uuid,
  wholeNumber,
} from './readers.js';

const nullableText = orNull(text);

const versioned: RecordShape<Versioned> = {
  id: uuid,
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  createdAt: timestamp,
  updatedAt: timestamp,
  fleetId: referenceTo('fleet'),
};

const customFields = list(record<CustomFieldRecord>({ name: text, value: nullableText }));

const vehicle = record<VehicleRecord>({
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
  customFields,
  kind: oneOf(['car', 'van', 'truck']),
  region: oneOf(regions.map(({ name }) => name)),
  deviceSince: timestamp,
  deactivatedAt: orNull(timestamp),
  place: wholeNumber(0, Number.MAX_SAFE_INTEGER),
});

const device = record<DeviceRecord>({
  id: uuid,
  serial: text,
  deviceTypeKey: text,
  enabled: boolean,
  phoneNumber: nullableText,
});

const group = record<GroupRecord>({
  ...versioned,
  name: text,
  parentId: orNull(referenceTo('groups')),
  externalId: nullableText,
  description: nullableText,
});

const workSchedule = record<WorkScheduleRecord>({
  ...versioned,
  name: text,
  isDefault: boolean,
  beginGrace: int,
  endGrace: int,
  periods: list(record<WorkScheduleRecord['periods'][number]>({ weekday: text, begin: text, duration: int })),
});

const person = record<PersonRecord>({
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
  customFields,
  roleIds: list(referenceTo('roles')),
  groupId: orNull(referenceTo('groups')),
});

const token = record<DriverTokenRecord>({
  ...versioned,
  value: text,
  driverId: referenceTo('people'),
  lastScanTimestamp: orNull(timestamp),
});

const assignment = record<AssignmentRecord>({
  ...versioned,
  vehicleId: referenceTo('vehicles'),
  // Not a reference: past assignments outlive their driver.
  driverId: uuid,
  startedAt: timestamp,
  endedAt: orNull(timestamp),
});

const address = record<AddressRecord>({
  country: nullableText,
  countryCode: nullableText,
  region: nullableText,
  city: nullableText,
  postalCode: nullableText,
  address: nullableText,
});

/** Copies through JSON, because a response has to be JSON too. */
const geojson: Reader<GeofenceRecord['geojson']> = (value, path) => {
  const problem = geojsonProblem(value);
  if (problem !== null) return fail(path, `is not GeoJSON of a geofence: ${problem}`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return fail(path, 'cannot be written as JSON');
  }
};

const geofence = record<GeofenceRecord>({
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
  groupIds: list(referenceTo('groups')),
});

const rule = record<RuleRecord>({
  id: uuid,
  name: text,
  enabled: boolean,
  ruleType: text,
  assignedVehicleIds: list(referenceTo('vehicles')),
  assignedGroupIds: list(referenceTo('groups')),
  assignedToAll: boolean,
  geofenceIds: list(referenceTo('geofences')),
});

/** Reads the deleted records of one fleet. What they refer to may be gone too. */
export const deletedData: Reader<DeletedData> = record<DeletedData>({
  geofences: list(geofence),
  people: list(person),
  assignments: list(assignment),
});

/** Reads one fleet of a snapshot. */
export const fleetData: Reader<FleetData> = record<FleetData>({
  vehicles: list(vehicle),
  devices: list(device),
  groups: list(group),
  labels: list(record<LabelRecord>({ ...versioned, name: text })),
  vehicleTypes: list(record<VehicleTypeRecord>({ id: uuid, name: text })),
  workSchedules: list(workSchedule),
  people: list(person),
  tokens: list(token),
  roles: list(record<RoleRecord>({ ...versioned, name: text })),
  assignments: list(assignment),
  geofences: list(geofence),
  rules: list(rule),
  metaSensors: list(record<MetaSensorRecord>({ name: text, key: int })),
  vehicleFieldNames: list(text),
  personFieldNames: list(text),
});
