import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, settleFolder } from "fleet-telematics/kit";
import { CURSOR_TABLE, cursorRow, readCursors } from "../cursors.js";
import { noRows, sumOf } from "../rows-written.js";
import { knownVersion, newestVersion } from "../schema-version.js";
import { takeSyncLock } from "../sync-lock.js";
import { columnIndex, tableOf } from "../tables.js";
import { copyFolder } from "./copy-folder.js";
import { CopyFiles } from "./files.js";
import { isParquetCopy, OWN_FOLDER } from "./layout.js";
import { Manifest } from "./manifest.js";
import { mergedRows, orderBy } from "./merge.js";
import { parquetError } from "./parquet-error.js";
import { Pending } from "./pending.js";
import { publish } from "./publish.js";
import { stageRows, takeStep } from "./take-steps.js";
const JOURNAL_BYTES = 1024 ** 3;
function parquetTarget(folder) {
  return parquetTargetOf(folder);
}
function parquetTargetOf(given, parts = {}) {
  return {
    name: given,
    async open() {
      const { path, exists } = copyFolder(given, given);
      let lease = null;
      try {
        if (!exists) mkdirSync(path, { mode: 448 });
        makeFolder(join(path, OWN_FOLDER));
        lease = await takeSyncLock(join(path, OWN_FOLDER, "lock"), given, "another folder");
        const files = await filesOf({ path, exists });
        const manifest = Manifest.of(files);
        const open = new OpenParquet(files, given, { parts, lease, manifest });
        await open.begin(manifest);
        return open;
      } catch (error) {
        lease?.release();
        throw parquetError(error, given);
      }
    },
    async look() {
      const folder = copyFolder(given, given);
      if (!folder.exists || !isParquetCopy(folder.path)) return null;
      try {
        const open = new OpenParquet(await filesOf(folder), given, null);
        if (await open.version() !== null) return open;
        await open.close();
        return null;
      } catch (error) {
        throw parquetError(error, given);
      }
    }
  };
}
async function filesOf({ path }) {
  return new CopyFiles(path, await import("./hyparquet.js"));
}
class OpenParquet {
  #files;
  #name;
  #writing;
  /** Null where there is no journal, and none is made. */
  #pending;
  /** Without `writing` it is only read. */
  constructor(files, name, writing) {
    this.#files = files;
    this.#name = name;
    this.#writing = writing;
    const readOnly = writing === null;
    this.#pending = readOnly && !existsSync(this.#journal) ? null : new Pending(this.#journal, { readOnly });
  }
  get #journal() {
    return join(this.#files.folder, OWN_FOLDER, "journal");
  }
  /** The version of the tables; null for a folder in which no sync has written yet. @throws {SyncTargetError} NEWER */
  async version() {
    const state = await this.read("sync_state", ["name", "value"]);
    const value = state.find(([name]) => name === "schema_version")?.[1];
    if (value === void 0 && state.length === 0) return null;
    return knownVersion(value, { name: this.#name, another: "another folder" });
  }
  /**
   * Checks the files, and writes down the version. Older files stay as they are: a column that they do not have is null.
   * @throws {SyncTargetError} when a file is lost or changed.
   */
  async begin(manifest) {
    const newest = newestVersion();
    try {
      manifest.check(this.#name, this.#files, this.#pending?.published ?? /* @__PURE__ */ new Map());
      if (await this.version() === newest) return;
      await this.apply({
        steps: [{ kind: "upsert", table: "sync_state", rows: [["schema_version", String(newest)]] }],
        cursors: []
      });
    } catch (error) {
      this.#files.forget();
      this.#pending?.close();
      throw error;
    }
  }
  cursors() {
    return readCursors(this);
  }
  async read(name, wanted, filter = {}) {
    const table = tableOf(name);
    const { key, period, references } = table;
    const at = (column) => columnIndex(table, column);
    const conditions = Object.entries(filter).map(([column, values]) => [at(column), new Set(values)]);
    const places = wanted.map(at);
    const needed = [...wanted, ...key, ...Object.keys(filter), period?.begins, period?.ends, references?.column];
    const own = { columns: new Set(needed.filter((column) => column !== void 0)), filter };
    const found = [];
    try {
      for await (const row of this.#rows(name, own)) {
        if (conditions.every(([place, values]) => values.has(row[place] ?? null))) found.push(row);
      }
    } catch (error) {
      throw parquetError(error, this.#name);
    }
    if (period !== void 0) found.sort(orderBy(table, key));
    return found.map((row) => places.map((place) => row[place] ?? null));
  }
  async apply(batch) {
    if (this.#writing === null) throw new TypeError("The copy is open for reading only.");
    const { beforeCommit, journalBytes = JOURNAL_BYTES } = this.#writing.parts;
    this.#pending ??= new Pending(this.#journal, { readOnly: false });
    try {
      let done = noRows;
      for (const step of batch.steps) done = sumOf(done, await takeStep(this.#files, this.#pending, step));
      stageRows(this.#pending, CURSOR_TABLE, batch.cursors.map(cursorRow));
      this.#pending.commit({ onHalf: beforeCommit });
      if (this.#pending.size > journalBytes) await this.#publish(this.#writing);
      return done;
    } catch (error) {
      this.#pending?.rollBack();
      throw parquetError(error, this.#name);
    }
  }
  async close() {
    try {
      if (this.#writing !== null) await this.#publish(this.#writing);
    } catch (error) {
      throw parquetError(error, this.#name);
    } finally {
      this.#files.forget();
      this.#pending?.close();
      this.#writing?.lease.release();
    }
  }
  /** Brings what is pending into the files. After that the journal is not needed. */
  async #publish({ parts, manifest }) {
    const pending = this.#pending;
    if (pending === null) return;
    await publish({ files: this.#files, pending, manifest }, { beforeReplace: parts.beforeCommit });
    this.#pending = null;
    pending.close();
    rmSync(this.#journal);
    settleFolder(join(this.#files.folder, OWN_FOLDER));
  }
  /** The rows of a table with what is pending; of a file only what is wanted. */
  async *#rows(name, wanted) {
    const table = tableOf(name);
    for (const day of /* @__PURE__ */ new Set([...this.#files.days(table), ...this.#pending?.days(table) ?? []])) {
      const file = this.#files.open({ table, day });
      try {
        yield* mergedRows({ table, day }, file, this.#pending, wanted);
      } finally {
        file?.close();
      }
    }
  }
}
export {
  parquetTarget,
  parquetTargetOf
};
