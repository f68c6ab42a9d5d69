// A copy in PostgreSQL. Rows are sent with COPY into a temporary table and inserted from there: measured against arrays of parameters and
// JSON, this writes nearly twice as many rows in the same time.
import { once } from 'node:events';
import type { Sql, TransactionSql } from 'postgres';
import { CURSOR_TABLE, cursorRow, readCursors } from '../cursors.js';
import { dropViewStatements, type Migration, migrations, upsertStatement, viewStatements } from '../ddl.js';
import type { Cell, Row } from '../rows.js';
import { type Column, ownTables, type Table, tableOf, tables } from '../tables.js';
import { type Batch, type Cursor, type OpenTarget, type Step, type SyncTarget, SyncTargetError } from '../target.js';
import { postgresError } from './postgres-error.js';

/** Settings that only tests use. */
export interface PostgresParts {
  readonly migrations?: readonly Migration[];
  /** Runs before each commit. */
  readonly beforeCommit?: () => void | Promise<void>;
}

const CONNECT_SECONDS = 10;
const CLOSE_SECONDS = 5;

/**
 * A copy in a schema of a PostgreSQL database: the first schema of the search path, which `?search_path=fleet` in the address sets. The schema
 * must exist. An advisory lock keeps other syncs away; so the address must not lead to a pooler that shares connections by transaction.
 *
 * @param url For example `postgres://user:password@host/database`. What is missing is taken from PGHOST, PGUSER and so on.
 * @returns A target for `sync`. Nothing is opened yet.
 * @throws {SyncTargetError} INVALID when it is no address of PostgreSQL.
 */
export function postgresTarget(url: string): SyncTarget {
  return postgresTargetOf(url);
}

export function postgresTargetOf(url: string, parts: PostgresParts = {}): SyncTarget {
  const name = nameOf(url);
  const known = parts.migrations ?? migrations;
  return {
    name,
    async open() {
      const sql = await connect(url);
      try {
        const [state] = await sql<State[]>`
          SELECT current_schema() AS schema, pg_backend_pid() AS pid,
            pg_try_advisory_lock(hashtext('fleet-telematics sync'), hashtext(current_schema())) AS locked`;
        checkSchema(state?.schema, name);
        if (state?.locked !== true) throw inUse(name);
        await migrate(sql, name, known);
        return new OpenPostgres(sql, name, state.pid, parts.beforeCommit ?? (() => undefined));
      } catch (error) {
        await close(sql);
        throw postgresError(error, name);
      }
    },
    async look() {
      const sql = await connect(url);
      try {
        const [state] = await sql<State[]>`SELECT current_schema() AS schema, pg_backend_pid() AS pid`;
        checkSchema(state?.schema, name);
        if ((await versionOf(sql, name, known)) > 0) return new OpenPostgres(sql, name, state?.pid, () => undefined);
        await close(sql);
        return null;
      } catch (error) {
        await close(sql);
        throw postgresError(error, name);
      }
    },
  };
}

/** What the server says of the connection. */
interface State {
  readonly schema: string | null;
  readonly pid: number;
  readonly locked?: boolean;
}

/** The address without user, password and settings. */
function nameOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new SyncTargetError(
      'INVALID',
      'The address of PostgreSQL is not valid. Nothing was read.',
      'Write it as postgres://user:password@host:5432/database; special characters in the password are written as in URLs.',
    );
  }
  return `postgres://${parsed.host || 'localhost'}${parsed.pathname === '/' ? '' : parsed.pathname}`;
}

/** One connection, which lives as long as the sync: the lock belongs to it. */
async function connect(url: string): Promise<Sql> {
  const { default: postgres } = await import('postgres');
  return postgres(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => undefined,
    connection: { application_name: 'fleet sync' },
  });
}

function close(sql: Sql): Promise<void> {
  return sql.end({ timeout: CLOSE_SECONDS }).catch(() => undefined);
}

function checkSchema(schema: unknown, name: string): void {
  if (typeof schema === 'string') return;
  const hint = 'Make it with CREATE SCHEMA, or name another one with ?search_path=… in the address.';
  throw new SyncTargetError('INVALID', `${name}: the schema of the search path does not exist.`, hint);
}

function inUse(name: string): SyncTargetError {
  const hint = 'Wait until it has ended, or write to another schema with ?search_path=… in the address.';
  return new SyncTargetError('IN_USE', `Another sync is writing to ${name}. This one has changed nothing.`, hint);
}

/** The version of the tables; 0 when there are none. @throws {SyncTargetError} NEWER, or INVALID when tables of others have these names. */
async function versionOf(sql: Sql, name: string, known: readonly Migration[]): Promise<number> {
  const found = await sql<{ relname: string }[]>`
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm')`;
  const names = new Set(found.map(({ relname }) => relname));
  if (!names.has('sync_state')) {
    const other = [...ownTables, ...tables].find((table) => names.has(table.name));
    if (other === undefined) return 0;
    throw new SyncTargetError(
      'INVALID',
      `${name} has a table ${other.name} that no sync has made. Nothing was changed.`,
      'Make a schema of its own with CREATE SCHEMA fleet, and add ?search_path=fleet to the address.',
    );
  }
  const [state] = await sql<{ value: string }[]>`SELECT value FROM sync_state WHERE name = 'schema_version'`;
  const version = Number(state?.value ?? 0);
  if (version <= (known.at(-1)?.version ?? 0)) return version;
  throw new SyncTargetError(
    'NEWER',
    `${name} was made by a newer version of fleet-telematics: its tables have version ${version}, this one knows ${known.at(-1)?.version}. Nothing was changed.`,
    'Update fleet-telematics, or write to another schema.',
  );
}

async function migrate(sql: Sql, name: string, known: readonly Migration[]): Promise<void> {
  const version = await versionOf(sql, name, known);
  const missing = known.filter((migration) => migration.version > version);
  if (missing.length === 0) return;
  await sql.begin(async (transaction) => {
    const run = (statement: string) => transaction.unsafe(statement);
    for (const statement of dropViewStatements()) await run(statement);
    for (const { statements } of missing) for (const statement of statements('postgres')) await run(statement);
    for (const statement of viewStatements('postgres')) await run(statement);
    const newest = String(missing.at(-1)?.version);
    await transaction.unsafe(upsertStatement(tableOf('sync_state'), "VALUES ('schema_version', $1)"), [newest]);
  });
}

class OpenPostgres implements OpenTarget {
  readonly #sql: Sql;
  readonly #name: string;
  /** Of the connection that holds the lock. */
  readonly #pid: unknown;
  readonly #beforeCommit: () => void | Promise<void>;

  constructor(sql: Sql, name: string, pid: unknown, beforeCommit: () => void | Promise<void>) {
    this.#sql = sql;
    this.#name = name;
    this.#pid = pid;
    this.#beforeCommit = beforeCommit;
  }

  cursors(): Promise<readonly Cursor[]> {
    return readCursors(this);
  }

  async read(name: string, wanted: readonly string[]): Promise<readonly (readonly Cell[])[]> {
    const { columns, key } = tableOf(name);
    const columnOf = (column: string) => columns.find((one) => one.name === column);
    const selected = wanted.map((column) => readable(columnOf(column))).join(', ');
    const order = key
      .map((column) => (columnOf(column)?.type === 'text' ? `${column} COLLATE "C"` : column))
      .join(', ');
    try {
      // `readable` makes every value a text, a number, a boolean or null.
      const rows = await this.#sql.unsafe(`SELECT ${selected} FROM ${name} ORDER BY ${order}`).values();
      return [...rows] as Cell[][];
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }

  async apply({ steps, cursors }: Batch): Promise<void> {
    try {
      await this.#sql.begin(async (transaction) => {
        // A new connection has no lock: another sync may be writing.
        const [state] = await transaction<State[]>`SELECT pg_backend_pid() AS pid`;
        if (state?.pid !== this.#pid) throw Object.assign(new Error('new connection'), { code: 'CONNECTION_CLOSED' });
        for (const step of steps) await take(transaction, step);
        await upsert(transaction, tableOf(CURSOR_TABLE), cursors.map(cursorRow));
        await this.#beforeCommit();
      });
    } catch (error) {
      throw postgresError(error, this.#name);
    }
  }

  close(): Promise<void> {
    return close(this.#sql);
  }
}

async function take(sql: TransactionSql, step: Step): Promise<void> {
  switch (step.kind) {
    case 'upsert':
      return upsert(sql, tableOf(step.table), step.rows);
    case 'delete':
      await sql`DELETE FROM ${sql(step.table)} WHERE ${sql(step.column)} = ANY(${[...step.values]})`;
      return;
    case 'deleteTrips':
      await sql`DELETE FROM trips WHERE vehicle_id = ${step.vehicleId} AND (ended_at IS NULL OR ended_at >= ${step.from})`;
      return;
    case 'markDeleted':
      await sql`UPDATE ${sql(step.table)} SET deleted_at = ${step.at} WHERE id = ANY(${[...step.ids]})`;
  }
}

async function upsert(sql: TransactionSql, table: Table, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const stage = `sync_stage_${table.name}`;
  await sql.unsafe(`CREATE TEMPORARY TABLE IF NOT EXISTS ${stage} (LIKE ${table.name}) ON COMMIT DELETE ROWS`);
  const copy = await sql.unsafe(`COPY ${stage} FROM STDIN`).writable();
  copy.end(withoutRepeats(table, rows).map(copyLine).join(''));
  await once(copy, 'finish');
  const all = table.columns.map(({ name }) => name).join(', ');
  await sql.unsafe(upsertStatement(table, `SELECT ${all} FROM ${stage}`));
  await sql.unsafe(`DELETE FROM ${stage}`);
}

/** One statement cannot write a row twice: the last one counts, as when they are written one after the other. */
function withoutRepeats({ columns, key }: Table, rows: readonly Row[]): readonly Row[] {
  const at = columns.flatMap(({ name }, index) => (key.includes(name) ? [index] : []));
  return [...new Map(rows.map((row) => [JSON.stringify(at.map((index) => row[index])), row])).values()];
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A line of the text format of COPY. */
function copyLine(row: Row): string {
  const cells = row.map((cell) =>
    cell === null
      ? '\\N'
      : typeof cell === 'string'
        ? cell.replace(/[\\\n\r\t]/g, (found) => escapes[found] ?? '')
        : String(cell),
  );
  return `${cells.join('\t')}\n`;
}

/** As the cell was written. */
function readable(column: Column | undefined): string {
  const name = column?.name ?? '';
  switch (column?.type) {
    case 'time':
      return `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'integer':
      return `${name}::double precision`;
    case 'json':
      return `${name}::text`;
    default:
      return name;
  }
}
