import { join } from "node:path";
import { errorCode } from "fleet-telematics/kit";
import { ownTables, syncTables } from "../tables.js";
import { daysOf, fileOf } from "./layout.js";
import { ownerOf } from "./pending.js";
import { TableFile } from "./table-file.js";
const KEPT_GROUPS = 3;
class CopyFiles {
  folder;
  hyparquet;
  #groups = [];
  #open = /* @__PURE__ */ new Map();
  #days = /* @__PURE__ */ new Map();
  constructor(folder, hyparquet) {
    this.folder = folder;
    this.hyparquet = hyparquet;
  }
  /** The days of a table that have a file. */
  days(table) {
    const days = this.#days.get(table.name) ?? daysOf(this.folder, table);
    this.#days.set(table.name, days);
    return days;
  }
  /** Every place that has a file. */
  places() {
    return [...syncTables, ...ownTables].flatMap((table) => this.days(table).map((day) => ({ table, day })));
  }
  /** The file of a place, which the caller closes; null when there is none. */
  open(place) {
    try {
      return new TableFile(this.hyparquet, join(this.folder, fileOf(place)), place.table);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    }
  }
  /** The rows of an owner in the file of a place. */
  async rowsOf(place, owner) {
    const file = this.#kept(place);
    const { table } = place;
    if (file === null) return [];
    const column = table.period === void 0 ? void 0 : table.references?.column;
    const rows = [];
    for (const group of file.groupsWith(column === void 0 ? {} : { [column]: [owner] })) {
      for (const row of await this.#group(fileOf(place), file, group))
        if (ownerOf(table, row) === owner) rows.push(row);
    }
    return rows;
  }
  /** Whether rows of a file may have this value in the column, or a greater one, or null. */
  mayReach(place, column, least) {
    return this.#kept(place)?.mayReach(column, least) ?? false;
  }
  /** Forgets what was read: files are replaced now, or nothing is read any more. */
  forget() {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
    this.#days.clear();
    this.#groups = [];
  }
  #kept(place) {
    if (!this.days(place.table).includes(place.day)) return null;
    const name = fileOf(place);
    const file = this.#open.get(name) ?? this.open(place);
    if (file !== null) this.#open.set(name, file);
    return file;
  }
  async #group(name, file, group) {
    const known = this.#groups.find((one) => one.file === name && one.group === group);
    const found = known ?? { file: name, group, rows: await file.rowsOf(group) };
    this.#groups = [found, ...this.#groups.filter((one) => one !== found)].slice(0, KEPT_GROUPS);
    return found.rows;
  }
}
export {
  CopyFiles
};
