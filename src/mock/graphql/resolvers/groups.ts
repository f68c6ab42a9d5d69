// The group tree, and which vehicles and geofences belong to which group.
import type {
  ChangeGeofenceGroupsInput,
  ChangeVehicleGroupsInput,
  CreateGroupInput,
  UpdateGroupInput,
} from '../../../generated/contract-types.js';
import type { GroupRecord, VehicleRecord } from '../../store/records.js';
import { changed } from '../../store/store.js';
import { subtree } from '../../store/visibility.js';
import type { Context } from '../context.js';
import { badRequest, forbidden } from '../errors.js';
import { given, keptText, requiredText } from './inputs.js';

interface OfGroup {
  readonly groupId: string;
}

function createGroup(
  { createGroupInput: input }: { readonly createGroupInput: CreateGroupInput },
  context: Context,
): GroupRecord {
  const { fleet, scope, store, now } = context;
  const name = requiredText(input.name, 'name');
  // What a limited user adds at the top comes to stand below their own group.
  const parentId = input.parentId == null ? scope.homeOfNew() : scope.theGroup(input.parentId).id;
  return fleet.groups.put({
    ...store.newRecord(fleet.id, now),
    name,
    parentId,
    externalId: input.externalId ?? null,
    description: input.description ?? null,
  });
}

function updateGroup(
  { groupId, updateGroupInput: input }: OfGroup & { readonly updateGroupInput: UpdateGroupInput },
  { fleet, scope, now }: Context,
): GroupRecord {
  const group = scope.theGroup(groupId);
  const name = keptText(input.name, 'name');
  const { parentId } = input;
  if (parentId !== undefined && parentId !== group.parentId) {
    if (!scope.whole && (parentId === null || group.id === scope.home))
      throw forbidden('You cannot move a group out of your own.');
    if (typeof parentId === 'string') {
      scope.theGroup(parentId);
      if (subtree(fleet, group.id).has(parentId)) throw badRequest('A group cannot be placed below itself.');
    }
  }
  return fleet.groups.put(
    changed(group, now, {
      ...given(input, ['parentId', 'externalId', 'description']),
      ...(name === undefined ? {} : { name }),
    }),
  );
}

function deleteGroup({ groupId }: OfGroup, { fleet, scope, now }: Context): boolean {
  const group = scope.theGroup(groupId);
  if (group.id === scope.home) throw forbidden('You cannot delete the group you are limited to.');
  if (fleet.groups.by('parent', group.id).length > 0) {
    throw badRequest('The group has groups below it: delete or move them first.');
  }
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== group.id);
  for (const vehicle of fleet.vehicles.by('group', group.id)) {
    fleet.vehicles.put(changed(vehicle, now, { groupIds: without(vehicle.groupIds) }));
  }
  for (const geofence of [...fleet.geofences.values()].filter((one) => one.groupIds.includes(group.id))) {
    // Without any group it would be everybody's: it goes to the group above instead.
    const rest = without(geofence.groupIds);
    const above = rest.length === 0 && group.parentId !== null ? [group.parentId] : [];
    fleet.geofences.put(changed(geofence, now, { groupIds: [...rest, ...above] }));
  }
  // Who belonged to the group now belongs to the one above it: nobody becomes invisible by a change of the tree.
  for (const person of [...fleet.people.values()].filter((one) => one.groupId === group.id)) {
    fleet.people.put({ ...person, groupId: group.parentId });
  }
  for (const rule of fleet.rules.values()) {
    if (rule.assignedGroupIds.includes(group.id)) {
      fleet.rules.put({ ...rule, assignedGroupIds: without(rule.assignedGroupIds) });
    }
  }
  return fleet.groups.delete(group.id);
}

interface Membership {
  readonly groupIds: readonly string[];
  readonly addedGroupIds: readonly string[];
  readonly removedGroupIds: readonly string[];
}

/** The groups a record is in after the change; only groups that the user sees can be joined or left. */
function rearranged(
  current: readonly string[],
  input: ChangeVehicleGroupsInput | ChangeGeofenceGroupsInput | null | undefined,
  { scope }: Context,
): Membership {
  const join = new Set((input?.addGroupIds ?? []).map((id) => scope.theGroup(id).id));
  const leave = new Set((input?.removeGroupIds ?? []).map((id) => scope.theGroup(id).id));
  for (const id of join) if (leave.has(id)) throw badRequest('A group cannot be both joined and left.');
  const addedGroupIds = [...join].filter((id) => !current.includes(id));
  const removedGroupIds = current.filter((id) => leave.has(id));
  return { groupIds: [...current.filter((id) => !leave.has(id)), ...addedGroupIds], addedGroupIds, removedGroupIds };
}

const changesNothing = ({ addedGroupIds, removedGroupIds }: Membership): boolean =>
  addedGroupIds.length === 0 && removedGroupIds.length === 0;

function changeVehicleGroups(
  args: { readonly vehicleId: string; readonly changeVehicleGroupsInput?: ChangeVehicleGroupsInput | null },
  context: Context,
): object {
  const vehicle = context.scope.theVehicle(args.vehicleId);
  const change = rearranged(vehicle.groupIds, args.changeVehicleGroupsInput, context);
  if (!changesNothing(change)) moveVehicle(vehicle, change.groupIds, context);
  return { vehicleId: vehicle.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}

/** Puts a vehicle into these groups. The groups it joins and leaves have changed as well: their `vehicleIds` has. */
function moveVehicle(vehicle: VehicleRecord, groupIds: readonly string[], { fleet, now }: Context): void {
  fleet.vehicles.put(changed(vehicle, now, { groupIds }));
  for (const id of new Set([...vehicle.groupIds, ...groupIds])) {
    const group = fleet.groups.get(id);
    if (group !== undefined && vehicle.groupIds.includes(id) !== groupIds.includes(id)) {
      fleet.groups.put(changed(group, now, {}));
    }
  }
}

function changeGeofenceGroups(
  args: { readonly geofenceId: string; readonly changeGeofenceGroupsInput?: ChangeGeofenceGroupsInput | null },
  context: Context,
): object {
  const { scope, fleet, now } = context;
  const geofence = scope.theGeofenceToChange(args.geofenceId);
  const change = rearranged(geofence.groupIds, args.changeGeofenceGroupsInput, context);
  if (!scope.whole && change.groupIds.length === 0)
    throw forbidden('You cannot share a geofence with the whole fleet.');
  if (!changesNothing(change)) fleet.geofences.put(changed(geofence, now, { groupIds: change.groupIds }));
  return { geofenceId: geofence.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}

interface MoveVehicles {
  readonly vehicleIds: readonly string[];
  readonly sourceGroupId: string;
  readonly destinationGroupId: string;
}

function changeVehiclesGroup(
  { vehicleIds, sourceGroupId, destinationGroupId }: MoveVehicles,
  context: Context,
): string[] {
  const { scope } = context;
  const source = scope.theGroup(sourceGroupId);
  const destination = scope.theGroup(destinationGroupId);
  if (source.id === destination.id) throw badRequest('The source and the destination are the same group.');
  // All or none: every vehicle is checked before the first one moves.
  const vehicles = [...new Set(vehicleIds)].map((id) => {
    const vehicle = scope.theVehicle(id);
    if (!vehicle.groupIds.includes(source.id))
      throw badRequest(`The vehicle with id ${id} is not in the source group.`);
    return vehicle;
  });
  for (const vehicle of vehicles) {
    const rest = vehicle.groupIds.filter((id) => id !== source.id && id !== destination.id);
    moveVehicle(vehicle, [...rest, destination.id], context);
  }
  return vehicles.map((vehicle) => vehicle.id);
}

function members(group: GroupRecord, { fleet }: Context): VehicleRecord[] {
  // Whoever sees a group sees all of its vehicles.
  return fleet.vehicles.by('group', group.id);
}

export const rootFields = {
  getGroups: (_args: object, { fleet, scope }: Context) =>
    [...fleet.groups.values()].filter((group) => scope.seesGroup(group)),
  createGroup,
  updateGroup,
  deleteGroup,
  changeVehicleGroups,
  changeGeofenceGroups,
  changeVehiclesGroup,
};

export const typeFields = {
  Group: {
    // A parent that the user does not see is not told of.
    parentId: (group: GroupRecord, { scope }: Context) =>
      group.parentId !== null && scope.seesGroupId(group.parentId) ? group.parentId : null,
    isOwn: () => true,
    vehicleIds(group: GroupRecord, context: Context): string[] {
      const vehicles = members(group, context);
      if (!context.spend(vehicles.length)) return [];
      return vehicles.map((vehicle) => vehicle.id);
    },
    assignedVehicles(group: GroupRecord, context: Context): VehicleRecord[] {
      const vehicles = members(group, context);
      return context.spend(vehicles.length) ? vehicles : [];
    },
  },
};
