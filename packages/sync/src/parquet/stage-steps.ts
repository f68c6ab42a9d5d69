// Compares the steps of a batch with the stored rows, so that only differences are written.
import type { Cell, Row } from '../rows.js';
import { columnIndex, STAMP, type Table, tableOf } from '../tables.js';
import type { RowPeriod, RowsWritten, Step } from '../target.js';
import type { CopyFiles } from './files.js';
import { dayOf, isDayBefore, isWithinDays, NO_DAY, type TablePlace } from './layout.js';
import { mergedRows, rowsAfter } from './merge.js';
import { keyText, ownerOf, type Pending, type TimeSpan } from './pending.js';

interface Group {
  readonly place: TablePlace;
  readonly owner: string;
  readonly rows: Row[];
  readonly periods: RowPeriod[];
  /** True for rows to delete if they are not in `rows`. */
  readonly isReplaced?: (row: Row) => boolean;
}

/**
 * Stages the changes of a step.
 * @throws {RangeError} when the table does not have the columns.
 */
export async function stageStep(files: CopyFiles, pending: Pending, step: Step): Promise<RowsWritten> {
  const table = tableOf(step.table);
  switch (step.kind) {
    case 'upsert':
      return stageGroups(files, pending, groupsOf(files, pending, table, step.rows, []));
    case 'replace':
      return stageGroups(files, pending, groupsOf(files, pending, table, step.rows, step.periods));
    case 'replaceParts':
      return stageGroups(files, pending, [partsOf(table, step.rows, step.owners)]);
    case 'delete': {
      const place = columnIndex(table, step.column);
      const values = new Set<Cell>(step.values);
      return stageEachRow(files, pending, table, (row) => (values.has(row[place] ?? null) ? null : row));
    }
    case 'deleteBefore':
      return stageDeleteBefore(files, pending, table, step.before);
    case 'markDeleted': {
      const [id, deletedAt, stamp] = [
        columnIndex(table, 'id'),
        columnIndex(table, 'deleted_at'),
        columnIndex(table, STAMP),
      ];
      const marked = (row: Row) => row.with(deletedAt, step.at).with(stamp, step.syncedAt);
      const ids = new Set<Cell>(step.ids);
      return stageEachRow(files, pending, table, (row) => (ids.has(row[id] ?? null) ? marked(row) : row));
    }
  }
}

function groupsOf(
  files: CopyFiles,
  pending: Pending,
  table: Table,
  rows: readonly Row[],
  periods: readonly RowPeriod[],
): Iterable<Group> {
  const groups = new Map<string, Group>();
  const groupOf = (day: string, owner: string) => {
    const group = groups.get(`${day} ${owner}`) ?? { place: { table, day }, owner, rows: [], periods: [] };
    groups.set(`${day} ${owner}`, group);
    return group;
  };
  for (const row of rows) {
    if (row.length !== table.columns.length) throw new RangeError(`A row of ${table.name} has ${row.length} cells.`);
    groupOf(dayOf(table, row), ownerOf(table, row)).rows.push(row);
  }
  if (periods.length > 0 && (table.period === undefined || table.references === undefined))
    throw new RangeError(`The rows of ${table.name} have no period.`);
  for (const period of periods) {
    for (const day of daysIn(files, pending, table, period)) groupOf(day, period.vehicleId).periods.push(period);
  }
  return groups.values();
}

/** Returns the rows of a table of parts; other rows of the owners are deleted. */
function partsOf(table: Table, rows: readonly Row[], owners: readonly string[]): Group {
  const owner = columnIndex(table, table.references?.column ?? '');
  const replaced = new Set<Cell>(owners);
  const isReplaced = (row: Row) => replaced.has(row[owner] ?? null);
  return { place: { table, day: NO_DAY }, owner: '', rows: [...rows], periods: [], isReplaced };
}

function daysIn(
  files: CopyFiles,
  pending: Pending,
  table: Table,
  { vehicleId, from, until }: RowPeriod,
): readonly string[] {
  const { begins, ends } = table.period ?? { begins: '', ends: '' };
  const published = files.days(table);
  const mayReach = (day: string) => {
    if (isWithinDays(day, from, until)) return true;
    const place = { table, day };
    if (begins === ends || day > until) return false;
    return pending.has(place, vehicleId) || files.mayReach(place, ends, from);
  };
  return [...new Set([...published, ...pending.days(table)])].filter(mayReach);
}

async function stageGroups(files: CopyFiles, pending: Pending, groups: Iterable<Group>): Promise<RowsWritten> {
  let [written, deleted] = [0, 0];
  for (const { place, owner, rows, periods, isReplaced = within(place.table, periods) } of groups) {
    const { table } = place;
    const [keyOf, isSame] = [keyText(table), sameIn(table)];
    const span = spanOf(table, rows, periods);
    const published = pending.isEmptied(place) ? [] : await files.rowsOf(place, owner);
    const before = rowsAfter(table, published, pending.deltas(place, owner, span));
    const newest = new Map(rows.map((row) => [keyOf(row), row]));
    const changed = [...newest].filter(([key, row]) => !isSame(before.get(key), row)).map(([, row]) => row);
    const gone = [...before].filter(([key, row]) => !newest.has(key) && isReplaced(row));
    const lost = gone.map(([, row]) => row);
    if (changed.length + gone.length > 0) {
      const delta = { rows: changed, removedKeys: gone.map(([key]) => key) };
      pending.stage(place, owner, spanOf(table, [...changed, ...lost], []), delta);
    }
    written += changed.length;
    deleted += gone.length;
  }
  return { written, deleted };
}

/** Deletes the rows that ended before a day. Days of rows with a single time are deleted whole. */
async function stageDeleteBefore(
  files: CopyFiles,
  pending: Pending,
  table: Table,
  before: string,
): Promise<RowsWritten> {
  const { begins, ends } = table.period ?? { begins: '', ends: '' };
  const end = columnIndex(table, ends);
  const old = daysWithRows(files, pending, table).filter((day) => isDayBefore(day, before));
  if (begins !== ends) {
    const isOld = (row: Row) => typeof row[end] === 'string' && String(row[end]) < before;
    return stageEachRow(files, pending, table, (row) => (isOld(row) ? null : row), old);
  }
  let deleted = 0;
  for (const day of old) {
    deleted += await countOf(files, pending, { table, day });
    pending.stageEmpty({ table, day });
  }
  return { written: 0, deleted };
}

function daysWithRows(files: CopyFiles, pending: Pending, table: Table): readonly string[] {
  const published = files.days(table).filter((day) => !pending.isEmptied({ table, day }));
  const waiting = pending.days(table).filter((day) => pending.owners({ table, day }).length > 0);
  return [...new Set([...published, ...waiting])];
}

async function countOf(files: CopyFiles, pending: Pending, place: TablePlace): Promise<number> {
  const file = files.open(place);
  try {
    if (file !== null && pending.owners(place).length === 0) return file.rows;
    let rows = 0;
    for await (const _ of mergedRows(place, file, pending)) rows++;
    return rows;
  } finally {
    file?.close();
  }
}

/** Replaces each row of a table, or of some of its days. Null deletes the row. */
async function stageEachRow(
  files: CopyFiles,
  pending: Pending,
  table: Table,
  change: (row: Row) => Row | null,
  days = daysWithRows(files, pending, table),
): Promise<RowsWritten> {
  let [written, deleted] = [0, 0];
  const [keyOf, isSame] = [keyText(table), sameIn(table)];
  for (const day of days) {
    const place = { table, day };
    const found = new Map<string, { readonly rows: Row[]; readonly gone: string[]; readonly before: Row[] }>();
    const file = files.open(place);
    try {
      for await (const row of mergedRows(place, file, pending)) {
        const after = change(row);
        if (after !== null && isSame(row, after)) continue;
        const owner = ownerOf(table, row);
        const own = found.get(owner) ?? { rows: [], gone: [], before: [] };
        found.set(owner, own);
        own.before.push(row);
        if (after === null) own.gone.push(keyOf(row));
        else own.rows.push(after);
      }
    } finally {
      file?.close();
    }
    for (const [owner, { rows, gone, before }] of found) {
      pending.stage(place, owner, spanOf(table, before, []), { rows, removedKeys: gone });
      written += rows.length;
      deleted += gone.length;
    }
  }
  return { written, deleted };
}

/** Returns the time of rows and periods, for tables of rows with a single time in their key. */
function spanOf(table: Table, rows: readonly Row[], periods: readonly RowPeriod[]): TimeSpan | null {
  const { period, key } = table;
  if (period === undefined || period.begins !== period.ends || !key.includes(period.begins)) return null;
  const place = columnIndex(table, period.begins);
  const times = [
    ...rows.map((row) => String(row[place] ?? '')),
    ...periods.flatMap(({ from, until }) => [from, until]),
  ].sort();
  return { from: times[0] ?? '', until: times.at(-1) ?? '' };
}

function within(table: Table, periods: readonly RowPeriod[]): (row: Row) => boolean {
  const { period } = table;
  if (period === undefined || periods.length === 0) return () => false;
  const [begins, ends] = [columnIndex(table, period.begins), columnIndex(table, period.ends)];
  return (row) => {
    const [begin, end] = [row[begins] ?? null, row[ends] ?? null];
    return periods.some(({ from, until }) => begin !== null && begin <= until && (end === null || end >= from));
  };
}

/** Compares rows in all cells but `synced_at`. */
function sameIn({ columns }: Table): (one: Row | undefined, other: Row) => boolean {
  // -1 in the sync's own tables.
  const stamp = columns.findIndex(({ name }) => name === STAMP);
  return (one, other) => one?.every((cell, at) => cell === other[at] || at === stamp) ?? false;
}

/** Stages rows without a comparison with stored ones. */
export function stageRows(pending: Pending, name: string, rows: readonly Row[]): void {
  if (rows.length > 0) pending.stage({ table: tableOf(name), day: NO_DAY }, '', null, { rows, removedKeys: [] });
}
