import { SyncTargetError } from "fleet-telematics/kit";
import { ChangedRows } from "../changed-rows.js";
import { CURSOR_TABLE, cursorRow, readCursors } from "../cursors.js";
import {
  deleteBeforeQuery,
  deleteOtherPartsQuery,
  deleteQuery,
  filterQuery,
  otherRows
} from "../ddl.js";
import { noRows, sumOf } from "../rows-written.js";
import { upgrades } from "../schema-version.js";
import { STAMP, tableOf } from "../tables.js";
import { nameOf } from "./address.js";
import { checkRoles, grantReading } from "./grants.js";
import { arrayOf, insertRows } from "./insert-rows.js";
import { migrate, versionOf } from "./migrate.js";
import { dropPartitions, makePartitions } from "./partitions.js";
import { postgresError, quotedSchema } from "./postgres-error.js";
import { PostgresSession } from "./session.js";
import { tlsOf } from "./tls.js";
function postgresTarget(url, options = {}) {
  return postgresTargetOf(url, { grants: options.grants, onNotice: options.onNotice });
}
function postgresTargetOf(url, parts = {}) {
  const name = nameOf(url);
  const { grants = [], onNotice = () => void 0, upgrades: known = upgrades } = parts;
  const tls = tlsOf(url, parts.env ?? process.env);
  const connected = (work) => withSession({ url, name, tls, onNotice }, work);
  return {
    name,
    open: () => connected(async (session) => {
      await checkSchema(session, name);
      await checkRoles(session, name, grants);
      if (!await lock(session)) throw inUse(name);
      await migrate(session, name, known);
      await grantReading(session, name, grants);
      return new OpenPostgres(session, name, parts.beforeCommit);
    }),
    look: () => connected(async (session) => {
      await checkSchema(session, name);
      await checkRoles(session, name, grants);
      if (await versionOf(session, name, known) > 0) return new OpenPostgres(session, name);
      await session.close();
      return null;
    })
  };
}
async function withSession({ url, name, tls, onNotice }, work) {
  let session = null;
  try {
    session = await PostgresSession.to(url, tls.ssl);
    const done = await work(session);
    if (tls.isOtherHost && !session.isEncrypted) {
      onNotice(
        `The connection to ${name} is not encrypted: whoever is in between can read the copy. ?sslmode=require in the address asks for TLS.`
      );
    }
    return done;
  } catch (error) {
    await session?.close();
    throw postgresError(error, name, true);
  }
}
async function lock(session) {
  const [[isLocked] = []] = await session.run(
    "SELECT pg_try_advisory_lock(hashtext('fleet-telematics sync'), hashtext(current_schema()))"
  );
  return isLocked === true;
}
async function checkSchema(session, name) {
  const [[schema] = []] = await session.run("SELECT current_schema()");
  if (schema !== null) return;
  const hint = `Make it with CREATE SCHEMA, or name another one with ?search_path=\u2026 in the address. ${quotedSchema}`;
  throw new SyncTargetError("INVALID", `${name}: the schema of the search path does not exist.`, hint);
}
function inUse(name) {
  const hint = "Wait until it has ended, or write to another schema with ?search_path=\u2026 in the address.";
  return new SyncTargetError("IN_USE", `Another sync is writing to ${name}. This one has changed nothing.`, hint);
}
class OpenPostgres {
  #session;
  #name;
  #beforeCommit;
  #changed = new ChangedRows();
  constructor(session, name, beforeCommit = () => void 0) {
    this.#session = session;
    this.#name = name;
    this.#beforeCommit = beforeCommit;
  }
  cursors() {
    return readCursors(this);
  }
  async read(name, wanted, filter = {}) {
    const { columns, key } = tableOf(name);
    const columnOf = (column) => columns.find((one) => one.name === column);
    const selected = wanted.map((column) => readable(columnOf(column))).join(", ");
    const order = key.map((column) => columnOf(column)?.type === "text" ? `${column} COLLATE "C"` : column).join(", ");
    const { sql, parameters } = filterQuery(tableOf(name), filter, "postgres");
    const where = sql === "" ? "" : `WHERE ${sql} `;
    try {
      return await this.#session.run(
        `SELECT ${selected} FROM ${name} ${where}ORDER BY ${order}`,
        parameters
      );
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }
  async apply({ steps, cursors }) {
    let done = noRows;
    try {
      await this.#session.transaction(async () => {
        for (const step of steps) {
          const taken = await take(this.#session, step);
          this.#changed.add(step.table, taken.written + taken.deleted);
          done = sumOf(done, taken);
        }
        await insertRows(this.#session, tableOf(CURSOR_TABLE), cursors.map(cursorRow));
        await this.#beforeCommit();
      });
      return done;
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }
  async close() {
    await this.#analyze().catch(() => void 0);
    await this.#session.close();
  }
  async #analyze() {
    const known = await this.#session.run(
      "SELECT relname, reltuples::double precision FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace"
    );
    const rows = new Map(known.map(([table, count]) => [String(table), Number(count)]));
    for (const table of this.#changed.large(rows)) await this.#session.run(`ANALYZE ${table}`);
  }
}
async function take(session, step) {
  const table = tableOf(step.table);
  if (table.isMonthly && "rows" in step) await makePartitions(session, table, step.rows);
  switch (step.kind) {
    case "upsert":
      return { written: await insertRows(session, table, step.rows), deleted: 0 };
    case "replace": {
      const written = await insertRows(session, table, step.rows);
      let deleted = 0;
      for (const others of otherRows(table, step.rows, step.periods, "postgres"))
        deleted += await deleteOthers(session, others);
      return { written, deleted };
    }
    case "replaceParts": {
      const written = await insertRows(session, table, step.rows);
      const query = deleteOtherPartsQuery(table, step.rows, step.owners, "postgres");
      return { written, deleted: await runEach(session, [query]) };
    }
    case "delete": {
      const query = deleteQuery(table, step.column, step.values, "postgres");
      return { written: 0, deleted: await runEach(session, [query]) };
    }
    case "deleteBefore": {
      const dropped = table.isMonthly ? await dropPartitions(session, table, step.before) : 0;
      return { written: 0, deleted: dropped + await runEach(session, [deleteBeforeQuery(table, step, "postgres")]) };
    }
    case "markDeleted": {
      const sql = `UPDATE ${step.table} SET deleted_at = $1, ${STAMP} = $2 WHERE id = ANY($3::text[])`;
      return { written: await session.change(sql, [step.at, step.syncedAt, arrayOf(step.ids)]), deleted: 0 };
    }
  }
}
async function deleteOthers(session, { count, kept, deletion }) {
  const [[found] = []] = await session.run(count.sql, count.parameters);
  return Number(found) === kept ? 0 : runEach(session, [deletion()]);
}
async function runEach(session, queries) {
  let rows = 0;
  for (const { sql, parameters } of queries) rows += await session.change(sql, parameters);
  return rows;
}
function readable(column) {
  const name = column?.name ?? "";
  switch (column?.type) {
    case "time":
      return `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case "day":
      return `to_char(${name}, 'YYYY-MM-DD')`;
    case "local":
      return `to_char(${name}, 'YYYY-MM-DD HH24:MI:SS')`;
    case "integer":
      return `${name}::double precision`;
    case "json":
      return `${name}::text`;
    default:
      return name;
  }
}
export {
  postgresTarget,
  postgresTargetOf
};
