import { call } from "./call.js";
async function vehicleNames(run, client) {
  const select = { id: true, name: true, licensePlate: true };
  const vehicles = await call(client, "getVehicles", {}, { signal: run.io.signal, select }).catch(() => {
    run.report.warn("The names of vehicles could not be read.");
    return [];
  });
  return new Map(vehicles.map(({ id, name, licensePlate }) => [id ?? "", name || licensePlate || ""]));
}
export {
  vehicleNames
};
