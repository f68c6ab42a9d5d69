import { positionIn } from "../../places/places.js";
import { readPlaces } from "../../places/read-places.js";
import { showsPlaces } from "../../places/shows-places.js";
import { fieldsOfPlace } from "../../views/place.js";
function shownPlaces(run, client) {
  return showsPlaces(run) ? readPlaces(run, client) : null;
}
function withPlace(vehicle, places) {
  if (places === null) return vehicle;
  return { ...vehicle, ...fieldsOfPlace(places.at(positionIn(vehicle.lastData?.gps))) };
}
export {
  shownPlaces,
  withPlace
};
