import { badRequest, notFound } from "../../core/refusals.js";
import { withChanges } from "../../store/store.js";
import { isTrue, optionalText, pickDefined, requireIds, setCustomField } from "./inputs.js";
import { latestData } from "./latest-data.js";
import { withVehicleAndDriver } from "./snapshots.js";
function visibleDevice(id, { scope, fleet }) {
  const found = fleet.devices.get(id);
  return found !== void 0 && scope.canSeeDevice(found) ? found : null;
}
function devicesBySerial({ serial }, { scope, fleet }) {
  return fleet.devices.findBy("serial", serial).filter((found) => scope.canSeeDevice(found));
}
const mappedSensors = {
  car: [{ name: "Ignition", source: "DIN1" }],
  van: [
    { name: "Ignition", source: "DIN1" },
    { name: "Side door", source: "DIN2" }
  ],
  truck: [
    { name: "Ignition", source: "DIN1" },
    { name: "PTO", source: "DIN3" },
    { name: "Cargo temperature", source: "1WIRE1" }
  ]
};
function workSchedule(vehicle, { fleet }) {
  if (vehicle.workScheduleId !== null) return fleet.workSchedules.get(vehicle.workScheduleId) ?? null;
  for (const schedule of fleet.workSchedules.values()) if (schedule.isDefault) return schedule;
  return null;
}
function deactivationFields(vehicle, deactivated, now) {
  return { deactivated, deactivatedAt: deactivated ? vehicle.deactivatedAt ?? now : null };
}
const minYear = 1900;
function updateVehicle({ vehicleId, vehicleInput: input }, { scope, fleet, now }) {
  const vehicle = scope.requireVehicle(vehicleId);
  const name = optionalText(input.name, "name");
  const { vehicleTypeId, workScheduleId, labelIds, year } = input;
  if (typeof year === "number" && (year < minYear || year > new Date(now).getUTCFullYear() + 2)) {
    throw badRequest("year is not a plausible model year.");
  }
  if (typeof vehicleTypeId === "string" && fleet.vehicleTypes.get(vehicleTypeId) === void 0) {
    throw notFound("vehicle type", vehicleTypeId);
  }
  if (typeof workScheduleId === "string" && fleet.workSchedules.get(workScheduleId) === void 0) {
    throw notFound("work schedule", workScheduleId);
  }
  return fleet.vehicles.put(
    withChanges(vehicle, now, {
      ...pickDefined(input, ["vin", "licensePlate", "make", "model", "year", "vehicleTypeId", "workScheduleId"]),
      ...name === void 0 ? {} : { name },
      ...input.deactivated === void 0 ? {} : deactivationFields(vehicle, isTrue(input.deactivated), now),
      ...labelIds === void 0 ? {} : { labelIds: requireIds(labelIds ?? [], "label", (id) => fleet.labels.get(id) !== void 0) }
    })
  );
}
const rootResolvers = {
  getVehicles: (_args, { scope }) => scope.vehicles(),
  getActiveVehicles: (_args, { scope }) => scope.vehicles().filter((vehicle) => !vehicle.deactivated),
  getVehicleById: ({ id }, { scope }) => scope.vehicle(id),
  getVehiclesByVin: ({ vin }, { scope, fleet }) => fleet.vehicles.findBy("vin", vin).filter((vehicle) => scope.canSeeVehicle(vehicle)),
  getDeviceById: ({ id }, context) => visibleDevice(id, context),
  getDeviceBySerial: (args, context) => devicesBySerial(args, context)[0] ?? null,
  getDevicesBySerial: devicesBySerial,
  getLabels: (_args, { fleet }) => [...fleet.labels.values()],
  getMetaSensors: (_args, { fleet }) => fleet.metaSensors,
  getVehicleTypes: (_args, { fleet }) => [...fleet.vehicleTypes.values()],
  getWorkSchedules: (_args, { fleet }) => [...fleet.workSchedules.values()],
  getWorkScheduleById: ({ id }, { fleet }) => fleet.workSchedules.get(id) ?? null,
  getVehicleCustomFields: ({ vehicleId }, { scope }) => scope.vehicle(vehicleId)?.customFields ?? null,
  getVehicleMappedSensors: ({ vehicleId }, { scope }) => {
    const vehicle = scope.vehicle(vehicleId);
    if (vehicle === null) return null;
    return vehicle.deviceIds.length === 0 ? [] : mappedSensors[vehicle.kind];
  },
  getUserInfo: (_args, { login }) => login.users,
  updateVehicle,
  updateVehicleCustomField({ vehicleId, field: change }, { scope, fleet, now, strict }) {
    const vehicle = scope.requireVehicle(vehicleId);
    const { fields, field } = setCustomField(vehicle.customFields, fleet.vehicleFieldNames, change, strict);
    fleet.vehicles.put(withChanges(vehicle, now, { customFields: fields }));
    return field;
  }
};
const typeResolvers = {
  Vehicle: {
    latestData(vehicle, context) {
      const cached = context.latestData.get(vehicle.id);
      if (cached !== void 0) return cached;
      const data = latestData(vehicle, context);
      context.latestData.set(vehicle.id, data);
      return data;
    },
    lastData: (vehicle, context) => {
      const row = context.latestSnapshot(vehicle);
      return row === null ? null : withVehicleAndDriver(row, vehicle, context);
    },
    lastOdometer: (vehicle, context) => context.latestSnapshot(vehicle)?.odometerKm ?? null,
    lastWorkingHours: (vehicle, context) => context.latestSnapshot(vehicle)?.engineHours ?? null,
    assignedGroups(vehicle, context) {
      if (!context.tryAddRecords(vehicle.groupIds.length)) return [];
      return vehicle.groupIds.map((id) => context.scope.group(id)).filter((group) => group !== null);
    },
    assignedDevices: (vehicle, { fleet }) => vehicle.deviceIds.flatMap((id) => fleet.devices.get(id) ?? []),
    assignedLabels: (vehicle, { fleet }) => vehicle.labelIds.flatMap((id) => fleet.labels.get(id) ?? []),
    vehicleType: (vehicle, { fleet }) => vehicle.vehicleTypeId === null ? null : fleet.vehicleTypes.get(vehicle.vehicleTypeId) ?? null,
    workSchedule
  }
};
export {
  rootResolvers,
  typeResolvers
};
