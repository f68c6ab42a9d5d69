// The records of all fleets. A fleet is built from the seed when it is first used; mutations change it from then on.

import { uuidFromName } from '../core/uuid.js';
import type {
  AssignmentRecord,
  DeletedData,
  DeviceRecord,
  DriverTokenRecord,
  FleetData,
  GeofenceRecord,
  GroupRecord,
  LabelRecord,
  MetaSensorRecord,
  PersonRecord,
  RoleRecord,
  RuleRecord,
  StoreSnapshot,
  VehicleRecord,
  VehicleTypeRecord,
  Versioned,
  WorkScheduleRecord,
} from './records.js';
import { parseSnapshot } from './snapshot/check.js';
import { Table } from './table.js';

/** The records of one fleet, with the indexes that the operations need. */
export class Fleet {
  readonly vehicles: Table<VehicleRecord, 'vin' | 'group' | 'device'>;
  readonly devices: Table<DeviceRecord, 'serial'>;
  readonly groups: Table<GroupRecord, 'parent'>;
  readonly labels: Table<LabelRecord>;
  readonly vehicleTypes: Table<VehicleTypeRecord>;
  readonly workSchedules: Table<WorkScheduleRecord>;
  readonly people: Table<PersonRecord>;
  readonly tokens: Table<DriverTokenRecord, 'driver' | 'value'>;
  readonly roles: Table<RoleRecord>;
  readonly assignments: Table<AssignmentRecord, 'vehicle' | 'driver'>;
  readonly geofences: Table<GeofenceRecord>;
  readonly rules: Table<RuleRecord>;
  readonly metaSensors: readonly MetaSensorRecord[];
  readonly vehicleFieldNames: readonly string[];
  readonly personFieldNames: readonly string[];

  constructor(
    readonly id: string,
    readonly name: string,
    toData: FleetData,
  ) {
    this.vehicles = new Table(
      { vin: (row) => row.vin, group: (row) => row.groupIds, device: (row) => row.deviceIds },
      () => toData.vehicles,
    );
    this.devices = new Table({ serial: (row) => row.serial }, () => toData.devices);
    this.groups = new Table({ parent: (row) => row.parentId }, () => toData.groups);
    this.labels = new Table({}, () => toData.labels);
    this.vehicleTypes = new Table({}, () => toData.vehicleTypes);
    this.workSchedules = new Table({}, () => toData.workSchedules);
    this.people = new Table({}, () => toData.people);
    this.tokens = new Table({ driver: (row) => row.driverId, value: (row) => row.value }, () => toData.tokens);
    this.roles = new Table({}, () => toData.roles);
    this.assignments = new Table(
      { vehicle: (row) => row.vehicleId, driver: (row) => row.driverId },
      () => toData.assignments,
    );
    this.geofences = new Table({}, () => toData.geofences);
    this.rules = new Table({}, () => toData.rules);
    this.metaSensors = toData.metaSensors;
    this.vehicleFieldNames = toData.vehicleFieldNames;
    this.personFieldNames = toData.personFieldNames;
  }

  /** The deleted records that a service may keep showing; null when there are none. */
  deleted(): DeletedData | null {
    const geofences = [...this.geofences.deleted()];
    const people = [...this.people.deleted()];
    const assignments = [...this.assignments.deleted()];
    return geofences.length + people.length + assignments.length === 0 ? null : { geofences, people, assignments };
  }

  setDeleted({ geofences, people, assignments }: DeletedData): void {
    this.geofences.setDeleted(geofences);
    this.people.setDeleted(people);
    this.assignments.setDeleted(assignments);
  }

  data(): FleetData {
    return {
      vehicles: [...this.vehicles.values()],
      devices: [...this.devices.values()],
      groups: [...this.groups.values()],
      labels: [...this.labels.values()],
      vehicleTypes: [...this.vehicleTypes.values()],
      workSchedules: [...this.workSchedules.values()],
      people: [...this.people.values()],
      tokens: [...this.tokens.values()],
      roles: [...this.roles.values()],
      assignments: [...this.assignments.values()],
      geofences: [...this.geofences.values()],
      rules: [...this.rules.values()],
      metaSensors: this.metaSensors,
      vehicleFieldNames: this.vehicleFieldNames,
      personFieldNames: this.personFieldNames,
    };
  }
}

export interface StoreOptions {
  readonly seed: number;
  /** Names of all fleets by id. */
  readonly fleets: ReadonlyMap<string, string>;
  readonly build: (fleetId: string, name: string) => FleetData;
}

export class Store {
  readonly #options: StoreOptions;
  readonly #fleets = new Map<string, Fleet>();
  #created = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Ids and names of all fleets. */
  get fleets(): ReadonlyMap<string, string> {
    return this.#options.fleets;
  }

  /** The fleet with this id. Throws when there is none. */
  fleet(id: string): Fleet {
    const loaded = this.#fleets.get(id);
    if (loaded !== undefined) return loaded;
    const name = this.#options.fleets.get(id);
    if (name === undefined) throw new RangeError(`there is no fleet with id ${id}`);
    const fleet = new Fleet(id, name, this.#options.build(id, name));
    this.#fleets.set(id, fleet);
    return fleet;
  }

  /** The fields that every new record starts with. */
  newRecord(fleetId: string, now: number): Versioned {
    this.#created += 1;
    const id = uuidFromName(`${this.#options.seed}/created/${this.#created}`);
    return { id, version: 1, createdAt: now, updatedAt: now, fleetId };
  }

  reset(): void {
    this.#fleets.clear();
    this.#created = 0;
  }

  /** A copy of the records that shares nothing with the store. */
  snapshot(): StoreSnapshot {
    const fleets: Record<string, FleetData> = {};
    // Each fleet is cloned separately, because fleets share lists of names and one clone would share them too.
    for (const [id, fleet] of this.#fleets) fleets[id] = structuredClone(fleet.data());
    const deleted: Record<string, DeletedData> = {};
    for (const [id, fleet] of this.#fleets) {
      const data = fleet.deleted();
      if (data !== null) deleted[id] = structuredClone(data);
    }
    const records = { seed: this.#options.seed, created: this.#created, fleets };
    return Object.keys(deleted).length === 0 ? records : { ...records, deleted };
  }

  /**
   * Restores a copy of these records. Throws a TypeError and changes nothing when the value is not a snapshot of this service.
   */
  restore(value: unknown): void {
    const snapshot = parseSnapshot(value);
    if (snapshot.seed !== this.#options.seed) {
      throw new TypeError(`the snapshot is of seed ${snapshot.seed}, this service has seed ${this.#options.seed}`);
    }
    const fleets = Object.entries(snapshot.fleets).map(([id, data]) => {
      const name = this.#options.fleets.get(id);
      if (name === undefined) throw new TypeError(`the snapshot holds a fleet this service does not have: ${id}`);
      const fleet = new Fleet(id, name, data);
      const deleted = snapshot.deleted?.[id];
      if (deleted !== undefined) fleet.setDeleted(deleted);
      return fleet;
    });
    this.reset();
    this.#created = snapshot.created;
    for (const fleet of fleets) this.#fleets.set(fleet.id, fleet);
  }
}

/** The next version of the record, changed now. */
export function withChanges<T extends Versioned>(
  record: T,
  now: number,
  changes: Partial<Omit<T, keyof Versioned>>,
): T {
  return { ...record, ...changes, version: record.version + 1, updatedAt: now };
}
