import { driverNames } from "../connection/driver-names.js";
import { noPlaces, readPlaces } from "./read-places.js";
async function readDriversAndPlaces(run, client, needs) {
  const [names, places] = await Promise.all([
    needs.driver ? driverNames(run, client) : /* @__PURE__ */ new Map(),
    needs.places ? readPlaces(run, client) : noPlaces
  ]);
  return { names, places };
}
export {
  readDriversAndPlaces
};
