// The history of a copy: tables with the versions of the rows of records and of their parts. A row that is new or has changed begins a version;
// what it was before, and what is gone, ends. Versions are written in the batch of their records, so that both say the same.
import { isSame } from './compare-records.js';
import type { Cell, Row } from './rows.js';
import type { StampedCopy, Upsert } from './stamped-copy.js';
import {
  type Column,
  columnIndex,
  historyTable,
  partTables,
  STAMP,
  type Table,
  tableOf,
  VERSION_COLUMNS,
} from './tables.js';

const { validFrom, validTo, isCurrent, isStartKnown } = VERSION_COLUMNS;

/** Its name in the table sync_state. A copy that has it keeps history. */
const HISTORY_AT = 'history_at';

/** RFC 3339 in UTC with milliseconds. */
export interface HistoryTimes {
  /** When this sync has read the records. */
  readonly at: string;
  /** The same of the sync before; null in the first one that keeps history. */
  readonly before: string | null;
}

/** A record that a sync has found. */
export interface FoundRecord {
  /** By table: its row and those of its parts. None when it is gone. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Whether the copy has had the list of these records before, and not this one. */
  readonly isNew: boolean;
  /** Whether the copy has it as it is. */
  readonly isStored: boolean;
}

/** The times of the versions of a sync, which only go forward; null for a copy that keeps no history. `now`: milliseconds since 1970. */
export async function historyTimes(copy: StampedCopy, isWanted: boolean, now: number): Promise<HistoryTimes | null> {
  const [[, known] = []] = await copy.read('sync_state', ['name', 'value'], { name: [HISTORY_AT] });
  if (known === undefined && !isWanted) return null;
  const last = Date.parse(String(known));
  const hasLast = !Number.isNaN(last);
  const at = new Date(hasLast ? Math.max(now, last + 1) : now).toISOString();
  // Before any version, so that those of the next sync are later even when this one is killed.
  await copy.note(() => [{ kind: 'upsert', table: 'sync_state', rows: [[HISTORY_AT, at]] }]);
  return { at, before: hasLast ? String(known) : null };
}

/** What the tables of versions get of the records of a table, by id: those that are there, and those that are gone. */
export async function versionSteps(
  copy: Pick<StampedCopy, 'read'>,
  name: string,
  times: HistoryTimes,
  records: ReadonlyMap<string, FoundRecord>,
): Promise<readonly Upsert[]> {
  const history = historyTable(name);
  if (history === undefined) return [];
  const current = await copy.read(history.name, ['id'], { [isCurrent]: [true] });
  const known = new Set(current.map(([id]) => String(id)));
  // -1 for records that do not say it.
  const updatedAt = tableOf(name).columns.findIndex((column) => column.name === 'updated_at');
  const owners = new Map<string, Owner>();
  for (const [id, { rows, isNew, isStored }] of records) {
    const [row] = rows.get(name) ?? [];
    const isKnown = known.has(id);
    if (isKnown ? isStored : row === undefined) continue;
    const hasStart = isKnown || isNew;
    owners.set(id, { rows, isStartKnown: hasStart, from: hasStart ? changeTime(row?.[updatedAt], times) : times.at });
  }
  if (owners.size === 0) return [];
  const steps: Upsert[] = [];
  for (const table of [tableOf(name), ...partTables(name)]) {
    const rows = await versionRows(copy, table, owners);
    if (rows.length > 0) steps.push({ kind: 'upsert', table: `${table.name}_history`, rows });
  }
  return steps;
}

/** A record whose versions are looked at. */
interface Owner extends Pick<FoundRecord, 'rows'> {
  /** When its new versions begin, and what is no more ends. */
  readonly from: string;
  readonly isStartKnown: boolean;
}

/** A record has changed between two syncs. When exactly, only the service can know. */
function changeTime(updatedAt: Cell | undefined, { at, before }: HistoryTimes): string {
  const isBetween = typeof updatedAt === 'string' && before !== null && updatedAt > before && updatedAt < at;
  return isBetween ? updatedAt : at;
}

/** The versions of a table that end, and those that begin. */
async function versionRows(
  copy: Pick<StampedCopy, 'read'>,
  table: Table,
  owners: ReadonlyMap<string, Owner>,
): Promise<readonly Row[]> {
  const history = historyTable(table.name);
  const [ownerColumn = 'id'] = table.key;
  if (history === undefined) return [];
  const places = new Map(table.columns.map(({ name }, place) => [name, place]));
  const keyAt = table.key.map((name) => columnIndex(history, name));
  const keyOf = (row: Row) => JSON.stringify(keyAt.map((place) => row[place]));
  const begun = new Map<string, Row>();
  for (const { rows, from, isStartKnown: isKnown } of owners.values()) {
    const filled: Readonly<Record<string, Cell>> = {
      ...{ [validFrom]: from, [validTo]: null },
      ...{ [isCurrent]: true, [isStartKnown]: isKnown },
    };
    for (const row of rows.get(table.name) ?? []) {
      const version = history.columns.map(({ name }) => filled[name] ?? row[places.get(name) ?? -1] ?? null);
      begun.set(keyOf(version), version);
    }
  }
  const names = history.columns.map(({ name }) => name);
  const open = await copy.read(history.name, names, { [isCurrent]: [true], [ownerColumn]: [...owners.keys()] });
  const ended = open.flatMap((row) => {
    const next = begun.get(keyOf(row));
    if (next !== undefined && isSameVersion(history, row, next)) {
      begun.delete(keyOf(row));
      return [];
    }
    const until = owners.get(String(row[columnIndex(history, ownerColumn)]))?.from ?? null;
    return [row.with(columnIndex(history, validTo), until).with(columnIndex(history, isCurrent), false)];
  });
  return [...ended, ...begun.values()];
}

const ofVersions = new Set<string>([...Object.values(VERSION_COLUMNS), STAMP]);

/** Whether two versions have the same values. A database may give back JSON in another form. */
function isSameVersion({ columns }: Table, one: Row, other: Row): boolean {
  const valueIn = ({ type }: Column, cell: Cell | undefined): unknown =>
    type === 'json' && cell !== null ? JSON.parse(String(cell)) : cell;
  return columns.every(
    (column, at) => ofVersions.has(column.name) || isSame(valueIn(column, one[at]), valueIn(column, other[at])),
  );
}
