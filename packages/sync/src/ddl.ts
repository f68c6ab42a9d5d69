// The DDL of a copy, made from tables.ts for each database.
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

/** Returns the statements that make all tables and their indexes. */
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
  // SQLite then keeps the rows in the order of the key, without a second copy of it.
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
 * Returns the references that tools can follow. They are checked when a batch ends, because it writes
 * a trip and its parts one after the other.
 */
function namedRowReferences({ columns }: Table): readonly string[] {
  return columns.flatMap(({ name, names, isNamedRowThere }) =>
    names === undefined || isNamedRowThere !== true
      ? []
      : [`FOREIGN KEY (${name}) REFERENCES ${names} (id) DEFERRABLE INITIALLY DEFERRED`],
  );
}

/** The views are made again with each upgrade. */
export function viewStatements(
  dialect: Dialect,
  create: 'CREATE VIEW' | 'CREATE OR REPLACE VIEW' = 'CREATE VIEW',
): readonly string[] {
  return views.map(({ name, sql }) => `${create} ${name} AS\n${sql[dialect]}`);
}

export function dropViewStatements(): readonly string[] {
  return views.map(({ name }) => `DROP VIEW IF EXISTS ${name}`).reverse();
}

/** What a table, a column or a view has, for the catalog of PostgreSQL; SQLite has no comments. */
export interface Comment {
  readonly kind: 'TABLE' | 'VIEW';
  readonly relation: string;
  /** Null when it is about the whole relation. */
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

/** The whole DDL of a new copy, as a script. */
export function targetSchema(dialect: Dialect): string {
  const statements = [
    ...newTables(dialect),
    ...viewStatements(dialect),
    ...(dialect === 'postgres' ? comments().map(commentStatement) : []),
  ];
  return statements.map((statement) => `${statement};\n`).join('\n');
}

/**
 * Replaces rows with the same key. A row that is the same in all but the time of the batch is not written: triggers, replicas and whoever looks
 * for changes would take it for one. `source` follows the list of columns.
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

/** SQL and its parameters, in the order in which they stand there. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** The condition of a filter, after `WHERE`. */
export function filterQuery(table: Table, filter: RowFilter, dialect: Dialect): Query {
  const conditions: string[] = [];
  const parameters: string[] = [];
  for (const [column, values] of Object.entries(filter)) {
    // Only in these words, a database knows that its index of a flag is meant.
    if (values.length === 1 && values[0] === true) conditions.push(column);
    else conditions.push(among(table, column, parameters.push(JSON.stringify(values)), dialect));
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** The rows of periods, of which those that were just written stay. */
export interface OtherRows {
  /** How many rows the periods have. */
  readonly count: Query;
  /** How many of them were just written. When there are no more, nothing is to be deleted, and the keys need not be compared. */
  readonly kept: number;
  /** Deletes the others. */
  readonly deletion: () => Query;
}

/** The rows of the periods that are not among these rows, which are in the table: once for all vehicles that have the same period. */
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
  // A condition that can be null keeps a database from using an index for the begin of the period.
  const goesOn = period.begins === period.ends ? '' : `${period.ends} IS NULL OR `;
  const where = `FROM ${name} WHERE ${among(table, references.column, 1, dialect)} AND ${period.begins} <= ${until}
  AND (${goesOn}${period.ends} >= ${from})`;
  const notKept = `(${key.join(', ')}) NOT IN (${keyRows(table, 4, dialect)})`;
  return groupedBy(periods, ({ from: begin, until: end }) => `${begin} ${end}`).map((same) => {
    const vehicleIds = same.map(({ vehicleId }) => vehicleId);
    const [{ from: begin, until: end } = { from: '', until: '' }] = same;
    const written = vehicleIds.flatMap((vehicleId) => rowsOf.get(vehicleId) ?? []);
    // Times of rows and of periods are texts of the same form, which have the order of the times.
    const isInside = (row: Row) =>
      String(row[begins]) <= end && ((row[ends] ?? null) === null || String(row[ends]) >= begin);
    const parameters = [JSON.stringify(vehicleIds), end, begin];
    return {
      count: { sql: `SELECT count(*) ${where}`, parameters },
      kept: new Set(keysOf(table, written.filter(isInside)).map((cells) => JSON.stringify(cells))).size,
      deletion: () => ({
        sql: `DELETE ${where} AND ${notKept}`,
        parameters: [...parameters, JSON.stringify(keysOf(table, written))],
      }),
    };
  });
}

/** Deletes the rows whose column has one of these values. */
export function deleteQuery(table: Table, column: string, values: readonly Cell[], dialect: Dialect): Query {
  const sql = `DELETE FROM ${table.name} WHERE ${among(table, column, 1, dialect)}`;
  return { sql, parameters: [JSON.stringify(values)] };
}

/** Deletes some of the rows that ended before a time, the oldest first; of a table of parts those of the same owners. */
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

/** Deletes the rows of these owners whose keys are not among those of these rows. */
export function deleteOtherPartsQuery(
  table: Table,
  rows: readonly Row[],
  owners: readonly string[],
  dialect: Dialect,
): Query {
  const { name, key, references } = table;
  if (references === undefined) throw new RangeError(`The rows of ${name} have no owner.`);
  const sql = `DELETE FROM ${name} WHERE ${among(table, references.column, 1, dialect)}
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
