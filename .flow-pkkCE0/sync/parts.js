import { isObject, readText } from "fleet-telematics/kit";
async function readWhole(read, options, nullRows = "gap") {
  const gaps = [];
  const codes = ["NULL_LIST", "PARTIAL_DATA", ...nullRows === "gap" ? ["NULL_ROWS"] : []];
  const answered = await read({
    ...options,
    onWarning: ({ code, message }) => {
      if (codes.includes(code)) gaps.push(message);
    }
  });
  const records = answered.filter((record) => typeof record === "object" && record !== null);
  const others = answered.length - records.length;
  if (others > 0) gaps.push(`${others} of ${answered.length} rows are no records; they are left out.`);
  return { records, gap: gaps.length === 0 ? null : gaps.join(" ") };
}
const vehicleFields = {
  ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, name: true, fleetId: true },
  ...{ vin: true, licensePlate: true, make: true, model: true, year: true, lastOdometer: true, lastWorkingHours: true },
  ...{ deactivated: true, vehicleType: { id: true, name: true }, workSchedule: { id: true, name: true } },
  ...{ customFields: { name: true, value: true }, assignedGroups: { id: true, name: true } },
  assignedDevices: { id: true, serial: true, deviceTypeKey: true, enabled: true, phoneNumber: true },
  assignedLabels: { id: true, name: true }
};
const personFields = {
  ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, isUser: true, isDriver: true },
  ...{ fleetId: true, email: true, phone: true, firstName: true, lastName: true, globalUserId: true },
  ...{ licenseNumber: true, licenseIssuedIn: true, employeeId: true, customFields: { name: true, value: true } },
  driverTokens: {
    ...{ id: true, version: true, createdAt: true, updatedAt: true, isDeleted: true, value: true, fleetId: true },
    ...{ driverId: true, lastScanTimestamp: true }
  },
  roles: { id: true, name: true }
};
const recordLists = [
  {
    part: "vehicles",
    table: "vehicles",
    read: (fleet, options) => fleet.getVehicles({}, { ...options, select: vehicleFields })
  },
  {
    part: "people",
    table: "people",
    read: (fleet, options) => fleet.getPeople({}, { ...options, select: personFields })
  },
  { part: "groups", table: "groups", read: (fleet, options) => fleet.getGroups({}, options) },
  { part: "geofences", table: "geofences", read: (fleet, options) => fleet.getGeofences({}, options) },
  { part: "labels", table: "labels", read: (fleet, options) => fleet.getLabels({}, options) },
  { part: "roles", table: "roles", read: (fleet, options) => fleet.getRoles({}, options) },
  { part: "rules", table: "rules", read: (fleet, options) => fleet.getRules({}, options) },
  { part: "schedules", table: "work_schedules", read: (fleet, options) => fleet.getWorkSchedules({}, options) },
  { part: "vehicle-types", table: "vehicle_types", read: (fleet, options) => fleet.getVehicleTypes({}, options) },
  {
    part: "meta-sensors",
    table: "meta_sensors",
    read: async (fleet, options) => withKeyAsId(await fleet.getMetaSensors({}, options))
  }
];
function withKeyAsId(sensors) {
  return sensors.map((sensor) => isObject(sensor) ? { ...sensor, id: readText(sensor.key) } : sensor);
}
const syncParts = [
  "vehicles",
  "people",
  "groups",
  "geofences",
  "labels",
  "roles",
  "rules",
  "schedules",
  "vehicle-types",
  "meta-sensors",
  "devices",
  "mapped-sensors",
  "assignments",
  "latest",
  "trips",
  "stops",
  "snapshots"
];
const ofVehicles = /* @__PURE__ */ new Set([
  "mapped-sensors",
  "assignments",
  "latest",
  "trips",
  "stops",
  "snapshots"
]);
function isOfVehicles(part) {
  return ofVehicles.has(part);
}
function needsVehicles(part) {
  return part === "devices" || isOfVehicles(part);
}
const defaultParts = syncParts.filter(
  (part) => part !== "snapshots" && part !== "stops" && part !== "mapped-sensors"
);
export {
  defaultParts,
  isOfVehicles,
  needsVehicles,
  readWhole,
  recordLists,
  syncParts
};
