import { GraphQLResponseError } from "fleet-telematics";
import { isObject, isUuid } from "fleet-telematics/kit";
import { inGroups, isOfPart } from "./by-vehicle.js";
import { idOf } from "./compare-records.js";
import { writeRecords } from "./records.js";
async function syncDevices(fleet, target, { vehicles, teller, signal }, scope) {
  const devices = vehicles.records.flatMap(devicesIn).map((device) => target.ids.in(device));
  const inVehicles = new Set(devices.map(idOf));
  const stored = await target.read(scope.table, ["id", "deleted_at"]);
  const others = stored.flatMap(
    ([id, deletedAt]) => deletedAt === null && !inVehicles.has(String(id)) ? [String(id)] : []
  );
  const unread = new Set(others.filter((id) => !isUuid(id)));
  await inGroups(others.filter(isUuid), async (some) => {
    const found = await Promise.all(
      some.map(async (id) => {
        try {
          return await fleet.getDeviceById({ id }, { priority: "low", signal });
        } catch (error) {
          if (isUnknown(error)) return null;
          if (!isOfPart(error)) throw error;
          unread.add(id);
          teller.failed(scope.part, null, error);
          return null;
        }
      })
    );
    devices.push(...found.flatMap((device) => device === null ? [] : target.ids.in(device)));
  });
  const covers = (record) => !unread.has(idOf(record) ?? "");
  return writeRecords(target, { ...scope, covers }, { records: devices, gap: vehicles.gap }, teller);
}
function devicesIn(vehicle) {
  const devices = Reflect.get(vehicle, "assignedDevices");
  if (!Array.isArray(devices)) return [];
  return devices.filter((device) => isObject(device) && idOf(device) !== null);
}
function isUnknown(error) {
  return error instanceof GraphQLResponseError && error.classification === "NOT_FOUND";
}
export {
  syncDevices
};
