import { allowPartial } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { commandFailureOf } from "../errors/exit-codes.js";
import { isMarkedDeleted } from "../shape/deleted.js";
import { Places } from "./places.js";
async function readPlaces(run, client, options = {}) {
  const select = { id: true, name: true, geojson: true, isDeleted: true };
  try {
    const geofences = await allowPartial(
      run,
      (partial) => call(client, "getGeofences", {}, { ...partial, ...options, select })
    );
    return new Places(geofences.filter((geofence) => !isMarkedDeleted(geofence)));
  } catch (error) {
    const { code, message, details } = commandFailureOf(error, run.io.signal.aborted, run.globals.timeout);
    if (code !== "GRAPHQL") throw error;
    const reason = details.length > 0 ? details.join(" ") : message;
    run.report.warn(`Geofences could not be read, so places are not named: ${reason}`);
    return new Places([]);
  }
}
const noPlaces = new Places([]);
export {
  noPlaces,
  readPlaces
};
