// The DDL of a copy, made from tables.ts for each database, and the versions of the tables.
import { type ColumnType, ownTables, type Table, tables } from './tables.js';
import { views } from './views.js';

export type Dialect = 'sqlite' | 'postgres';

const types: Readonly<Record<Dialect, Readonly<Record<ColumnType, string>>>> = {
  sqlite: { text: 'TEXT', integer: 'INTEGER', real: 'REAL', boolean: 'BOOLEAN', time: 'TEXT', json: 'TEXT' },
  postgres: {
    ...{ text: 'text', integer: 'bigint', real: 'double precision' },
    ...{ boolean: 'boolean', time: 'timestamptz', json: 'jsonb' },
  },
};

/** A version of the tables: the statements that lead to it from the version before. */
export interface Migration {
  readonly version: number;
  readonly statements: (dialect: Dialect) => readonly string[];
}

/** All versions. When tables.ts changes, add one whose statements alter the tables of the version before. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: (dialect) => [...ownTables, ...tables].flatMap((table) => tableStatements(table, dialect)),
  },
];

function tableStatements(table: Table, dialect: Dialect): readonly string[] {
  const { name, columns, key, references, indexes = [] } = table;
  const lines = columns.map((column) => {
    const type = types[dialect][column.type];
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
export function viewStatements(dialect: Dialect): readonly string[] {
  return views.map(({ name, sql }) => `CREATE VIEW ${name} AS\n${sql[dialect]}`);
}

export function dropViewStatements(): readonly string[] {
  return views.map(({ name }) => `DROP VIEW IF EXISTS ${name}`).reverse();
}

/** The whole DDL of a new copy, as a script. */
export function schemaOf(dialect: Dialect): string {
  const statements = [...migrations.flatMap(({ statements: of }) => of(dialect)), ...viewStatements(dialect)];
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
