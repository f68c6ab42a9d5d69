// Generates the SQL of a copy from tables.ts, for each database.
import type { Cell, Row } from './rows.js';
import { type ColumnType, columnIndex, ownTables, STAMP, syncTables, type Table, tableOf } from './tables.js';
import type { RowFilter, RowPeriod } from './target.js';
import { views } from './views.js';

export type Dialect = 'sqlite' | 'postgres';

const types: Readonly<Record<Dialect, Readonly<Record<ColumnType, string>>>> = {
  sqlite: {
    ...{ text: 'TEXT', integer: 'INTEGER', real: 'REAL', boolean: 'BOOLEAN' },
    ...{ time: 'TEXT', day: 'TEXT', local: 'TEXT', json: 'TEXT' },
  },
  postgres: {
    ...{ text: 'text', integer: 'bigint', real: 'double precision' },
    ...{ boolean: 'boolean', time: 'timestamptz', day: 'date', local: 'timestamp', json: 'jsonb' },
  },
};

export function columnType(dialect: Dialect, type: ColumnType): string {
  return types[dialect][type];
}

export function newTables(dialect: Dialect): readonly string[] {
  return [...ownTables, ...syncTables].flatMap((table) => tableStatements(table, dialect));
}

function tableStatements(table: Table, dialect: Dialect): readonly string[] {
  const { name, columns, key, references, indexes = [], flagIndex } = table;
  const lines = columns.map((column) => {
    const type = columnType(dialect, column.type);
    return `${column.name} ${type}${key.includes(column.name) ? ' NOT NULL' : ''}`;
  });
  lines.push(`PRIMARY KEY (${key.join(', ')})`);
  if (references) lines.push(`FOREIGN KEY (${references.column}) REFERENCES ${references.table} (id)`);
  if (dialect === 'postgres') lines.push(...namedRowReferences(table));
  const partition = table.isMonthly ? ` PARTITION BY RANGE (${table.period?.begins})` : '';
  // SQLite then stores the rows in key order, without a second copy of the key.
  const end = dialect === 'sqlite' ? ') WITHOUT ROWID' : `)${partition}`;
  return [
    `CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n${end}`,
    ...indexes.map((of) => `CREATE INDEX ${name}_by_${of.join('_')} ON ${name} (${of.join(', ')})`),
    ...(flagIndex
      ? [
          `CREATE INDEX ${name}_${flagIndex.flag}_by_${flagIndex.column} ON ${name} (${flagIndex.column}) WHERE ${flagIndex.flag}`,
        ]
      : []),
  ];
}

/**
 * Returns foreign keys that tools can follow. They are checked when a batch ends, because it writes
 * a trip and its parts one after the other.
 */
function namedRowReferences({ columns }: Table): readonly string[] {
  return columns.flatMap(({ name, names, isNamedRowThere }) =>
    names === undefined || isNamedRowThere !== true
      ? []
      : [`FOREIGN KEY (${name}) REFERENCES ${names} (id) DEFERRABLE INITIALLY DEFERRED`],
  );
}

/** Returns the views, which each upgrade creates again. */
export function viewStatements(
  dialect: Dialect,
  create: 'CREATE VIEW' | 'CREATE OR REPLACE VIEW' = 'CREATE VIEW',
): readonly string[] {
  return views.map(({ name, sql }) => `${create} ${name} AS\n${sql[dialect]}`);
}

export function dropViewStatements(): readonly string[] {
  return views.map(({ name }) => `DROP VIEW IF EXISTS ${name}`).reverse();
}

/** A comment in the catalog of PostgreSQL. SQLite has no comments. */
export interface Comment {
  readonly kind: 'TABLE' | 'VIEW';
  readonly relation: string;
  /** Null for the whole relation. */
  readonly column: string | null;
  readonly text: string;
}

export function comments(): readonly Comment[] {
  return [
    ...[...ownTables, ...syncTables].flatMap(({ name: relation, about, columns }): Comment[] => [
      { kind: 'TABLE', relation, column: null, text: about },
      ...columns.map(({ name: column, about: of, names }): Comment => {
        const text = names === undefined ? of : `${of}; id in ${names}`;
        return { kind: 'TABLE', relation, column, text };
      }),
    ]),
    ...views.map(({ name, about }): Comment => ({ kind: 'VIEW', relation: name, column: null, text: about })),
  ];
}

export function commentStatement({ kind, relation, column, text }: Comment): string {
  const on = column === null ? `${kind} ${relation}` : `COLUMN ${relation}.${column}`;
  // Back quotes are for the document.
  return `COMMENT ON ${on} IS '${text.replaceAll('`', '').replaceAll("'", "''")}'`;
}

export function targetSchema(dialect: Dialect): string {
  const statements = [
    ...newTables(dialect),
    ...viewStatements(dialect),
    ...(dialect === 'postgres' ? comments().map(commentStatement) : []),
  ];
  return statements.map((statement) => `${statement};\n`).join('\n');
}

/**
 * Returns an upsert by key; `source` follows the list of columns. A row that differs only in the
 * time of its batch is not written: triggers, replicas and change readers would take it for a
 * change.
 */
export function upsertStatement({ name, columns, key }: Table, source: string): string {
  const all = columns.map((column) => column.name);
  const others = all.filter((column) => !key.includes(column));
  const compared = others.filter((column) => column !== STAMP);
  const list = (prefix: string) => compared.map((column) => `${prefix}${column}`).join(', ');
  const action =
    compared.length === 0
      ? 'NOTHING'
      : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE (${list(`${name}.`)}) IS DISTINCT FROM (${list('excluded.')})`;
  return `INSERT INTO ${name} (${all.join(', ')}) ${source} ON CONFLICT (${key.join(', ')}) DO ${action}`;
}

/** SQL and its parameters, in the order of their placeholders. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** Returns the condition of a filter, without `WHERE`. */
export function filterQuery(table: Table, filter: RowFilter, dialect: Dialect): Query {
  const conditions: string[] = [];
  const parameters: string[] = [];
  for (const [column, values] of Object.entries(filter)) {
    // A database uses its index of a flag only for this exact condition.
    if (values.length === 1 && values[0] === true) conditions.push(column);
    else conditions.push(inListCondition(table, column, parameters.push(JSON.stringify(values)), dialect));
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** The rows of periods except those that were just written. */
export interface OtherRows {
  readonly count: Query;
  /** Number of rows just written. If the count is the same, no key is compared. */
  readonly writtenCount: number;
  readonly deletion: () => Query;
}

/** Returns the other rows of the periods, one item for all vehicles with the same period. */
export function otherRows(
  table: Table,
  rows: readonly Row[],
  periods: readonly RowPeriod[],
  dialect: Dialect,
): readonly OtherRows[] {
  const { name, key, references, period } = table;
  if (references === undefined || period === undefined) throw new RangeError(`The rows of ${name} have no period.`);
  const vehicle = columnIndex(table, references.column);
  const [begins, ends] = [columnIndex(table, period.begins), columnIndex(table, period.ends)];
  const rowsOf = new Map(groupedBy(rows, (row) => String(row[vehicle])).map((own) => [own[0]?.[vehicle], own]));
  const [until, from] = dialect === 'sqlite' ? ['?', '?'] : ['$2::timestamptz', '$3::timestamptz'];
  // A condition that can be null prevents the use of an index for the begin of the period.
  const openEndCondition = period.begins === period.ends ? '' : `${period.ends} IS NULL OR `;
  const where = `FROM ${name} WHERE ${inListCondition(table, references.column, 1, dialect)} AND ${period.begins} <= ${until}
  AND (${openEndCondition}${period.ends} >= ${from})`;
  const notKept = `(${key.join(', ')}) NOT IN (${keyRows(table, 4, dialect)})`;
  return groupedBy(periods, ({ from: begin, until: end }) => `${begin} ${end}`).map((same) => {
    const vehicleIds = same.map(({ vehicleId }) => vehicleId);
    const [{ from: begin, until: end } = { from: '', until: '' }] = same;
    const written = vehicleIds.flatMap((vehicleId) => rowsOf.get(vehicleId) ?? []);
    // Times of rows and periods are texts in one format, so that they sort by time.
    const isInside = (row: Row) =>
      String(row[begins]) <= end && ((row[ends] ?? null) === null || String(row[ends]) >= begin);
    const parameters = [JSON.stringify(vehicleIds), end, begin];
    return {
      count: { sql: `SELECT count(*) ${where}`, parameters },
      writtenCount: new Set(keysOf(table, written.filter(isInside)).map((cells) => JSON.stringify(cells))).size,
      deletion: () => ({
        sql: `DELETE ${where} AND ${notKept}`,
        parameters: [...parameters, JSON.stringify(keysOf(table, written))],
      }),
    };
  });
}

export function deleteQuery(table: Table, column: string, values: readonly Cell[], dialect: Dialect): Query {
  const sql = `DELETE FROM ${table.name} WHERE ${inListCondition(table, column, 1, dialect)}`;
  return { sql, parameters: [JSON.stringify(values)] };
}

/** Returns a deletion of the oldest rows that ended before a time; parts go with their owners. */
export function deleteBeforeQuery(
  table: Table,
  { before, limit }: { readonly before: string; readonly limit: number },
  dialect: Dialect,
): Query {
  const owner = table.partsOf === undefined ? table : tableOf(table.partsOf.table);
  const { period, key } = owner;
  if (period === undefined) throw new RangeError(`The rows of ${table.name} have no period.`);
  const [own] = table.key;
  const keys = owner === table ? `(${key.join(', ')})` : own;
  const time = dialect === 'sqlite' ? '?' : '$1::timestamptz';
  const ended = [...new Set([period.begins, period.ends])].map((column) => `${column} < ${time}`);
  const parameters = dialect === 'sqlite' ? ended.map(() => before) : [before];
  const sql = `DELETE FROM ${table.name} WHERE ${keys} IN (
  SELECT ${key.join(', ')} FROM ${owner.name} WHERE ${ended.join(' AND ')} ORDER BY ${[period.begins, ...key].join(', ')} LIMIT ${limit})`;
  return { sql, parameters };
}

/** Returns a deletion of the owners' rows whose keys are not among `rows`. */
export function deleteOtherPartsQuery(
  table: Table,
  rows: readonly Row[],
  owners: readonly string[],
  dialect: Dialect,
): Query {
  const { name, key, references } = table;
  if (references === undefined) throw new RangeError(`The rows of ${name} have no owner.`);
  const sql = `DELETE FROM ${name} WHERE ${inListCondition(table, references.column, 1, dialect)}
  AND (${key.join(', ')}) NOT IN (${keyRows(table, 2, dialect)})`;
  return { sql, parameters: [JSON.stringify(owners), JSON.stringify(keysOf(table, rows))] };
}

function keysOf(table: Table, rows: readonly Row[]): Cell[][] {
  const at = table.key.map((column) => columnIndex(table, column));
  return rows.map((row) => at.map((index) => row[index] ?? null));
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

/**
 * Returns the condition that a column has a value of a parameter, which is a list as JSON.
 * PostgreSQL uses an index for an array of values, but not always for a join.
 */
function inListCondition(table: Table, column: string, parameter: number, dialect: Dialect): string {
  if (dialect === 'sqlite') return `${column} IN (SELECT value FROM json_each(?))`;
  const type = typeOf(table, column, dialect);
  return `${column} = ANY (ARRAY(SELECT json_array_elements_text($${parameter}::text::json)::${type}))`;
}

/** Returns the rows of a parameter, which is a list of keys as JSON. */
function keyRows(table: Table, parameter: number, dialect: Dialect): string {
  if (dialect === 'sqlite') {
    const cells = table.key.map((_, index) => `json_extract(value, '$[${index}]')`);
    return `SELECT ${cells.join(', ')} FROM json_each(?)`;
  }
  const cells = table.key.map((column, index) => `(kept ->> ${index})::${typeOf(table, column, dialect)}`);
  return `SELECT ${cells.join(', ')} FROM json_array_elements($${parameter}::text::json) AS kept`;
}

function typeOf(table: Table, columnName: string, dialect: Dialect): string {
  return columnType(dialect, table.columns.find(({ name }) => name === columnName)?.type ?? 'text');
}
