// Merges the rows of a file with pending changes, in file order: by owner, then by begin and key.
// Memory holds the rows of one owner at a time.
import type { Cell, Row } from '../rows.js';
import { columnIndex, type Table } from '../tables.js';
import type { TablePlace } from './layout.js';
import { type Delta, keyText, ownerOf, type Pending } from './pending.js';
import type { RowSelection, TableFile } from './table-file.js';

/** Returns the rows of a file with its pending changes. `file`: null when there is none yet. */
export async function* mergedRows(
  place: TablePlace,
  file: TableFile | null,
  pending: Pending | null,
  selection?: RowSelection,
): AsyncGenerator<Row, void> {
  const { table } = place;
  const waiting = [...(pending?.owners(place) ?? [])].sort();
  const order = orderBy(table, table.period === undefined ? table.key : [table.period.begins, ...table.key]);
  const merged = (owner: string, published: readonly Row[]): readonly Row[] => {
    const deltas = pending?.deltas(place, owner) ?? [];
    return deltas.length === 0 ? published : [...rowsAfter(table, published, deltas).values()].sort(order);
  };
  if (file !== null && !pending?.isEmptied(place)) {
    for await (const [owner, rows] of byOwner(table, file, selection)) {
      for (let next = waiting[0]; next !== undefined && next < owner; next = waiting[0]) {
        waiting.shift();
        yield* merged(next, []);
      }
      if (waiting[0] === owner) waiting.shift();
      yield* merged(owner, rows);
    }
  }
  for (const owner of waiting) yield* merged(owner, []);
}

/** Returns the rows of an owner by key, with pending changes. */
export function rowsAfter(table: Table, published: readonly Row[], deltas: readonly Delta[]): ReadonlyMap<string, Row> {
  const keyOf = keyText(table);
  const rows = new Map(published.map((row) => [keyOf(row), row]));
  for (const delta of deltas) {
    for (const key of delta.removedKeys) rows.delete(key);
    for (const row of delta.rows) rows.set(keyOf(row), row);
  }
  return rows;
}

async function* byOwner(
  table: Table,
  file: TableFile,
  selection: RowSelection | undefined,
): AsyncGenerator<readonly [owner: string, rows: readonly Row[]], void> {
  let rows: Row[] = [];
  let owner: string | null = null;
  for await (const group of file.groups(selection)) {
    for (const row of group) {
      const own = ownerOf(table, row);
      if (own !== owner && owner !== null) {
        yield [owner, rows];
        rows = [];
      }
      owner = own;
      rows.push(row);
    }
  }
  if (owner !== null) yield [owner, rows];
}

export function orderBy(table: Table, names: readonly string[]): (one: Row, other: Row) => number {
  const places = names.map((name) => columnIndex(table, name));
  return (one, other) => {
    for (const place of places) {
      const [cell, than] = [one[place] ?? null, other[place] ?? null];
      if (cell !== than) return isLess(cell, than) ? -1 : 1;
    }
    return 0;
  };
}

function isLess(one: Cell, other: Cell): boolean {
  return one === null || (other !== null && one < other);
}
