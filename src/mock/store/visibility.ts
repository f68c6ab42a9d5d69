// What one user may see and change. The contract says that queries return what is visible to the user and leaves open what
// that is; the reference service limits a user to a group and everything below it. docs/reference-service.md has the rules.
import { forbidden, notFound } from '../graphql/errors.js';
import type { FleetUser } from '../world/users.js';
import type { DeviceRecord, GeofenceRecord, GroupRecord, PersonRecord, RuleRecord, VehicleRecord } from './records.js';
import type { Fleet } from './store.js';

export class Scope {
  /** Ids of the groups the user sees; null: the whole fleet. */
  readonly #groups: ReadonlySet<string> | null;
  /** The group the user is limited to; null when they see the whole fleet, or when that group is gone. */
  readonly home: string | null;

  constructor(
    readonly fleet: Fleet,
    readonly user: FleetUser,
  ) {
    this.home = user.groupId !== null && fleet.groups.get(user.groupId) !== undefined ? user.groupId : null;
    this.#groups = user.groupId === null ? null : subtree(fleet, this.home);
  }

  get whole(): boolean {
    return this.#groups === null;
  }

  seesVehicle(vehicle: VehicleRecord): boolean {
    return this.#seesAny(vehicle.groupIds);
  }

  seesGroup(group: GroupRecord): boolean {
    return this.#groups === null || this.#groups.has(group.id);
  }

  seesGroupId(id: string): boolean {
    return this.fleet.groups.get(id) !== undefined && (this.#groups === null || this.#groups.has(id));
  }

  /** The group of what the user creates: a limited user could not see it otherwise. Null: the whole fleet's. */
  homeOfNew(): string | null {
    if (!this.whole && this.home === null) throw forbidden('The group you are limited to no longer exists.');
    return this.home;
  }

  /** A device is seen through the vehicle that carries it. */
  seesDevice(device: DeviceRecord): boolean {
    return this.whole || this.fleet.vehicles.by('device', device.id).some((vehicle) => this.seesVehicle(vehicle));
  }

  /** A limited user sees the people of their groups, and themselves. */
  seesPerson(person: PersonRecord): boolean {
    if (this.whole || person.globalUserId === this.user.userId) return true;
    return person.groupId !== null && this.#seesAny([person.groupId]);
  }

  /** A geofence without groups is everybody's. */
  seesGeofence(geofence: GeofenceRecord): boolean {
    return geofence.groupIds.length === 0 || this.#seesAny(geofence.groupIds);
  }

  seesRule(rule: RuleRecord): boolean {
    if (this.whole || rule.assignedToAll) return true;
    return (
      rule.assignedGroupIds.some((id) => this.seesGroupId(id)) ||
      rule.assignedVehicleIds.some((id) => this.vehicle(id) !== null)
    );
  }

  vehicle(id: string): VehicleRecord | null {
    const found = this.fleet.vehicles.get(id);
    return found !== undefined && this.seesVehicle(found) ? found : null;
  }

  group(id: string): GroupRecord | null {
    const found = this.fleet.groups.get(id);
    return found !== undefined && this.seesGroup(found) ? found : null;
  }

  person(id: string): PersonRecord | null {
    const found = this.fleet.people.get(id);
    return found !== undefined && this.seesPerson(found) ? found : null;
  }

  geofence(id: string): GeofenceRecord | null {
    const found = this.fleet.geofences.get(id);
    return found !== undefined && this.seesGeofence(found) ? found : null;
  }

  vehicles(): VehicleRecord[] {
    if (this.#groups === null) return [...this.fleet.vehicles.values()];
    // By group, so that a small group of a large fleet is not looked for in the whole fleet.
    const found = new Map<string, VehicleRecord>();
    for (const group of this.#groups) {
      for (const vehicle of this.fleet.vehicles.by('group', group)) found.set(vehicle.id, vehicle);
    }
    return [...found.values()];
  }

  /** For mutations: the vehicle, or NOT_FOUND. */
  theVehicle(id: string): VehicleRecord {
    const found = this.vehicle(id);
    if (found === null) throw notFound('vehicle', id);
    return found;
  }

  theGroup(id: string): GroupRecord {
    const found = this.group(id);
    if (found === null) throw notFound('group', id);
    return found;
  }

  thePerson(id: string): PersonRecord {
    const found = this.person(id);
    if (found === null) throw notFound('person', id);
    return found;
  }

  /** For mutations: a limited user may change a geofence only when it belongs to nobody but their groups. */
  theGeofenceToChange(id: string): GeofenceRecord {
    const found = this.geofence(id);
    if (found === null) throw notFound('geofence', id);
    if (!this.whole && !(found.groupIds.length > 0 && found.groupIds.every((group) => this.seesGroupId(group)))) {
      throw forbidden('This geofence is shared with groups you do not see; you cannot change it.');
    }
    return found;
  }

  #seesAny(groupIds: readonly string[]): boolean {
    const groups = this.#groups;
    return groups === null || groupIds.some((id) => groups.has(id));
  }
}

/** The group and all groups below it. */
export function subtree(fleet: Fleet, root: string | null): ReadonlySet<string> {
  const found = new Set<string>(root === null ? [] : [root]);
  // A Set is walked in the order of adding, and what is added meanwhile is walked too.
  for (const id of found) for (const child of fleet.groups.by('parent', id)) found.add(child.id);
  return found;
}
