import { badRequest, forbidden } from "../../core/refusals.js";
import { withChanges } from "../../store/store.js";
import { groupSubtree } from "../../store/visibility.js";
import { optionalText, pickDefined, requiredText } from "./inputs.js";
function createGroup({ createGroupInput: input }, context) {
  const { fleet, scope, store, now } = context;
  const name = requiredText(input.name, "name");
  const parentId = input.parentId == null ? scope.groupForNewRecords() : scope.requireGroup(input.parentId).id;
  return fleet.groups.put({
    ...store.newRecord(fleet.id, now),
    name,
    parentId,
    externalId: input.externalId ?? null,
    description: input.description ?? null
  });
}
function updateGroup({ groupId, updateGroupInput: input }, { fleet, scope, now }) {
  const group = scope.requireGroup(groupId);
  const name = optionalText(input.name, "name");
  const { parentId } = input;
  if (parentId !== void 0 && parentId !== group.parentId) {
    if (!scope.isWholeFleet && (parentId === null || group.id === scope.rootGroupId))
      throw forbidden("You cannot move a group out of your own.");
    if (typeof parentId === "string") {
      scope.requireGroup(parentId);
      if (groupSubtree(fleet, group.id).has(parentId)) throw badRequest("A group cannot be placed below itself.");
    }
  }
  return fleet.groups.put(
    withChanges(group, now, {
      ...pickDefined(input, ["parentId", "externalId", "description"]),
      ...name === void 0 ? {} : { name }
    })
  );
}
function deleteGroup({ groupId }, { fleet, scope, now }) {
  const group = scope.requireGroup(groupId);
  if (group.id === scope.rootGroupId) throw forbidden("You cannot delete the group you are limited to.");
  if (fleet.groups.findBy("parent", group.id).length > 0) {
    throw badRequest("The group has groups below it: delete or move them first.");
  }
  const without = (ids) => ids.filter((id) => id !== group.id);
  for (const vehicle of fleet.vehicles.findBy("group", group.id)) {
    fleet.vehicles.put(withChanges(vehicle, now, { groupIds: without(vehicle.groupIds) }));
  }
  for (const geofence of [...fleet.geofences.values()].filter((candidate) => candidate.groupIds.includes(group.id))) {
    const rest = without(geofence.groupIds);
    const parent = rest.length === 0 && group.parentId !== null ? [group.parentId] : [];
    fleet.geofences.put(withChanges(geofence, now, { groupIds: [...rest, ...parent] }));
  }
  for (const person of [...fleet.people.values()].filter((candidate) => candidate.groupId === group.id)) {
    fleet.people.put({ ...person, groupId: group.parentId });
  }
  for (const rule of fleet.rules.values()) {
    if (rule.assignedGroupIds.includes(group.id)) {
      fleet.rules.put({ ...rule, assignedGroupIds: without(rule.assignedGroupIds) });
    }
  }
  return fleet.groups.delete(group.id);
}
function changeMembership(current, input, { scope }) {
  const joined = new Set((input?.addGroupIds ?? []).map((id) => scope.requireGroup(id).id));
  const left = new Set((input?.removeGroupIds ?? []).map((id) => scope.requireGroup(id).id));
  for (const id of joined) if (left.has(id)) throw badRequest("A group cannot be both joined and left.");
  const addedGroupIds = [...joined].filter((id) => !current.includes(id));
  const removedGroupIds = current.filter((id) => left.has(id));
  return { groupIds: [...current.filter((id) => !left.has(id)), ...addedGroupIds], addedGroupIds, removedGroupIds };
}
const changesNothing = ({ addedGroupIds, removedGroupIds }) => addedGroupIds.length === 0 && removedGroupIds.length === 0;
function changeVehicleGroups(args, context) {
  const vehicle = context.scope.requireVehicle(args.vehicleId);
  const change = changeMembership(vehicle.groupIds, args.changeVehicleGroupsInput, context);
  if (!changesNothing(change)) setVehicleGroups(vehicle, change.groupIds, context);
  return { vehicleId: vehicle.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}
function setVehicleGroups(vehicle, groupIds, { fleet, now }) {
  fleet.vehicles.put(withChanges(vehicle, now, { groupIds }));
  for (const id of /* @__PURE__ */ new Set([...vehicle.groupIds, ...groupIds])) {
    const group = fleet.groups.get(id);
    if (group !== void 0 && vehicle.groupIds.includes(id) !== groupIds.includes(id)) {
      fleet.groups.put(withChanges(group, now, {}));
    }
  }
}
function changeGeofenceGroups(args, context) {
  const { scope, fleet, now } = context;
  const geofence = scope.requireEditableGeofence(args.geofenceId);
  const change = changeMembership(geofence.groupIds, args.changeGeofenceGroupsInput, context);
  if (!scope.isWholeFleet && change.groupIds.length === 0)
    throw forbidden("You cannot share a geofence with the whole fleet.");
  if (!changesNothing(change)) fleet.geofences.put(withChanges(geofence, now, { groupIds: change.groupIds }));
  return { geofenceId: geofence.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}
function changeVehiclesGroup({ vehicleIds, sourceGroupId, destinationGroupId }, context) {
  const { scope } = context;
  const source = scope.requireGroup(sourceGroupId);
  const destination = scope.requireGroup(destinationGroupId);
  if (source.id === destination.id) throw badRequest("The source and the destination are the same group.");
  const vehicles = [...new Set(vehicleIds)].map((id) => {
    const vehicle = scope.requireVehicle(id);
    if (!vehicle.groupIds.includes(source.id))
      throw badRequest(`The vehicle with id ${id} is not in the source group.`);
    return vehicle;
  });
  for (const vehicle of vehicles) {
    const rest = vehicle.groupIds.filter((id) => id !== source.id && id !== destination.id);
    setVehicleGroups(vehicle, [...rest, destination.id], context);
  }
  return vehicles.map((vehicle) => vehicle.id);
}
function vehiclesIn(group, { fleet }) {
  return fleet.vehicles.findBy("group", group.id);
}
const rootResolvers = {
  getGroups: (_args, { fleet, scope }) => [...fleet.groups.values()].filter((group) => scope.canSeeGroup(group)),
  createGroup,
  updateGroup,
  deleteGroup,
  changeVehicleGroups,
  changeGeofenceGroups,
  changeVehiclesGroup
};
const typeResolvers = {
  Group: {
    // Hides a parent that the user cannot see.
    parentId: (group, { scope }) => group.parentId !== null && scope.canSeeGroupId(group.parentId) ? group.parentId : null,
    isOwn: () => true,
    vehicleIds(group, context) {
      const vehicles = vehiclesIn(group, context);
      if (!context.tryAddRecords(vehicles.length)) return [];
      return vehicles.map((vehicle) => vehicle.id);
    },
    assignedVehicles(group, context) {
      const vehicles = vehiclesIn(group, context);
      return context.tryAddRecords(vehicles.length) ? vehicles : [];
    }
  }
};
export {
  rootResolvers,
  typeResolvers
};
