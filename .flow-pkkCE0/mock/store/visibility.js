import { forbidden, notFound } from "../core/refusals.js";
class UserScope {
  constructor(fleet, user) {
    this.fleet = fleet;
    this.user = user;
    this.rootGroupId = user.groupId !== null && fleet.groups.get(user.groupId) !== void 0 ? user.groupId : null;
    this.#visibleGroupIds = user.groupId === null ? null : groupSubtree(fleet, this.rootGroupId);
  }
  fleet;
  user;
  /** Ids of the groups that the user can see; null: the whole fleet. */
  #visibleGroupIds;
  /** The group that the user is limited to; null when the user sees the whole fleet or the group has been deleted. */
  rootGroupId;
  get isWholeFleet() {
    return this.#visibleGroupIds === null;
  }
  canSeeVehicle(vehicle) {
    return this.#canSeeAnyGroup(vehicle.groupIds);
  }
  canSeeGroup(group) {
    return this.#visibleGroupIds === null || this.#visibleGroupIds.has(group.id);
  }
  canSeeGroupId(id) {
    return this.fleet.groups.get(id) !== void 0 && (this.#visibleGroupIds === null || this.#visibleGroupIds.has(id));
  }
  /** The group of records that the user creates, without which a limited user could not see them; null for other users. */
  groupForNewRecords() {
    if (!this.isWholeFleet && this.rootGroupId === null)
      throw forbidden("The group you are limited to no longer exists.");
    return this.rootGroupId;
  }
  /** A device is visible when a vehicle that carries it is. */
  canSeeDevice(device) {
    return this.isWholeFleet || this.fleet.vehicles.findBy("device", device.id).some((vehicle) => this.canSeeVehicle(vehicle));
  }
  /** A limited user can see the people of the user's groups, and themselves. */
  canSeePerson(person) {
    if (this.isWholeFleet || person.globalUserId === this.user.userId) return true;
    return person.groupId !== null && this.#canSeeAnyGroup([person.groupId]);
  }
  /** The whole fleet can see a geofence without groups. */
  canSeeGeofence(geofence) {
    return geofence.groupIds.length === 0 || this.#canSeeAnyGroup(geofence.groupIds);
  }
  canSeeRule(rule) {
    if (this.isWholeFleet || rule.assignedToAll) return true;
    return rule.assignedGroupIds.some((id) => this.canSeeGroupId(id)) || rule.assignedVehicleIds.some((id) => this.vehicle(id) !== null);
  }
  vehicle(id) {
    const found = this.fleet.vehicles.get(id);
    return found !== void 0 && this.canSeeVehicle(found) ? found : null;
  }
  group(id) {
    const found = this.fleet.groups.get(id);
    return found !== void 0 && this.canSeeGroup(found) ? found : null;
  }
  person(id) {
    const found = this.fleet.people.get(id);
    return found !== void 0 && this.canSeePerson(found) ? found : null;
  }
  geofence(id) {
    const found = this.fleet.geofences.get(id);
    return found !== void 0 && this.canSeeGeofence(found) ? found : null;
  }
  vehicles() {
    if (this.#visibleGroupIds === null) return [...this.fleet.vehicles.values()];
    const found = /* @__PURE__ */ new Map();
    for (const group of this.#visibleGroupIds) {
      for (const vehicle of this.fleet.vehicles.findBy("group", group)) found.set(vehicle.id, vehicle);
    }
    return [...found.values()];
  }
  // Mutations use the require methods, which throw NOT_FOUND.
  requireVehicle(id) {
    const found = this.vehicle(id);
    if (found === null) throw notFound("vehicle", id);
    return found;
  }
  requireGroup(id) {
    const found = this.group(id);
    if (found === null) throw notFound("group", id);
    return found;
  }
  requirePerson(id) {
    const found = this.person(id);
    if (found === null) throw notFound("person", id);
    return found;
  }
  /** A limited user may change a geofence only when the user can see all of its groups. */
  requireEditableGeofence(id) {
    const found = this.geofence(id);
    if (found === null) throw notFound("geofence", id);
    if (!this.isWholeFleet && !(found.groupIds.length > 0 && found.groupIds.every((group) => this.canSeeGroupId(group)))) {
      throw forbidden("This geofence is shared with groups you do not see; you cannot change it.");
    }
    return found;
  }
  #canSeeAnyGroup(groupIds) {
    const groups = this.#visibleGroupIds;
    return groups === null || groupIds.some((id) => groups.has(id));
  }
}
function groupSubtree(fleet, root) {
  const found = new Set(root === null ? [] : [root]);
  for (const id of found) for (const child of fleet.groups.findBy("parent", id)) found.add(child.id);
  return found;
}
export {
  UserScope,
  groupSubtree
};
