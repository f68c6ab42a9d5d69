// The records of all fleets. A fleet is built from the seed when it is first used; mutations change it from then on.

import { fail } from '../core/readers.js';
import { uuidFromName } from '../core/uuid.js';
import { parseSnapshot, type StoreSnapshot } from './snapshot.js';
import { type KeySelector, Table } from './table.js';
import {
  type DeletedData,
  type FleetData,
  type FleetLists,
  type IndexOf,
  lists,
  type RecordOf,
  type TableName,
  tables,
  tablesWithDeleted,
  type Versioned,
} from './tables.js';

type FleetTables = { readonly [T in TableName]: Table<RecordOf<T>, IndexOf<T>> };

/** The records of one fleet, with the indexes that the operations need. */
export interface Fleet extends FleetTables, FleetLists {
  readonly id: string;
  readonly name: string;
}

/** An object with what `valueFor` makes for each of the keys. */
function mapped<Key extends string>(keys: readonly Key[], valueFor: (key: Key) => unknown): object {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)]));
}

// The keys that the declarations have.
const tableNames = Object.keys(tables) as TableName[];
const listNames = Object.keys(lists) as (keyof FleetLists)[];

function openFleet(id: string, name: string, data: FleetData, deletedData: Partial<DeletedData> = {}): Fleet {
  const deleted: Partial<FleetData> = deletedData;
  const open = (table: TableName): Table<RecordOf<TableName>, string> => {
    // The keys of a table are those of its own records.
    const indexes = tables[table].indexes as Readonly<Record<string, KeySelector<RecordOf<TableName>>>>;
    return new Table(indexes, () => data[table], deleted[table]);
  };
  // Every table is made from its own declaration, every list is that of the data.
  return { id, name, ...mapped(tableNames, open), ...mapped(listNames, (key) => data[key]) } as Fleet;
}

/** The records as plain data. */
function dataOf(fleet: Fleet): FleetData {
  // Every list holds the records of its own table.
  return {
    ...mapped(tableNames, (table) => [...fleet[table].values()]),
    ...mapped(listNames, (key) => fleet[key]),
  } as FleetData;
}

/** The deleted records that a service may keep showing; null when there are none. */
function deletedOf(fleet: Fleet): DeletedData | null {
  if (tablesWithDeleted.every((table) => fleet[table].deleted().next().done)) return null;
  // Every list holds the records of its own table.
  return mapped(tablesWithDeleted, (table) => [...fleet[table].deleted()]) as DeletedData;
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
    const fleet = openFleet(id, name, this.#options.build(id, name));
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

  /** Returns a copy of the records of all fleets, which shares nothing with the store. */
  snapshot(): StoreSnapshot {
    const fleets = new Map<string, FleetData>();
    const deleted = new Map<string, DeletedData>();
    for (const [id, name] of this.fleets) {
      const fleet = this.fleet(id);
      // Each fleet is cloned separately, because fleets share lists of names and one clone would share them too.
      fleets.set(name, structuredClone(dataOf(fleet)));
      const data = deletedOf(fleet);
      if (data !== null) deleted.set(name, structuredClone(data));
    }
    const records = { seed: this.#options.seed, created: this.#created, fleets: Object.fromEntries(fleets) };
    return deleted.size === 0 ? records : { ...records, deleted: Object.fromEntries(deleted) };
  }

  /**
   * Restores a copy of these records. Throws a TypeError and changes nothing when the value is not a snapshot of this service.
   */
  restore(value: unknown): void {
    const ids = new Map([...this.fleets].map(([id, name]) => [name, id]));
    const idOf = (name: string): string =>
      ids.get(name) ?? fail('the snapshot', `holds a fleet this service does not have: ${name}`);
    const snapshot = parseSnapshot(value, this.#options.seed, idOf);
    this.reset();
    this.#created = snapshot.created;
    for (const [name, data] of Object.entries(snapshot.fleets)) {
      const id = idOf(name);
      this.#fleets.set(id, openFleet(id, name, data, snapshot.deleted?.[name]));
    }
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
