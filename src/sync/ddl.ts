// The DDL of a copy, made from tables.ts for each database, and the versions of the tables.
import type { Cell, Row } from './rows.js';
import { type ColumnType, ownTables, syncTables, type Table } from './tables.js';
import type { RowFilter, RowPeriod } from './target.js';
import { views } from './views.js';

export type Dialect = 'sqlite' | 'postgres';

const types: Readonly<Record<Dialect, Readonly<Record<ColumnType, string>>>> = {
  sqlite: { text: 'TEXT', integer: 'INTEGER', real: 'REAL', boolean: 'BOOLEAN', time: 'TEXT', json: 'TEXT' },
  postgres: {
    ...{ text: 'text', integer: 'bigint', real: 'double precision' },
    ...{ boolean: 'boolean', time: 'timestamptz', json: 'jsonb' },
  },
};

export function columnType(dialect: Dialect, type: ColumnType): string {
  return types[dialect][type];
}

/** A version of the tables: the statements that lead to it from the version before. */
export interface Migration {
  readonly version: number;
  readonly statements: (dialect: Dialect) => readonly string[];
}

/** All versions. When tables.ts changes, add one whose statements alter the tables of the version before. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: (dialect) =>
      [...ownTables, ...syncTables].flatMap((table) =>
        tableStatements({ ...table, columns: table.columns.filter(({ since = 1 }) => since === 1) }, dialect),
      ),
  },
  { version: 2, statements: (dialect) => columnStatements(2, dialect) },
];

function columnStatements(version: number, dialect: Dialect): readonly string[] {
  return syncTables.flatMap(({ name, columns }) =>
    columns
      .filter(({ since }) => since === version)
      .map((column) => `ALTER TABLE ${name} ADD COLUMN ${column.name} ${columnType(dialect, column.type)}`),
  );
}

function tableStatements(table: Table, dialect: Dialect): readonly string[] {
  const { name, columns, key, references, indexes = [] } = table;
  const lines = columns.map((column) => {
    const type = columnType(dialect, column.type);
    return `${column.name} ${type}${key.includes(column.name) ? ' NOT NULL' : ''}`;
  });
  lines.push(`PRIMARY KEY (${key.join(', ')})`);
  if (references) lines.push(`FOREIGN KEY (${references.column}) REFERENCES ${references.table} (id)`);
  // SQLite then keeps the rows in the order of the key, without a second copy of it.
  const end = dialect === 'sqlite' ? ') WITHOUT ROWID' : ')';
  return [
    `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n${end}`,
    ...indexes.map((of) => `CREATE INDEX ${name}_by_${of.join('_')} ON ${name} (${of.join(', ')})`),
  ];
}

/** The views are made again with each version. */
export function viewStatements(
  dialect: Dialect,
  create: 'CREATE VIEW' | 'CREATE OR REPLACE VIEW' = 'CREATE VIEW',
): readonly string[] {
  return views.map(({ name, sql }) => `${create} ${name} AS\n${sql[dialect]}`);
}

export function dropViewStatements(): readonly string[] {
  return views.map(({ name }) => `DROP VIEW IF EXISTS ${name}`).reverse();
}

/** The whole DDL of a new copy, as a script. */
export function targetSchema(dialect: Dialect): string {
  const statements = [
    ...[...ownTables, ...syncTables].flatMap((table) => tableStatements(table, dialect)),
    ...viewStatements(dialect),
  ];
  return statements.map((statement) => `${statement};\n`).join('\n');
}

/** Replaces rows with the same key. `source` follows the list of columns. */
export function upsertStatement({ name, columns, key }: Table, source: string): string {
  const all = columns.map((column) => column.name);
  const others = all.filter((column) => !key.includes(column));
  const action =
    others.length === 0
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`;
  return `INSERT INTO ${name} (${all.join(', ')}) ${source} ON CONFLICT (${key.join(', ')}) DO ${action}`;
}

/** SQL and its parameters, in the order in which they stand there. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** The condition of a filter, after `WHERE`. */
export function filterQuery(table: Table, filter: RowFilter, dialect: Dialect): Query {
  const columns = Object.keys(filter);
  const conditions = columns.map((column, index) => among(table, column, index + 1, dialect));
  return { sql: conditions.join(' AND '), parameters: columns.map((column) => JSON.stringify(filter[column] ?? [])) };
}

/** Deletes the rows of the periods whose keys are not among those of these rows: one query for all vehicles that have the same period. */
export function deleteOthersQueries(
  table: Table,
  rows: readonly Row[],
  periods: readonly RowPeriod[],
  dialect: Dialect,
): readonly Query[] {
  const { name, key, references, period } = table;
  if (references === undefined || period === undefined) throw new RangeError(`The rows of ${name} have no period.`);
  const at = (column: string) => table.columns.findIndex((one) => one.name === column);
  const vehicle = at(references.column);
  const keys = new Map<Cell, Cell[][]>();
  for (const row of rows) {
    const own = keys.get(row[vehicle] ?? null) ?? [];
    own.push(key.map((column) => row[at(column)] ?? null));
    keys.set(row[vehicle] ?? null, own);
  }
  const [until, from] = dialect === 'sqlite' ? ['?', '?'] : ['$2::timestamptz', '$3::timestamptz'];
  // A condition that can be null keeps a database from using an index for the begin of the period.
  const goesOn = period.begins === period.ends ? '' : `${period.ends} IS NULL OR `;
  const sql = `DELETE FROM ${name} WHERE ${among(table, references.column, 1, dialect)} AND ${period.begins} <= ${until}
  AND (${goesOn}${period.ends} >= ${from}) AND (${key.join(', ')}) NOT IN (${keyRows(table, 4, dialect)})`;
  return groupedBy(periods, ({ from: begin, until: end }) => `${begin} ${end}`).map((same) => {
    const vehicleIds = same.map(({ vehicleId }) => vehicleId);
    const [{ from: begin, until: end } = { from: '', until: '' }] = same;
    const kept = vehicleIds.flatMap((vehicleId) => keys.get(vehicleId) ?? []);
    return { sql, parameters: [JSON.stringify(vehicleIds), end, begin, JSON.stringify(kept)] };
  });
}

function groupedBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): readonly (readonly Item[])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const same = groups.get(nameOf(item));
    if (same) same.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return [...groups.values()];
}

/** The column has one of the values of a parameter, which is a list as JSON: an array of values leads PostgreSQL to an index, a join may not. */
function among(table: Table, column: string, parameter: number, dialect: Dialect): string {
  if (dialect === 'sqlite') return `${column} IN (SELECT value FROM json_each(?))`;
  const type = typeOf(table, column, dialect);
  return `${column} = ANY (ARRAY(SELECT json_array_elements_text($${parameter}::text::json)::${type}))`;
}

/** The rows of a parameter, which is a list of keys as JSON. */
function keyRows(table: Table, parameter: number, dialect: Dialect): string {
  if (dialect === 'sqlite') {
    const cells = table.key.map((_, index) => `json_extract(value, '$[${index}]')`);
    return `SELECT ${cells.join(', ')} FROM json_each(?)`;
  }
  const cells = table.key.map((column, index) => `(kept ->> ${index})::${typeOf(table, column, dialect)}`);
  return `SELECT ${cells.join(', ')} FROM json_array_elements($${parameter}::text::json) AS kept`;
}

function typeOf(table: Table, wanted: string, dialect: Dialect): string {
  return columnType(dialect, table.columns.find(({ name }) => name === wanted)?.type ?? 'text');
}
