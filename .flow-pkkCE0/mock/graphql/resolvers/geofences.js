import { geojsonProblem } from "../../core/geojson.js";
import { badRequest } from "../../core/refusals.js";
import { withChanges } from "../../store/store.js";
import { isTrue, optionalText, pickDefined, requiredText } from "./inputs.js";
const textFields = ["color", "phone", "email", "description", "type"];
function requireGeoJson(value) {
  if (value === void 0 || value === null) throw badRequest("geojson is required.");
  const problem = geojsonProblem(value);
  if (problem !== null) throw badRequest(`geojson: ${problem}.`);
  return value;
}
function addressOf(input) {
  if (input === null) return null;
  const blank = { country: null, countryCode: null, region: null, city: null, postalCode: null, address: null };
  return { ...blank, ...pickDefined(input, ["country", "countryCode", "region", "city", "postalCode", "address"]) };
}
function createGeofence({ geofenceInput: input }, { fleet, scope, store, now }) {
  const name = requiredText(input.name, "name");
  const geojson = requireGeoJson(input.geojson);
  const groupId = scope.groupForNewRecords();
  return fleet.geofences.put({
    ...store.newRecord(fleet.id, now),
    color: null,
    phone: null,
    email: null,
    description: null,
    type: null,
    ...pickDefined(input, textFields),
    name,
    geojson,
    address: addressOf(input.address ?? null),
    displayNameAsAddress: isTrue(input.displayNameAsAddress),
    // The whole fleet can see a geofence without groups, so the geofence of a limited user gets the user's group.
    groupIds: groupId === null ? [] : [groupId]
  });
}
function updateGeofence({ geofenceId, geofenceInput: input }, { fleet, scope, now }) {
  const geofence = scope.requireEditableGeofence(geofenceId);
  const name = optionalText(input.name, "name");
  return fleet.geofences.put(
    withChanges(geofence, now, {
      ...pickDefined(input, textFields),
      ...name === void 0 ? {} : { name },
      ...input.geojson === void 0 ? {} : { geojson: requireGeoJson(input.geojson) },
      ...input.address === void 0 ? {} : { address: addressOf(input.address) },
      ...input.displayNameAsAddress === void 0 ? {} : { displayNameAsAddress: isTrue(input.displayNameAsAddress) }
    })
  );
}
function deleteGeofence({ geofenceId }, { fleet, scope }) {
  const geofence = scope.requireEditableGeofence(geofenceId);
  for (const rule of fleet.rules.values()) {
    if (!rule.geofenceIds.includes(geofence.id)) continue;
    fleet.rules.put({ ...rule, geofenceIds: rule.geofenceIds.filter((id) => id !== geofence.id) });
  }
  return fleet.geofences.delete(geofence.id);
}
const rootResolvers = {
  getGeofences: (_args, { fleet, scope }) => [...fleet.geofences.values()].filter((geofence) => scope.canSeeGeofence(geofence)),
  getGeofenceById: ({ id }, { scope }) => scope.geofence(id),
  createGeofence,
  updateGeofence,
  deleteGeofence,
  getRules: (_args, { fleet, scope }) => [...fleet.rules.values()].filter((rule) => scope.canSeeRule(rule)),
  getRuleById({ id }, { fleet, scope }) {
    const rule = fleet.rules.get(id);
    return rule !== void 0 && scope.canSeeRule(rule) ? rule : null;
  }
};
const typeResolvers = {
  Rule: {
    // Leaves out vehicles, groups and geofences that the user cannot see.
    vehicles: (rule, { scope }) => ({
      assignedVehicleIds: rule.assignedVehicleIds.filter((id) => scope.vehicle(id) !== null),
      assignedGroupIds: rule.assignedGroupIds.filter((id) => scope.canSeeGroupId(id)),
      assignedToAll: rule.assignedToAll
    }),
    geofenceIds: (rule, { scope }) => rule.geofenceIds.filter((id) => scope.geofence(id) !== null)
  }
};
export {
  rootResolvers,
  typeResolvers
};
