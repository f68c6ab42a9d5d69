// The group tree, and the groups of vehicles and geofences.
import type {
  ChangeGeofenceGroupsInput,
  ChangeVehicleGroupsInput,
  CreateGroupInput,
  UpdateGroupInput,
} from '../../../generated/contract-types.js';
import { badRequest, forbidden } from '../../core/refusals.js';
import { withChanges } from '../../store/store.js';
import type { GroupRecord, VehicleRecord } from '../../store/tables.js';
import { groupSubtree } from '../../store/visibility.js';
import type { RequestContext } from '../request-context.js';
import { optionalText, pickDefined, requiredText } from './inputs.js';

interface GroupArgs {
  readonly groupId: string;
}

function createGroup(
  { createGroupInput: input }: { readonly createGroupInput: CreateGroupInput },
  context: RequestContext,
): GroupRecord {
  const { fleet, scope, store, now } = context;
  const name = requiredText(input.name, 'name');
  // A limited user's top-level group is placed below the user's own group.
  const parentId = input.parentId == null ? scope.groupForNewRecords() : scope.requireGroup(input.parentId).id;
  return fleet.groups.put({
    ...store.newRecord(fleet.id, now),
    name,
    parentId,
    externalId: input.externalId ?? null,
    description: input.description ?? null,
  });
}

function updateGroup(
  { groupId, updateGroupInput: input }: GroupArgs & { readonly updateGroupInput: UpdateGroupInput },
  { fleet, scope, now }: RequestContext,
): GroupRecord {
  const group = scope.requireGroup(groupId);
  const name = optionalText(input.name, 'name');
  const { parentId } = input;
  if (parentId !== undefined && parentId !== group.parentId) {
    if (!scope.isWholeFleet && (parentId === null || group.id === scope.rootGroupId))
      throw forbidden('You cannot move a group out of your own.');
    if (typeof parentId === 'string') {
      scope.requireGroup(parentId);
      if (groupSubtree(fleet, group.id).has(parentId)) throw badRequest('A group cannot be placed below itself.');
    }
  }
  return fleet.groups.put(
    withChanges(group, now, {
      ...pickDefined(input, ['parentId', 'externalId', 'description']),
      ...(name === undefined ? {} : { name }),
    }),
  );
}

function deleteGroup({ groupId }: GroupArgs, { fleet, scope, now }: RequestContext): boolean {
  const group = scope.requireGroup(groupId);
  if (group.id === scope.rootGroupId) throw forbidden('You cannot delete the group you are limited to.');
  if (fleet.groups.findBy('parent', group.id).length > 0) {
    throw badRequest('The group has groups below it: delete or move them first.');
  }
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== group.id);
  for (const vehicle of fleet.vehicles.findBy('group', group.id)) {
    fleet.vehicles.put(withChanges(vehicle, now, { groupIds: without(vehicle.groupIds) }));
  }
  for (const geofence of [...fleet.geofences.values()].filter((candidate) => candidate.groupIds.includes(group.id))) {
    // It must not become visible to the whole fleet, so it moves to the parent group.
    const rest = without(geofence.groupIds);
    const parent = rest.length === 0 && group.parentId !== null ? [group.parentId] : [];
    fleet.geofences.put(withChanges(geofence, now, { groupIds: [...rest, ...parent] }));
  }
  // People move to the parent group, so that nobody becomes invisible.
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

interface MembershipChange {
  readonly groupIds: readonly string[];
  readonly addedGroupIds: readonly string[];
  readonly removedGroupIds: readonly string[];
}

/** Returns a record's groups after the change. Users can add and remove only visible groups. */
function changeMembership(
  current: readonly string[],
  input: ChangeVehicleGroupsInput | ChangeGeofenceGroupsInput | null | undefined,
  { scope }: RequestContext,
): MembershipChange {
  const joined = new Set((input?.addGroupIds ?? []).map((id) => scope.requireGroup(id).id));
  const left = new Set((input?.removeGroupIds ?? []).map((id) => scope.requireGroup(id).id));
  for (const id of joined) if (left.has(id)) throw badRequest('A group cannot be both joined and left.');
  const addedGroupIds = [...joined].filter((id) => !current.includes(id));
  const removedGroupIds = current.filter((id) => left.has(id));
  return { groupIds: [...current.filter((id) => !left.has(id)), ...addedGroupIds], addedGroupIds, removedGroupIds };
}

const changesNothing = ({ addedGroupIds, removedGroupIds }: MembershipChange): boolean =>
  addedGroupIds.length === 0 && removedGroupIds.length === 0;

function changeVehicleGroups(
  args: { readonly vehicleId: string; readonly changeVehicleGroupsInput?: ChangeVehicleGroupsInput | null },
  context: RequestContext,
): object {
  const vehicle = context.scope.requireVehicle(args.vehicleId);
  const change = changeMembership(vehicle.groupIds, args.changeVehicleGroupsInput, context);
  if (!changesNothing(change)) setVehicleGroups(vehicle, change.groupIds, context);
  return { vehicleId: vehicle.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}

/** Sets a vehicle's groups. Changed groups get a new version too: their `vehicleIds` changes. */
function setVehicleGroups(vehicle: VehicleRecord, groupIds: readonly string[], { fleet, now }: RequestContext): void {
  fleet.vehicles.put(withChanges(vehicle, now, { groupIds }));
  for (const id of new Set([...vehicle.groupIds, ...groupIds])) {
    const group = fleet.groups.get(id);
    if (group !== undefined && vehicle.groupIds.includes(id) !== groupIds.includes(id)) {
      fleet.groups.put(withChanges(group, now, {}));
    }
  }
}

function changeGeofenceGroups(
  args: { readonly geofenceId: string; readonly changeGeofenceGroupsInput?: ChangeGeofenceGroupsInput | null },
  context: RequestContext,
): object {
  const { scope, fleet, now } = context;
  const geofence = scope.requireEditableGeofence(args.geofenceId);
  const change = changeMembership(geofence.groupIds, args.changeGeofenceGroupsInput, context);
  if (!scope.isWholeFleet && change.groupIds.length === 0)
    throw forbidden('You cannot share a geofence with the whole fleet.');
  if (!changesNothing(change)) fleet.geofences.put(withChanges(geofence, now, { groupIds: change.groupIds }));
  return { geofenceId: geofence.id, addedGroupIds: change.addedGroupIds, removedGroupIds: change.removedGroupIds };
}

interface MoveVehicles {
  readonly vehicleIds: readonly string[];
  readonly sourceGroupId: string;
  readonly destinationGroupId: string;
}

function changeVehiclesGroup(
  { vehicleIds, sourceGroupId, destinationGroupId }: MoveVehicles,
  context: RequestContext,
): string[] {
  const { scope } = context;
  const source = scope.requireGroup(sourceGroupId);
  const destination = scope.requireGroup(destinationGroupId);
  if (source.id === destination.id) throw badRequest('The source and the destination are the same group.');
  // Every vehicle is checked before the first moves, so that all move or none.
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

function vehiclesIn(group: GroupRecord, { fleet }: RequestContext): VehicleRecord[] {
  // A user who can see a group can see all of its vehicles.
  return fleet.vehicles.findBy('group', group.id);
}

export const rootResolvers = {
  getGroups: (_args: object, { fleet, scope }: RequestContext) =>
    [...fleet.groups.values()].filter((group) => scope.canSeeGroup(group)),
  createGroup,
  updateGroup,
  deleteGroup,
  changeVehicleGroups,
  changeGeofenceGroups,
  changeVehiclesGroup,
};

export const typeResolvers = {
  Group: {
    parentId: (group: GroupRecord, { scope }: RequestContext) =>
      group.parentId !== null && scope.canSeeGroupId(group.parentId) ? group.parentId : null,
    isOwn: () => true,
    vehicleIds(group: GroupRecord, context: RequestContext): string[] {
      const vehicles = vehiclesIn(group, context);
      if (!context.tryAddRecords(vehicles.length)) return [];
      return vehicles.map((vehicle) => vehicle.id);
    },
    assignedVehicles(group: GroupRecord, context: RequestContext): VehicleRecord[] {
      const vehicles = vehiclesIn(group, context);
      return context.tryAddRecords(vehicles.length) ? vehicles : [];
    },
  },
};
