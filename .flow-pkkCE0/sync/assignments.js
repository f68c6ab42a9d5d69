import { askedId } from "fleet-telematics/kit";
import { readByVehicle } from "./by-vehicle.js";
import { idOf } from "./compare-records.js";
import { writeRecords } from "./records.js";
async function syncAssignments(fleet, target, lists, scope) {
  const { teller } = lists;
  const answers = await readByVehicle(
    lists,
    (vehicleId, options) => fleet.getDriverAssignments({ input: { vehicleId } }, options)
  );
  const found = [];
  const readVehicles = /* @__PURE__ */ new Set();
  for (const [vehicleId, { records, gap }] of answers) {
    for (const assignment of records) {
      if (askedId(Reflect.get(assignment, "vehicleId"), vehicleId) !== null)
        found.push(target.ids.in({ ...assignment, vehicleId }));
      else teller.unstored("assignments", "noVehicle", idOf(assignment));
    }
    if (gap === null) readVehicles.add(vehicleId);
  }
  const covers = (record) => readVehicles.has(String(Reflect.get(record, "vehicleId")));
  return writeRecords(target, { ...scope, covers }, { records: found, gap: null }, teller);
}
export {
  syncAssignments
};
