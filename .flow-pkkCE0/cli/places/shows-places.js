import { formatOf } from "../context/print.js";
import { isAsked } from "../shape/asked.js";
import { placeFields } from "../views/place.js";
function showsPlaces(run) {
  const { fields } = run.globals;
  return fields === void 0 && formatOf(run).forPeople || isAsked(run, placeFields);
}
export {
  showsPlaces
};
