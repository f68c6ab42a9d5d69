// The records of all fleets. A fleet is built from the seed on first use.

import { fail } from '../core/readers.js';
import { uuidFromName } from '../core/uuid.js';
import { parseSnapshot, type StoreSnapshot } from './snapshot.js';
import { type KeySelector, RecordTable } from './table.js';
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

type FleetTables = { readonly [T in TableName]: RecordTable<RecordOf<T>, IndexOf<T>> };

export interface FleetRecords extends FleetTables, FleetLists {
  readonly id: string;
  readonly name: string;
}

function mapped<Key extends string>(keys: readonly Key[], valueFor: (key: Key) => unknown): object {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)]));
}

const tableNames = Object.keys(tables) as TableName[];
const listNames = Object.keys(lists) as (keyof FleetLists)[];

function openFleet(id: string, name: string, data: FleetData, deletedData: Partial<DeletedData> = {}): FleetRecords {
  const deleted: Partial<FleetData> = deletedData;
  const open = (table: TableName): RecordTable<RecordOf<TableName>, string> => {
    const indexes = tables[table].indexes as Readonly<Record<string, KeySelector<RecordOf<TableName>>>>;
    return new RecordTable(indexes, () => data[table], deleted[table]);
  };
  return { id, name, ...mapped(tableNames, open), ...mapped(listNames, (key) => data[key]) } as FleetRecords;
}

function dataOf(fleet: FleetRecords): FleetData {
  return {
    ...mapped(tableNames, (table) => [...fleet[table].values()]),
    ...mapped(listNames, (key) => fleet[key]),
  } as FleetData;
}

function deletedOf(fleet: FleetRecords): DeletedData | null {
  if (tablesWithDeleted.every((table) => fleet[table].deleted().next().done)) return null;
  return mapped(tablesWithDeleted, (table) => [...fleet[table].deleted()]) as DeletedData;
}

export interface StoreOptions {
  readonly seed: number;
  /** By id. */
  readonly fleets: ReadonlyMap<string, string>;
  readonly build: (fleetId: string, name: string) => FleetData;
}

export class Store {
  readonly #options: StoreOptions;
  readonly #fleets = new Map<string, FleetRecords>();
  #created = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  get fleets(): ReadonlyMap<string, string> {
    return this.#options.fleets;
  }

  /** Throws a RangeError when there is no such fleet. */
  fleet(id: string): FleetRecords {
    const loaded = this.#fleets.get(id);
    if (loaded !== undefined) return loaded;
    const name = this.#options.fleets.get(id);
    if (name === undefined) throw new RangeError(`there is no fleet with id ${id}`);
    const fleet = openFleet(id, name, this.#options.build(id, name));
    this.#fleets.set(id, fleet);
    return fleet;
  }

  newRecord(fleetId: string, now: number): Versioned {
    this.#created += 1;
    const id = uuidFromName(`${this.#options.seed}/created/${this.#created}`);
    return { id, version: 1, createdAt: now, updatedAt: now, fleetId };
  }

  reset(): void {
    this.#fleets.clear();
    this.#created = 0;
  }

  /** Returns a copy of the records of all fleets, independent of the store. */
  snapshot(): StoreSnapshot {
    const fleets = new Map<string, FleetData>();
    const deleted = new Map<string, DeletedData>();
    for (const [id, name] of this.fleets) {
      const fleet = this.fleet(id);
      // Cloned separately: fleets share lists of names, and one clone would share them too.
      fleets.set(name, structuredClone(dataOf(fleet)));
      const data = deletedOf(fleet);
      if (data !== null) deleted.set(name, structuredClone(data));
    }
    const records = { seed: this.#options.seed, created: this.#created, fleets: Object.fromEntries(fleets) };
    return deleted.size === 0 ? records : { ...records, deleted: Object.fromEntries(deleted) };
  }

  /** Restores a copy. A TypeError, without any changes, when it is no snapshot of this service. */
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

export function withChanges<T extends Versioned>(
  record: T,
  now: number,
  changes: Partial<Omit<T, keyof Versioned>>,
): T {
  return { ...record, ...changes, version: record.version + 1, updatedAt: now };
}
