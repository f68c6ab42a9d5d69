// The records of all fleets. A fleet is made from the seed when it is first asked for; from then on it is what the
// mutations made of it.

import { uuidOf } from '../world/random.js';
import type {
  AssignmentRecord,
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
  VehicleRecord,
  VehicleTypeRecord,
  Versioned,
  WorkScheduleRecord,
} from './records.js';
import { checkedSnapshot } from './snapshot/check.js';
import { Table } from './table.js';

/** The records of one fleet, with look-ups by what the operations ask for. */
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
    data: FleetData,
  ) {
    this.vehicles = new Table(
      { vin: (row) => row.vin, group: (row) => row.groupIds, device: (row) => row.deviceIds },
      () => data.vehicles,
    );
    this.devices = new Table({ serial: (row) => row.serial }, () => data.devices);
    this.groups = new Table({ parent: (row) => row.parentId }, () => data.groups);
    this.labels = new Table({}, () => data.labels);
    this.vehicleTypes = new Table({}, () => data.vehicleTypes);
    this.workSchedules = new Table({}, () => data.workSchedules);
    this.people = new Table({}, () => data.people);
    this.tokens = new Table({ driver: (row) => row.driverId, value: (row) => row.value }, () => data.tokens);
    this.roles = new Table({}, () => data.roles);
    this.assignments = new Table(
      { vehicle: (row) => row.vehicleId, driver: (row) => row.driverId },
      () => data.assignments,
    );
    this.geofences = new Table({}, () => data.geofences);
    this.rules = new Table({}, () => data.rules);
    this.metaSensors = data.metaSensors;
    this.vehicleFieldNames = data.vehicleFieldNames;
    this.personFieldNames = data.personFieldNames;
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

/** The state of a store as plain data: fit for JSON, and for `restore`. Fleets nobody has asked for yet are left out. */
export interface StoreSnapshot {
  readonly seed: number;
  /** How many records mutations have created; ids of new records follow from it. */
  readonly created: number;
  readonly fleets: Readonly<Record<string, FleetData>>;
}

export interface StoreOptions {
  readonly seed: number;
  /** Names of the fleets there are, by id. */
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

  /** The fleet with this id; an error when there is none. */
  fleet(id: string): Fleet {
    const known = this.#fleets.get(id);
    if (known !== undefined) return known;
    const name = this.#options.fleets.get(id);
    if (name === undefined) throw new RangeError(`there is no fleet with id ${id}`);
    const fleet = new Fleet(id, name, this.#options.build(id, name));
    this.#fleets.set(id, fleet);
    return fleet;
  }

  /** What every new record starts with. */
  newRecord(fleetId: string, now: number): Versioned {
    this.#created += 1;
    const id = uuidOf(`${this.#options.seed}/created/${this.#created}`);
    return { id, version: 1, createdAt: now, updatedAt: now, fleetId };
  }

  reset(): void {
    this.#fleets.clear();
    this.#created = 0;
  }

  /** A copy of the records: what is done to it is not done to the world. */
  snapshot(): StoreSnapshot {
    const fleets: Record<string, FleetData> = {};
    // Each on its own: fleets share lists of names, and a clone of all of them would too.
    for (const [id, fleet] of this.#fleets) fleets[id] = structuredClone(fleet.data());
    return { seed: this.#options.seed, created: this.#created, fleets };
  }

  /**
   * Puts a copy of these records back. A TypeError, and nothing changed, when the value is no snapshot of this service's
   * world.
   */
  restore(value: unknown): void {
    const snapshot = checkedSnapshot(value);
    if (snapshot.seed !== this.#options.seed) {
      throw new TypeError(`the snapshot is of seed ${snapshot.seed}, this service has seed ${this.#options.seed}`);
    }
    const fleets = Object.entries(snapshot.fleets).map(([id, data]) => {
      const name = this.#options.fleets.get(id);
      if (name === undefined) throw new TypeError(`the snapshot holds a fleet this service does not have: ${id}`);
      return new Fleet(id, name, data);
    });
    this.reset();
    this.#created = snapshot.created;
    for (const fleet of fleets) this.#fleets.set(fleet.id, fleet);
  }
}

/** The record with these changes: one version further, changed now. */
export function changed<T extends Versioned>(record: T, now: number, changes: Partial<Omit<T, keyof Versioned>>): T {
  return { ...record, ...changes, version: record.version + 1, updatedAt: now };
}
