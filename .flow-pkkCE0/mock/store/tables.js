import { geojsonProblem } from "../core/geojson.js";
import {
  boolean,
  fail,
  int,
  json,
  list,
  lowerCaseUuid,
  object,
  oneOf,
  orNull,
  text,
  timestamp,
  wholeNumber
} from "../core/readers.js";
import { regions } from "../telemetry/telemetry.js";
const nullableText = orNull(text);
function referenceTo(to) {
  return (value, path, references) => {
    const id = lowerCaseUuid(value, path);
    references?.push({ path, to, id });
    return id;
  };
}
const geojson = (value, path) => {
  const problem = geojsonProblem(value);
  return problem === null ? json(value, path) : fail(path, `is not GeoJSON of a geofence: ${problem}`);
};
const versioned = {
  id: lowerCaseUuid,
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  createdAt: timestamp,
  updatedAt: timestamp,
  fleetId: referenceTo("fleet")
};
const customField = { name: text, value: nullableText };
const vehicle = {
  ...versioned,
  name: text,
  vin: nullableText,
  licensePlate: nullableText,
  make: nullableText,
  model: nullableText,
  year: orNull(int),
  deactivated: boolean,
  vehicleTypeId: orNull(referenceTo("vehicleTypes")),
  workScheduleId: orNull(referenceTo("workSchedules")),
  groupIds: list(referenceTo("groups")),
  labelIds: list(referenceTo("labels")),
  deviceIds: list(referenceTo("devices")),
  customFields: list(object(customField)),
  /** The telemetry follows from these fields. */
  kind: oneOf(["car", "van", "truck"]),
  region: oneOf(regions.map(({ name }) => name)),
  deviceSince: timestamp,
  /** When it was deactivated; null while it is in use. */
  deactivatedAt: orNull(timestamp),
  /** Its index among the vehicles of its fleet, from 0. */
  place: wholeNumber(0, Number.MAX_SAFE_INTEGER)
};
const device = {
  id: lowerCaseUuid,
  serial: text,
  deviceTypeKey: text,
  enabled: boolean,
  phoneNumber: nullableText
};
const group = {
  ...versioned,
  name: text,
  parentId: orNull(referenceTo("groups")),
  externalId: nullableText,
  description: nullableText
};
const label = { ...versioned, name: text };
const vehicleType = { id: lowerCaseUuid, name: text };
const workSchedule = {
  ...versioned,
  name: text,
  isDefault: boolean,
  /** Minutes. */
  beginGrace: int,
  /** Minutes. */
  endGrace: int,
  periods: list(object({ weekday: text, begin: text, duration: int }))
};
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
  roleIds: list(referenceTo("roles")),
  /** The group whose users can see the person; null: users of the whole fleet only. Not part of the contract. */
  groupId: orNull(referenceTo("groups"))
};
const driverToken = {
  ...versioned,
  value: text,
  driverId: referenceTo("people"),
  lastScanTimestamp: orNull(timestamp)
};
const role = { ...versioned, name: text };
const assignment = {
  ...versioned,
  vehicleId: referenceTo("vehicles"),
  // Not a reference: past assignments outlive their driver.
  driverId: lowerCaseUuid,
  startedAt: timestamp,
  endedAt: orNull(timestamp)
};
const address = {
  country: nullableText,
  countryCode: nullableText,
  region: nullableText,
  city: nullableText,
  postalCode: nullableText,
  address: nullableText
};
const geofence = {
  ...versioned,
  name: text,
  geojson,
  color: nullableText,
  phone: nullableText,
  email: nullableText,
  address: orNull(object(address)),
  description: nullableText,
  type: nullableText,
  displayNameAsAddress: boolean,
  /** Groups whose users can see the geofence; an empty list means the whole fleet. */
  groupIds: list(referenceTo("groups"))
};
const rule = {
  id: lowerCaseUuid,
  name: text,
  enabled: boolean,
  ruleType: text,
  assignedVehicleIds: list(referenceTo("vehicles")),
  assignedGroupIds: list(referenceTo("groups")),
  assignedToAll: boolean,
  geofenceIds: list(referenceTo("geofences"))
};
function table(read) {
  return (indexes) => ({ read, indexes });
}
const tables = {
  vehicles: table(object(vehicle))({
    vin: (row) => row.vin,
    group: (row) => row.groupIds,
    device: (row) => row.deviceIds
  }),
  devices: table(object(device))({ serial: (row) => row.serial }),
  groups: table(object(group))({ parent: (row) => row.parentId }),
  labels: table(object(label))({}),
  vehicleTypes: table(object(vehicleType))({}),
  workSchedules: table(object(workSchedule))({}),
  people: table(object(person))({}),
  tokens: table(object(driverToken))({ driver: (row) => row.driverId, value: (row) => row.value }),
  roles: table(object(role))({}),
  assignments: table(object(assignment))({
    vehicle: (row) => row.vehicleId,
    driver: (row) => row.driverId
  }),
  geofences: table(object(geofence))({}),
  rules: table(object(rule))({})
};
const lists = {
  metaSensors: list(object({ name: text, key: int })),
  vehicleFieldNames: list(text),
  personFieldNames: list(text)
};
const tablesWithDeleted = ["geofences", "people", "assignments"];
export {
  lists,
  tables,
  tablesWithDeleted
};
