// Visibility of records and permission to change them. The contract leaves it open. The reference
// service limits a user to a group and its subgroups; see docs/reference-service.md.
import { forbidden, notFoundError } from '../core/refusals.js';
import type { FleetRecords } from './store.js';
import type { DeviceRecord, GeofenceRecord, GroupRecord, PersonRecord, RuleRecord, VehicleRecord } from './tables.js';

export interface ScopedUser {
  readonly userId: string;
  /** The user's group; null: the whole fleet. */
  readonly groupId: string | null;
}

export class UserScope {
  /** The visible groups; null: the whole fleet. */
  readonly #visibleGroupIds: ReadonlySet<string> | null;
  /** The user's group; null for the whole fleet or after the group's deletion. */
  readonly rootGroupId: string | null;

  constructor(
    readonly fleet: FleetRecords,
    readonly user: ScopedUser,
  ) {
    this.rootGroupId = user.groupId !== null && fleet.groups.get(user.groupId) !== undefined ? user.groupId : null;
    this.#visibleGroupIds = user.groupId === null ? null : groupSubtree(fleet, this.rootGroupId);
  }

  get isWholeFleet(): boolean {
    return this.#visibleGroupIds === null;
  }

  canSeeVehicle(vehicle: VehicleRecord): boolean {
    return this.#canSeeAnyGroup(vehicle.groupIds);
  }

  canSeeGroup(group: GroupRecord): boolean {
    return this.#visibleGroupIds === null || this.#visibleGroupIds.has(group.id);
  }

  canSeeGroupId(id: string): boolean {
    return this.fleet.groups.get(id) !== undefined && (this.#visibleGroupIds === null || this.#visibleGroupIds.has(id));
  }

  /** Returns the group that makes new records visible to a limited user; otherwise null. */
  groupForNewRecords(): string | null {
    if (!this.isWholeFleet && this.rootGroupId === null)
      throw forbidden('The group you are limited to no longer exists.');
    return this.rootGroupId;
  }

  canSeeDevice(device: DeviceRecord): boolean {
    return (
      this.isWholeFleet ||
      this.fleet.vehicles.findBy('device', device.id).some((vehicle) => this.canSeeVehicle(vehicle))
    );
  }

  /** True for the user themselves and for people of visible groups. */
  canSeePerson(person: PersonRecord): boolean {
    if (this.isWholeFleet || person.globalUserId === this.user.userId) return true;
    return person.groupId !== null && this.#canSeeAnyGroup([person.groupId]);
  }

  /** True also for a geofence without groups, which the whole fleet sees. */
  canSeeGeofence(geofence: GeofenceRecord): boolean {
    return geofence.groupIds.length === 0 || this.#canSeeAnyGroup(geofence.groupIds);
  }

  canSeeRule(rule: RuleRecord): boolean {
    if (this.isWholeFleet || rule.assignedToAll) return true;
    return (
      rule.assignedGroupIds.some((id) => this.canSeeGroupId(id)) ||
      rule.assignedVehicleIds.some((id) => this.vehicle(id) !== null)
    );
  }

  vehicle(id: string): VehicleRecord | null {
    return visible(this.fleet.vehicles.get(id), (found) => this.canSeeVehicle(found));
  }

  group(id: string): GroupRecord | null {
    return visible(this.fleet.groups.get(id), (found) => this.canSeeGroup(found));
  }

  person(id: string): PersonRecord | null {
    return visible(this.fleet.people.get(id), (found) => this.canSeePerson(found));
  }

  geofence(id: string): GeofenceRecord | null {
    return visible(this.fleet.geofences.get(id), (found) => this.canSeeGeofence(found));
  }

  vehicles(): VehicleRecord[] {
    if (this.#visibleGroupIds === null) return [...this.fleet.vehicles.values()];
    // The index by group makes a small group of a large fleet fast.
    const found = new Map<string, VehicleRecord>();
    for (const group of this.#visibleGroupIds) {
      for (const vehicle of this.fleet.vehicles.findBy('group', group)) found.set(vehicle.id, vehicle);
    }
    return [...found.values()];
  }

  // Mutations use the require methods, which throw NOT_FOUND.

  requireVehicle(id: string): VehicleRecord {
    return required(this.vehicle(id), 'vehicle', id);
  }

  requireGroup(id: string): GroupRecord {
    return required(this.group(id), 'group', id);
  }

  requirePerson(id: string): PersonRecord {
    return required(this.person(id), 'person', id);
  }

  /** Returns the geofence if the user may change it: a limited user must see all of its groups. */
  requireEditableGeofence(id: string): GeofenceRecord {
    const found = required(this.geofence(id), 'geofence', id);
    if (
      !this.isWholeFleet &&
      !(found.groupIds.length > 0 && found.groupIds.every((group) => this.canSeeGroupId(group)))
    ) {
      throw forbidden('This geofence is shared with groups you do not see; you cannot change it.');
    }
    return found;
  }

  #canSeeAnyGroup(groupIds: readonly string[]): boolean {
    const groups = this.#visibleGroupIds;
    return groups === null || groupIds.some((id) => groups.has(id));
  }
}

function visible<T>(found: T | undefined, canSee: (found: T) => boolean): T | null {
  return found !== undefined && canSee(found) ? found : null;
}

function required<T>(found: T | null, kind: string, id: string): T {
  if (found === null) throw notFoundError(kind, id);
  return found;
}

export function groupSubtree(fleet: FleetRecords, root: string | null): ReadonlySet<string> {
  const found = new Set<string>(root === null ? [] : [root]);
  // Iterating a Set also visits elements added meanwhile.
  for (const id of found) for (const child of fleet.groups.findBy('parent', id)) found.add(child.id);
  return found;
}
