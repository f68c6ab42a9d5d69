// Keeps a copy in PostgreSQL.

import { SyncTargetError } from 'fleet-telematics/kit';
import { ChangedRows } from '../changed-rows.js';
import { CURSOR_TABLE, cursorRow, readCursors } from '../cursors.js';
import {
  deleteBeforeQuery,
  deleteOtherPartsQuery,
  deleteQuery,
  filterQuery,
  type OtherRows,
  otherRows,
  type Query,
} from '../ddl.js';
import type { Cell } from '../rows.js';
import { type Upgrade, upgrades } from '../schema-version.js';
import { type Column, STAMP, tableOf } from '../tables.js';
import {
  type Batch,
  type Cursor,
  noRows,
  type OpenTarget,
  type RowFilter,
  type RowsWritten,
  type Step,
  type SyncTarget,
  sumOf,
} from '../target.js';
import { checkRoles, grantReading } from './grants.js';
import { arrayOf, insertRows } from './insert-rows.js';
import { migrate, versionOf } from './migrate.js';
import { dropPartitions, makePartitions } from './partitions.js';
import { postgresError, quotedSchema } from './postgres-error.js';
import { PostgresSession } from './session.js';
import { type Tls, tlsOf } from './tls.js';

/** The options of a copy in PostgreSQL. */
export interface PostgresTargetOptions {
  /**
   * Roles that may read the copy. Each sync grants missing USAGE on the schema and SELECT on the
   * tables and views, also on those that a newer version adds. It never revokes a right.
   */
  readonly grants?: readonly string[] | undefined;
  /** Called when the connection to another host is not encrypted. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** Settings for tests. */
export interface PostgresParts extends PostgresTargetOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly upgrades?: readonly Upgrade[];
  readonly beforeCommit?: () => void | Promise<void>;
}

/**
 * Keeps a copy in the first schema of the search path, which `?search_path=fleet` in the address
 * sets. The schema must exist. An advisory lock keeps other syncs away, so the address must not
 * lead to a pooler that shares connections by transaction.
 *
 * A connection to another host must be encrypted, unless the address or PGSSLMODE say otherwise:
 * `?sslmode=disable`.
 *
 * @param url For example `postgres://user:password@host/database`. Missing parts come from PGHOST,
 * PGUSER and so on.
 * @returns A target for `syncFleet`. Nothing is opened yet.
 * @throws {SyncTargetError} INVALID when it is no address of PostgreSQL.
 */
export function postgresTarget(url: string, options: PostgresTargetOptions = {}): SyncTarget {
  return postgresTargetOf(url, { grants: options.grants, onNotice: options.onNotice });
}

export function postgresTargetOf(url: string, parts: PostgresParts = {}): SyncTarget {
  const name = nameOf(url);
  const { grants = [], onNotice = () => undefined, upgrades: upgradeSteps = upgrades } = parts;
  const tls = tlsOf(url, parts.env ?? process.env);
  const connected = <Result>(work: (session: PostgresSession) => Promise<Result>) =>
    withSession({ url, name, tls, onNotice }, work);
  return {
    name,
    open: () =>
      connected(async (session) => {
        await checkSchema(session, name);
        await checkRoles(session, name, grants);
        if (!(await lock(session))) throw inUse(name);
        await migrate(session, name, upgradeSteps);
        await grantReading(session, name, grants);
        return new OpenPostgres(session, name, parts.beforeCommit);
      }),
    look: () =>
      connected(async (session) => {
        await checkSchema(session, name);
        await checkRoles(session, name, grants);
        if ((await versionOf(session, name, upgradeSteps)) > 0) return new OpenPostgres(session, name);
        await session.close();
        return null;
      }),
  };
}

/**
 * Returns the address without user, password and settings. A typing error can move the password
 * into the host or the database, so unclear addresses are refused.
 * @throws {SyncTargetError} INVALID; the message has nothing of the address.
 */
function nameOf(url: string): string {
  const parsed = /^postgres(ql)?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) throw invalidAddress('Write it as postgres://user:password@host:5432/database.');
  const { username, password, host, pathname, search, hash } = parsed;
  const hasStray = [pathname, search, hash].some((part) => part.includes('@'));
  if (hasStray || ![username, password, host, pathname].every(isWellEscaped)) {
    throw invalidAddress(
      'In user, password and database, write % as %25, @ as %40, / as %2F, : as %3A, ? as %3F and # as %23. Or give the password in PGPASSWORD.',
    );
  }
  return `postgres://${host || 'localhost'}${pathname === '/' ? '' : pathname}`;
}

function isWellEscaped(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function invalidAddress(hint: string): SyncTargetError {
  return new SyncTargetError('INVALID', 'The address of PostgreSQL is not valid. Nothing was read.', hint);
}

interface ConnectionOptions {
  readonly url: string;
  readonly name: string;
  readonly tls: Tls;
  readonly onNotice: (message: string) => void;
}

async function withSession<Result>(
  { url, name, tls, onNotice }: ConnectionOptions,
  work: (session: PostgresSession) => Promise<Result>,
): Promise<Result> {
  let session: PostgresSession | null = null;
  try {
    session = await PostgresSession.to(url, tls.ssl);
    const done = await work(session);
    if (tls.isOtherHost && !session.isEncrypted) {
      onNotice(
        `The connection to ${name} is not encrypted: whoever is in between can read the copy. ?sslmode=require in the address asks for TLS.`,
      );
    }
    return done;
  } catch (error) {
    await session?.close();
    throw postgresError(error, name, true);
  }
}

/** Returns true when the lock was free. It is held until the connection ends. */
async function lock(session: PostgresSession): Promise<boolean> {
  const [[isLocked] = []] = await session.run(
    "SELECT pg_try_advisory_lock(hashtext('fleet-telematics sync'), hashtext(current_schema()))",
  );
  return isLocked === true;
}

async function checkSchema(session: PostgresSession, name: string): Promise<void> {
  const [[schema] = []] = await session.run('SELECT current_schema()');
  if (schema !== null) return;
  const hint = `Make it with CREATE SCHEMA, or name another one with ?search_path=… in the address. ${quotedSchema}`;
  throw new SyncTargetError('INVALID', `${name}: the schema of the search path does not exist.`, hint);
}

function inUse(name: string): SyncTargetError {
  const hint = 'Wait until it has ended, or write to another schema with ?search_path=… in the address.';
  return new SyncTargetError('IN_USE', `Another sync is writing to ${name}. This one has changed nothing.`, hint);
}

class OpenPostgres implements OpenTarget {
  readonly #session: PostgresSession;
  readonly #name: string;
  readonly #beforeCommit: () => void | Promise<void>;
  readonly #changed = new ChangedRows();

  constructor(session: PostgresSession, name: string, beforeCommit: () => void | Promise<void> = () => undefined) {
    this.#session = session;
    this.#name = name;
    this.#beforeCommit = beforeCommit;
  }

  cursors(): Promise<readonly Cursor[]> {
    return readCursors(this);
  }

  async read(
    name: string,
    columnNames: readonly string[],
    filter: RowFilter = {},
  ): Promise<readonly (readonly Cell[])[]> {
    const { columns, key } = tableOf(name);
    const columnOf = (column: string) => columns.find((one) => one.name === column);
    const selected = columnNames.map((column) => readable(columnOf(column))).join(', ');
    const order = key
      .map((column) => (columnOf(column)?.type === 'text' ? `${column} COLLATE "C"` : column))
      .join(', ');
    const { sql, parameters } = filterQuery(tableOf(name), filter, 'postgres');
    const where = sql === '' ? '' : `WHERE ${sql} `;
    try {
      // `readable` makes every value a text, a number, a boolean or null.
      return (await this.#session.run(
        `SELECT ${selected} FROM ${name} ${where}ORDER BY ${order}`,
        parameters,
      )) as Cell[][];
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }

  async apply({ steps, cursors }: Batch): Promise<RowsWritten> {
    let done = noRows;
    try {
      await this.#session.transaction(async () => {
        for (const step of steps) {
          const stepRows = await applyStep(this.#session, step);
          this.#changed.add(step.table, stepRows.written + stepRows.deleted);
          done = sumOf(done, stepRows);
        }
        await insertRows(this.#session, tableOf(CURSOR_TABLE), cursors.map(cursorRow));
        await this.#beforeCommit();
      });
      return done;
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }

  async close(): Promise<void> {
    // Optional: the rows are complete without it, and the server analyzes tables by itself later.
    await this.#analyze().catch(() => undefined);
    await this.#session.close();
  }

  async #analyze(): Promise<void> {
    const statistics = await this.#session.run(
      'SELECT relname, reltuples::double precision FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace',
    );
    const rows = new Map(statistics.map(([table, count]) => [String(table), Number(count)]));
    for (const table of this.#changed.large(rows)) await this.#session.run(`ANALYZE ${table}`);
  }
}

async function applyStep(session: PostgresSession, step: Step): Promise<RowsWritten> {
  const table = tableOf(step.table);
  if (table.isMonthly && 'rows' in step) await makePartitions(session, table, step.rows);
  switch (step.kind) {
    case 'upsert':
      return { written: await insertRows(session, table, step.rows), deleted: 0 };
    case 'replace': {
      const written = await insertRows(session, table, step.rows);
      let deleted = 0;
      for (const others of otherRows(table, step.rows, step.periods, 'postgres'))
        deleted += await deleteOthers(session, others);
      return { written, deleted };
    }
    case 'replaceParts': {
      const written = await insertRows(session, table, step.rows);
      const query = deleteOtherPartsQuery(table, step.rows, step.owners, 'postgres');
      return { written, deleted: await runEach(session, [query]) };
    }
    case 'delete': {
      const query = deleteQuery(table, step.column, step.values, 'postgres');
      return { written: 0, deleted: await runEach(session, [query]) };
    }
    case 'deleteBefore': {
      const dropped = table.isMonthly ? await dropPartitions(session, table, step.before) : 0;
      return { written: 0, deleted: dropped + (await runEach(session, [deleteBeforeQuery(table, step, 'postgres')])) };
    }
    case 'markDeleted': {
      const sql = `UPDATE ${step.table} SET deleted_at = $1, ${STAMP} = $2 WHERE id = ANY($3::text[])`;
      return { written: await session.change(sql, [step.at, step.syncedAt, arrayOf(step.ids)]), deleted: 0 };
    }
  }
}

async function deleteOthers(session: PostgresSession, { count, writtenCount, deletion }: OtherRows): Promise<number> {
  const [[found] = []] = await session.run(count.sql, count.parameters);
  return Number(found) === writtenCount ? 0 : runEach(session, [deletion()]);
}

async function runEach(session: PostgresSession, queries: readonly Query[]): Promise<number> {
  let rows = 0;
  for (const { sql, parameters } of queries) rows += await session.change(sql, parameters);
  return rows;
}

/** Returns SQL that reads a cell as it was written. */
function readable(column: Column | undefined): string {
  const name = column?.name ?? '';
  switch (column?.type) {
    case 'time':
      return `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'day':
      return `to_char(${name}, 'YYYY-MM-DD')`;
    case 'local':
      return `to_char(${name}, 'YYYY-MM-DD HH24:MI:SS')`;
    case 'integer':
      return `${name}::double precision`;
    case 'json':
      return `${name}::text`;
    default:
      return name;
  }
}
