// What a fleet of a snapshot looks like, record by record. The types in records.ts hold this table to them: a member that
// is missing here, or read as something else, does not compile.

import { regions } from '../../telemetry/telemetry.js';
import { geojsonProblem } from '../../world/geojson.js';
import type {
  AddressRecord,
  AssignmentRecord,
  CustomFieldRecord,
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
  flag,
  idOf,
  instant,
  int,
  list,
  oneOf,
  orNull,
  type Read,
  record,
  refuse,
  type Shape,
  text,
  uuid,
  whole,
} from './readers.js';

const note = orNull(text);

const versioned: Shape<Versioned> = {
  id: uuid,
  version: whole(1, Number.MAX_SAFE_INTEGER),
  createdAt: instant,
  updatedAt: instant,
  fleetId: idOf('fleet'),
};

const customFields = list(record<CustomFieldRecord>({ name: text, value: note }));

const vehicle = record<VehicleRecord>({
  ...versioned,
  name: text,
  vin: note,
  licensePlate: note,
  make: note,
  model: note,
  year: orNull(int),
  deactivated: flag,
  vehicleTypeId: orNull(idOf('vehicleTypes')),
  workScheduleId: orNull(idOf('workSchedules')),
  groupIds: list(idOf('groups')),
  labelIds: list(idOf('labels')),
  deviceIds: list(idOf('devices')),
  customFields,
  kind: oneOf(['car', 'van', 'truck']),
  region: oneOf(regions.map(({ name }) => name)),
  deviceSince: instant,
  deactivatedAt: orNull(instant),
  place: whole(0, Number.MAX_SAFE_INTEGER),
});

const device = record<DeviceRecord>({
  id: uuid,
  serial: text,
  deviceTypeKey: text,
  enabled: flag,
  phoneNumber: note,
});

const group = record<GroupRecord>({
  ...versioned,
  name: text,
  parentId: orNull(idOf('groups')),
  externalId: note,
  description: note,
});

const workSchedule = record<WorkScheduleRecord>({
  ...versioned,
  name: text,
  isDefault: flag,
  beginGrace: int,
  endGrace: int,
  periods: list(record<WorkScheduleRecord['periods'][number]>({ weekday: text, begin: text, duration: int })),
});

const person = record<PersonRecord>({
  ...versioned,
  isUser: flag,
  isDriver: flag,
  email: note,
  phone: note,
  firstName: note,
  lastName: note,
  globalUserId: note,
  licenseNumber: note,
  licenseIssuedIn: note,
  employeeId: note,
  customFields,
  roleIds: list(idOf('roles')),
  groupId: orNull(idOf('groups')),
});

const token = record<DriverTokenRecord>({
  ...versioned,
  value: text,
  driverId: idOf('people'),
  lastScanTimestamp: orNull(instant),
});

const assignment = record<AssignmentRecord>({
  ...versioned,
  vehicleId: idOf('vehicles'),
  // No link: assignments of the past outlive their driver.
  driverId: uuid,
  startedAt: instant,
  endedAt: orNull(instant),
});

const address = record<AddressRecord>({
  country: note,
  countryCode: note,
  region: note,
  city: note,
  postalCode: note,
  address: note,
});

/** A geofence's shape. Copied by way of JSON: what has no JSON could not be answered with either. */
const geojson: Read<GeofenceRecord['geojson']> = (value, where) => {
  const problem = geojsonProblem(value);
  if (problem !== null) return refuse(where, `is no GeoJSON of a geofence: ${problem}`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return refuse(where, 'cannot be written as JSON');
  }
};

const geofence = record<GeofenceRecord>({
  ...versioned,
  name: text,
  geojson,
  color: note,
  phone: note,
  email: note,
  address: orNull(address),
  description: note,
  type: note,
  displayNameAsAddress: flag,
  groupIds: list(idOf('groups')),
});

const rule = record<RuleRecord>({
  id: uuid,
  name: text,
  enabled: flag,
  ruleType: text,
  assignedVehicleIds: list(idOf('vehicles')),
  assignedGroupIds: list(idOf('groups')),
  assignedToAll: flag,
  geofenceIds: list(idOf('geofences')),
});

/** One fleet of a snapshot. */
export const fleetData: Read<FleetData> = record<FleetData>({
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
