import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SyncTargetError } from "fleet-telematics/kit";
import { ChangedRows } from "../changed-rows.js";
import { CURSOR_TABLE, cursorRow, readCursors } from "../cursors.js";
import {
  deleteBeforeQuery,
  deleteOtherPartsQuery,
  deleteQuery,
  dropViewStatements,
  filterQuery,
  otherRows,
  upsertStatement,
  viewStatements
} from "../ddl.js";
import { noRows, sumOf } from "../rows-written.js";
import { knownVersion, newestVersion, tableChanges, upgrades } from "../schema-version.js";
import { takeSyncLock } from "../sync-lock.js";
import { STAMP, tableOf } from "../tables.js";
import { copyPath } from "./copy-path.js";
import { loadSqlite } from "./database.js";
import { isLocalFolder, settleWriteAheadLog, toRollbackJournal, toWriteAheadLog } from "./journal.js";
import { isLocked, LOCK_WAIT_MS, LockWait } from "./lock-wait.js";
import { sqliteError } from "./sqlite-error.js";
import { isWholeFile, privateFile, sharedFile } from "./working-file.js";
function sqliteTarget(path, options = {}) {
  return sqliteTargetOf(path, { onNotice: options.onNotice, signal: options.signal });
}
function sqliteTargetOf(path, parts = {}) {
  const named = resolve(path);
  const load = parts.load ?? loadSqlite;
  const { onNotice = () => void 0, monotonic, sleep, upgrades: known = upgrades } = parts;
  const onWait = () => onNotice(`${path} is locked by another program: waiting for it, up to ${LOCK_WAIT_MS / 1e3} s.`);
  const wait = new LockWait({ onWait, signal: parts.signal, monotonic, sleep });
  return {
    name: path,
    async open() {
      const file = copyPath(named, path);
      const sqlite = await load();
      const lease = await lock(file, path);
      let database = null;
      let working = null;
      try {
        working = workingFileOf(file, sqlite);
        const opened = sqlite.open(working.path, { readOnly: false });
        database = opened;
        if (!sqlite.hasSystemLocks) toRollbackJournal(opened);
        const version = await wait.whenFree(() => versionOf(opened, path, known));
        const mayHaveLog = sqlite.hasSystemLocks && (parts.isLocalFolder ?? isLocalFolder)(dirname(file));
        const hasLog = mayHaveLog && await toWriteAheadLog(opened, wait);
        if (sqlite.hasSystemLocks && !hasLog) {
          database = null;
          opened.close();
          const again = sqlite.open(working.path, { readOnly: false });
          database = again;
          await wait.whenFree(() => toRollbackJournal(again));
        }
        const written = database;
        await wait.whenFree(() => migrate(written, version, known));
        return new OpenSqlite(written, { name: path, wait }, { ...parts, lease, working, hasLog, onNotice });
      } catch (error) {
        database?.close();
        working?.discard();
        lease.release();
        throw sqliteError(error, path, parts.signal);
      }
    },
    async look() {
      const file = copyPath(named, path);
      if (!existsSync(file) || statSync(file).size === 0) return null;
      const sqlite = await load();
      if (!sqlite.hasSystemLocks && !isWholeFile(file)) throw notWhole(path);
      let database = null;
      try {
        const opened = sqlite.open(file, { readOnly: true });
        database = opened;
        const version = await wait.whenFree(() => versionOf(opened, path, known));
        if (version > 0) return new OpenSqlite(opened, { name: path, wait });
        database.close();
        return null;
      } catch (error) {
        database?.close();
        throw sqliteError(error, path, parts.signal);
      }
    }
  };
}
function notWhole(name) {
  return new SyncTargetError(
    "IN_USE",
    `A part of ${name} is in another file beside it (-wal or -journal): a sync or another program is writing it, or was ended in between. Nothing was changed.`,
    "When no other program has it open, run the sync itself, which puts it in order; or use Node 22.13 or newer."
  );
}
async function lock(file, name) {
  try {
    return await takeSyncLock(`${file}.sync`, name, "another file");
  } catch (error) {
    throw sqliteError(error, name);
  }
}
function workingFileOf(file, { open, hasSystemLocks }) {
  if (!hasSystemLocks) return privateFile(file);
  return sharedFile(file, (path) => {
    const database = open(path, { readOnly: false });
    try {
      toRollbackJournal(database);
    } finally {
      database.close();
    }
  });
}
function versionOf(database, name, known) {
  const names = database.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(([table]) => table);
  if (names.length === 0) return 0;
  if (!names.includes("sync_state")) {
    throw new SyncTargetError(
      "INVALID",
      `${name} is a database with other tables, which no sync has made. Nothing was changed.`,
      "Name a file that does not exist yet."
    );
  }
  const [[value] = []] = database.all("SELECT value FROM sync_state WHERE name = 'schema_version'");
  return knownVersion(value, { name, another: "another file" }, known);
}
function migrate(database, version, known) {
  const newest = newestVersion(known);
  if (version !== newest) {
    database.transaction(() => {
      for (const statement of dropViewStatements()) database.exec(statement);
      for (const statement of tableChanges(version, known, "sqlite")) database.exec(statement);
      for (const statement of viewStatements("sqlite")) database.exec(statement);
      database.prepare(upsertStatement(tableOf("sync_state"), "VALUES (?, ?)")).run(["schema_version", String(newest)]);
    });
  } else {
    database.transaction(() => database.exec("UPDATE sync_state SET value = value WHERE name = 'schema_version'"));
  }
  database.exec("PRAGMA foreign_keys = ON");
  database.exec("PRAGMA cache_size = -4096");
}
const ANALYSIS_LIMIT = 400;
class OpenSqlite {
  #database;
  #name;
  #wait;
  #written;
  #statements = /* @__PURE__ */ new Map();
  #changed = new ChangedRows();
  /** Without `written` it is only read. */
  constructor(database, { name, wait }, written = null) {
    this.#database = database;
    this.#name = name;
    this.#wait = wait;
    this.#written = written;
  }
  cursors() {
    return readCursors(this);
  }
  async read(name, wanted, filter = {}) {
    const { columns, key } = tableOf(name);
    const { sql, parameters } = filterQuery(tableOf(name), filter, "sqlite");
    const where = sql === "" ? "" : `WHERE ${sql} `;
    const types = wanted.map((column) => columns.find((one) => one.name === column)?.type);
    try {
      const text = `SELECT ${wanted.join(", ")} FROM ${name} ${where}ORDER BY ${key.join(", ")}`;
      const rows = await this.#wait.whenFree(() => this.#database.all(text, parameters));
      return rows.map(
        (row) => row.map((cell, index) => types[index] === "boolean" && cell !== null ? cell === 1 : cell)
      );
    } catch (error) {
      throw sqliteError(error, this.#name, this.#wait.signal);
    }
  }
  async apply({ steps, cursors }) {
    let done = noRows;
    const write = () => {
      done = noRows;
      for (const step of steps) {
        const taken = this.#take(step);
        this.#changed.add(step.table, taken.written + taken.deleted);
        done = sumOf(done, taken);
      }
      for (const cursor of cursors) this.#upsertOf(tableOf(CURSOR_TABLE)).run(cursorRow(cursor));
      this.#written?.beforeCommit?.();
    };
    try {
      await this.#wait.whenFree(() => this.#database.transaction(write));
      return done;
    } catch (error) {
      throw sqliteError(error, this.#name, this.#wait.signal);
    }
  }
  async close() {
    const { hasLog = false, working, lease, onNotice } = this.#written ?? {};
    this.#analyze();
    try {
      if (hasLog) await this.#wait.whenFree(() => settleWriteAheadLog(this.#database));
    } catch (error) {
      const name = this.#name;
      const why = isLocked(error) ? `another program is still reading ${name}` : `SQLite says: ${messageOf(error)}`;
      onNotice?.(`The newest rows are in ${name}-wal, beside ${name}: ${why}. The next sync moves them.`);
    }
    try {
      this.#database.close();
      working?.publish();
    } catch (error) {
      const hint = "Close the programs that have it open, and check the rights of the file. The next sync brings everything.";
      throw new SyncTargetError(
        "IN_USE",
        `${this.#name} could not be brought up to date: ${messageOf(error)}.`,
        hint,
        error
      );
    } finally {
      lease?.release();
    }
  }
  #analyze() {
    try {
      const known = this.#database.all("SELECT name FROM sqlite_master WHERE name = 'sqlite_stat1'");
      const stats = known.length === 0 ? [] : this.#database.all("SELECT tbl, stat FROM sqlite_stat1");
      const rows = new Map(stats.map(([table, stat]) => [String(table), Number.parseInt(String(stat), 10)]));
      for (const table of this.#changed.large(rows)) {
        this.#database.exec(`PRAGMA analysis_limit = ${ANALYSIS_LIMIT}; ANALYZE ${table}`);
      }
    } catch {
    }
  }
  #take(step) {
    switch (step.kind) {
      case "upsert":
        return { written: this.#upsert(tableOf(step.table), step.rows), deleted: 0 };
      case "replace": {
        const table = tableOf(step.table);
        const written = this.#upsert(table, step.rows);
        const others = otherRows(table, step.rows, step.periods, "sqlite");
        return { written, deleted: others.reduce((sum, own) => sum + this.#deleteOthers(own), 0) };
      }
      case "replaceParts": {
        const table = tableOf(step.table);
        const written = this.#upsert(table, step.rows);
        return { written, deleted: this.#runEach([deleteOtherPartsQuery(table, step.rows, step.owners, "sqlite")]) };
      }
      case "delete": {
        const query = deleteQuery(tableOf(step.table), step.column, step.values, "sqlite");
        return { written: 0, deleted: this.#runEach([query]) };
      }
      case "deleteBefore":
        return { written: 0, deleted: this.#runEach([deleteBeforeQuery(tableOf(step.table), step, "sqlite")]) };
      case "markDeleted": {
        const sql = `UPDATE ${step.table} SET deleted_at = ?, ${STAMP} = ? WHERE id = ?`;
        const queries = step.ids.map((id) => ({ sql, parameters: [step.at, step.syncedAt, id] }));
        return { written: this.#runEach(queries), deleted: 0 };
      }
    }
  }
  #deleteOthers({ count, kept, deletion }) {
    const [[found] = []] = this.#database.all(count.sql, count.parameters);
    return found === kept ? 0 : this.#runEach([deletion()]);
  }
  #runEach(queries) {
    return queries.reduce((sum, { sql, parameters }) => sum + this.#statement(sql).run(parameters), 0);
  }
  #upsert(table, rows) {
    const statement = this.#upsertOf(table);
    return rows.reduce((sum, row) => sum + statement.run(row), 0);
  }
  #upsertOf(table) {
    return this.#statement(upsertStatement(table, `VALUES (${table.columns.map(() => "?").join(", ")})`));
  }
  #statement(sql) {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
export {
  sqliteTarget,
  sqliteTargetOf
};
