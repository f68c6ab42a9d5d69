import { formatOf } from "../../context/print.js";
import { positionIn } from "../../places/places.js";
import { showsPlaces } from "../../places/shows-places.js";
import { isAsked } from "../../shape/asked.js";
import { fieldsOfPlace } from "../../views/place.js";
function snapshotNeeds(run, ofSeveral) {
  const byDefault = run.globals.fields === void 0;
  return {
    // On a map, a track is named after its vehicle.
    vehicle: ofSeveral && byDefault || formatOf(run).map !== null || isAsked(run, ["vehicle"]),
    driver: ofSeveral && byDefault || isAsked(run, ["driverName"]),
    places: showsPlaces(run)
  };
}
async function* completeSnapshots(rows, { names, places }, needs, nameOf) {
  if (!needs.vehicle && !needs.driver && !needs.places) {
    yield* rows;
    return;
  }
  for await (const row of rows) {
    const driverId = row.driver?.driverId ?? "";
    yield {
      ...needs.vehicle ? { vehicle: nameOf(row.vehicleId ?? "") } : {},
      ...needs.driver ? { driverName: names.get(driverId) ?? driverId } : {},
      ...row,
      ...needs.places ? fieldsOfPlace(places.at(positionIn(row.gps))) : {}
    };
  }
}
export {
  completeSnapshots,
  snapshotNeeds
};
