// Helpers for tests of copies.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Cell } from '../src/rows.js';
import { loadSqlite } from '../src/sqlite/database.js';
import { ownTables, STAMP, syncTables } from '../src/tables.js';
import type { SyncTarget } from '../src/target.js';

/** Returns a file in a folder that is removed after the test; with `suite` it stays for others. */
export function tempFile(life: 'test' | 'suite' = 'test'): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-sync-'));
  if (life === 'test') onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'fleet.db');
}

export async function query(file: string, sql: string): Promise<readonly (readonly Cell[])[]> {
  const database = (await loadSqlite()).open(file, { readOnly: true });
  try {
    return database.all(sql);
  } finally {
    database.close();
  }
}

/** Tables about syncs, which differ between copies of one fleet. */
const ofSyncs = new Set(['sync_runs', 'sync_parts', 'changes']);
/** The tables and columns that are equal in all copies of a fleet. */
export const comparedTables = [...syncTables, ...ownTables]
  .filter(({ name }) => !ofSyncs.has(name))
  .map((table) => ({ ...table, columns: table.columns.filter(({ name }) => name !== STAMP) }));

/** Returns a hash of the rows of each table; of rows about syncs only of their progress. */
export async function contentOf(target: SyncTarget): Promise<Readonly<Record<string, string>>> {
  const open = await target.open();
  try {
    const hashes: Record<string, string> = {};
    for (const { name, columns } of comparedTables) {
      const all = await open.read(
        name,
        columns.map((column) => column.name),
      );
      const rows = all.filter(([key]) => name !== 'sync_state' || (key !== STAMP && key !== 'last_run'));
      const isJson = columns.map(({ type }) => type === 'json');
      const plain = rows.map((row) => row.map((cell, at) => (isJson[at] && cell !== null ? sorted(cell) : cell)));
      const hash = createHash('sha256').update(JSON.stringify(plain)).digest('hex').slice(0, 12);
      hashes[name] = `${rows.length} rows ${hash}`;
    }
    return hashes;
  } finally {
    await open.close();
  }
}

/** Sorts the members of JSON, because databases may reorder them. */
function sorted(cell: Cell): unknown {
  return JSON.parse(String(cell), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
