// Helpers for the versions of a copy with history.
import { expect } from 'vitest';
import { type SyncTarget, syncTables } from '../src/index.js';
import type { Cell } from '../src/rows.js';
import { historyTable } from '../src/tables.js';

const versionTables = syncTables.flatMap(({ versionsOf }) => (versionsOf === undefined ? [] : versionsOf));

/** Expects current versions to equal the tables, and versions of a key not to overlap. */
export async function expectWhole(target: SyncTarget): Promise<void> {
  const open = await target.open();
  try {
    const gone = new Set<unknown>();
    for (const name of versionTables) {
      const table = syncTables.find((one) => one.name === name);
      const history = historyTable(name);
      if (table === undefined || history === undefined) throw new Error(`there is no table ${name}`);
      const shared = history.columns.map((column) => column.name).filter((column) => hasColumn(table, column));
      const values = shared.filter((column) => column !== 'synced_at');
      const isRecord = hasColumn(table, 'deleted_at');
      const rows = await open.read(name, isRecord ? [...values, 'deleted_at'] : values);
      // The parts of a removed record are still in their tables.
      for (const row of rows) if (isRecord && row.at(-1) !== null) gone.add(row[0]);
      const live = rows.filter(([owner]) => !gone.has(owner)).map((row) => row.slice(0, values.length));
      expect({ name, rows: await open.read(history.name, values, { is_current: [true] }) }).toEqual({
        name,
        rows: live,
      });
      const times = await open.read(history.name, [...table.key, 'valid_from', 'valid_to', 'is_current']);
      for (const [place, version] of times.entries()) {
        const [from, to, isCurrent] = version.slice(-3);
        const next = times[place + 1];
        const isSameKey = next !== undefined && table.key.every((_, key) => next[key] === version[key]);
        expect({ name, version, isInOrder: to === null || String(to) > String(from) }).toMatchObject({
          isInOrder: true,
        });
        expect({ name, version, isCurrent }).toEqual({ name, version, isCurrent: to === null });
        if (isSameKey) expect([name, to !== null && String(to) <= String(next.at(-3))]).toEqual([name, true]);
      }
    }
  } finally {
    await open.close();
  }
}

function hasColumn({ columns }: (typeof syncTables)[number], columnName: string): boolean {
  return columns.some(({ name }) => name === columnName);
}

const times = new Set(['valid_from', 'valid_to', 'synced_at']);

/** Returns the versions of each table in time order, without their times. */
export async function versionsOf(
  target: SyncTarget,
): Promise<Readonly<Record<string, readonly (readonly unknown[])[]>>> {
  const open = await target.open();
  try {
    const found: Record<string, readonly (readonly unknown[])[]> = {};
    for (const { name, columns, versionsOf: of } of syncTables) {
      if (of === undefined) continue;
      const own = columns.filter((column) => !times.has(column.name));
      const rows = await open.read(
        name,
        own.map((column) => column.name),
      );
      // PostgreSQL writes JSON in another form.
      const plain = (cell: Cell, at: number): unknown =>
        own[at]?.type === 'json' && cell !== null ? JSON.parse(String(cell)) : cell;
      found[name] = rows.map((row) => row.map(plain));
    }
    return found;
  } finally {
    await open.close();
  }
}
