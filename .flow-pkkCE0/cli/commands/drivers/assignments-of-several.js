import { FleetError } from "../../../index.js";
import { call } from "../../connection/call.js";
import { driverNames } from "../../connection/driver-names.js";
import { FailedVehicles } from "../../errors/failed-vehicles.js";
import { findRecords } from "../../find/record.js";
import { driverKind } from "../../records/person.js";
async function assignmentsOfSeveral(run, client, { choose, drivers, ofDriversOnly, select }) {
  const [vehicles, people, names] = await Promise.all([
    choose(client),
    drivers.length === 0 ? [] : findRecords(run, client, driverKind, drivers, { select: driverKind.identity }),
    driverNames(run, client)
  ]);
  const vehicleNames = new Map(vehicles.map(({ id, name }) => [id, name]));
  const driverIds = people.flatMap(({ id }) => id ?? []);
  const isOfDrivers = ofDriversOnly && driverIds.length > 0;
  const ids = isOfDrivers ? driverIds : vehicles.map(({ id }) => id);
  const failed = new FailedVehicles("getDriverAssignments", (id) => vehicleNames.get(id) ?? names.get(id) ?? id);
  const lists = await Promise.all(
    ids.map(async (id) => {
      const input = isOfDrivers ? { driverId: id } : { vehicleId: id };
      try {
        return await call(client, "getDriverAssignments", { input }, { signal: run.io.signal, select });
      } catch (error) {
        if (!(error instanceof FleetError && error.code === "GRAPHQL")) throw error;
        failed.add(id, error);
        return [];
      }
    })
  );
  failed.report(run.report);
  return lists.flat().filter(({ driverId }) => driverIds.length === 0 || driverIds.includes(driverId ?? "")).map((row) => {
    const vehicle = vehicleNames.get(row.vehicleId ?? "") ?? row.vehicleId ?? "";
    const driver = names.get(row.driverId ?? "") ?? row.driverId ?? "";
    return { vehicle, driver, ...row };
  });
}
export {
  assignmentsOfSeveral
};
