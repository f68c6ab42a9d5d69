import { areaOf, isFlaw } from "../geofences/area.js";
import { geofenceView } from "../views/geofence.js";
import { memberDifferences } from "./differences.js";
const geofenceKind = {
  noun: "geofence",
  plural: "geofences",
  placeholder: "geofence",
  listCommand: "fleet geofences list",
  list: "getGeofences",
  byId: "getGeofenceById",
  texts: [{ noun: "name", form: "name", members: ["name"] }],
  identity: { id: true, name: true, isDeleted: true },
  view: geofenceView,
  type: "Geofence",
  idVariable: "geofenceId",
  create: { operation: "createGeofence", variable: "geofenceInput", type: "CreateGeofenceInput" },
  update: { operation: "updateGeofence", variable: "geofenceInput", type: "GeofenceInput" },
  remove: "deleteGeofence",
  groups: {
    operation: "changeGeofenceGroups",
    variable: "changeGeofenceGroupsInput",
    type: "ChangeGeofenceGroupsInput"
  },
  lacks: ({ geojson }) => geojson === void 0 || geojson === null ? "a new geofence needs a shape, geojson" : null,
  differences
};
function differences({ geojson, color, ...members }, present) {
  const known = { ...present };
  const isNewShape = geojson !== void 0 && !isSameShape(geojson, known.geojson);
  const shape = isNewShape ? [{ field: "geojson", before: known.geojson ?? null, after: geojson }] : [];
  const isNewColor = color !== void 0 && String(known.color).toLowerCase() !== String(color).toLowerCase();
  const others = memberDifferences(isNewColor ? { ...members, color } : members, known);
  return {
    changes: [...others.changes, ...shape],
    send: isNewShape ? { ...others.send, geojson } : others.send
  };
}
function isSameShape(one, other) {
  const [first, second] = [areaOf(one), areaOf(other)];
  return !isFlaw(first) && !isFlaw(second) && JSON.stringify(first) === JSON.stringify(second);
}
export {
  geofenceKind
};
