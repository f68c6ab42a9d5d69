import { fail } from "../core/readers.js";
import { uuidFromName } from "../core/uuid.js";
import { parseSnapshot } from "./snapshot.js";
import { Table } from "./table.js";
import {
  lists,
  tables,
  tablesWithDeleted
} from "./tables.js";
function mapped(keys, valueFor) {
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)]));
}
const tableNames = Object.keys(tables);
const listNames = Object.keys(lists);
function openFleet(id, name, data, deletedData = {}) {
  const deleted = deletedData;
  const open = (table) => {
    const indexes = tables[table].indexes;
    return new Table(indexes, () => data[table], deleted[table]);
  };
  return { id, name, ...mapped(tableNames, open), ...mapped(listNames, (key) => data[key]) };
}
function dataOf(fleet) {
  return {
    ...mapped(tableNames, (table) => [...fleet[table].values()]),
    ...mapped(listNames, (key) => fleet[key])
  };
}
function deletedOf(fleet) {
  if (tablesWithDeleted.every((table) => fleet[table].deleted().next().done)) return null;
  return mapped(tablesWithDeleted, (table) => [...fleet[table].deleted()]);
}
class Store {
  #options;
  #fleets = /* @__PURE__ */ new Map();
  #created = 0;
  constructor(options) {
    this.#options = options;
  }
  /** Ids and names of all fleets. */
  get fleets() {
    return this.#options.fleets;
  }
  /** The fleet with this id. Throws when there is none. */
  fleet(id) {
    const loaded = this.#fleets.get(id);
    if (loaded !== void 0) return loaded;
    const name = this.#options.fleets.get(id);
    if (name === void 0) throw new RangeError(`there is no fleet with id ${id}`);
    const fleet = openFleet(id, name, this.#options.build(id, name));
    this.#fleets.set(id, fleet);
    return fleet;
  }
  /** The fields that every new record starts with. */
  newRecord(fleetId, now) {
    this.#created += 1;
    const id = uuidFromName(`${this.#options.seed}/created/${this.#created}`);
    return { id, version: 1, createdAt: now, updatedAt: now, fleetId };
  }
  reset() {
    this.#fleets.clear();
    this.#created = 0;
  }
  /** Returns a copy of the records of all fleets, which shares nothing with the store. */
  snapshot() {
    const fleets = /* @__PURE__ */ new Map();
    const deleted = /* @__PURE__ */ new Map();
    for (const [id, name] of this.fleets) {
      const fleet = this.fleet(id);
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
  restore(value) {
    const ids = new Map([...this.fleets].map(([id, name]) => [name, id]));
    const idOf = (name) => ids.get(name) ?? fail("the snapshot", `holds a fleet this service does not have: ${name}`);
    const snapshot = parseSnapshot(value, this.#options.seed, idOf);
    this.reset();
    this.#created = snapshot.created;
    for (const [name, data] of Object.entries(snapshot.fleets)) {
      const id = idOf(name);
      this.#fleets.set(id, openFleet(id, name, data, snapshot.deleted?.[name]));
    }
  }
}
function withChanges(record, now, changes) {
  return { ...record, ...changes, version: record.version + 1, updatedAt: now };
}
export {
  Store,
  withChanges
};
