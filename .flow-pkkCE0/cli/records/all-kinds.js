import { tokenKind } from "./driver-token.js";
import { geofenceKind } from "./geofence.js";
import { groupKind } from "./group.js";
import { driverKind, personKind } from "./person.js";
import { labelKind, roleKind, ruleKind, scheduleKind, vehicleTypeKind } from "./reference-data.js";
import { vehicleKind } from "./vehicle.js";
const editableKinds = [vehicleKind, personKind, geofenceKind, groupKind, tokenKind];
const allKinds = [
  ...editableKinds,
  ...[driverKind, labelKind, vehicleTypeKind, roleKind, ruleKind, scheduleKind]
];
function editableKind(noun) {
  return editableKinds.find((kind) => kind.noun === noun) ?? null;
}
function kindOfPlaceholder(placeholder) {
  const word = placeholder === "place" ? geofenceKind.placeholder : placeholder;
  return allKinds.find((kind) => kind.placeholder === word) ?? null;
}
export {
  allKinds,
  editableKind,
  kindOfPlaceholder
};
