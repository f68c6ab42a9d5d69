// Keeps the history of a copy: tables with the versions of records and of their parts. A new or
// changed row begins a version, and the version before it ends. Versions are written in the batch
// of their records, so that both agree.
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

/** A name in the table sync_state. A copy that has it keeps history. */
const HISTORY_AT = 'history_at';

/** Times in RFC 3339, in UTC with milliseconds. */
export interface HistoryTimes {
  /** When this sync read the records. */
  readonly at: string;
  /** Time of the previous sync; null for the first sync with history. */
  readonly before: string | null;
}

export interface FoundRecord {
  /** By table; empty for a removed record. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** True when the copy had the list before, without this record. */
  readonly isNew: boolean;
  /** True when the copy has the same values. */
  readonly isStored: boolean;
}

/** Returns the version times of a sync, which never go back; null for a copy without history. */
export async function historyTimes(copy: StampedCopy, isWanted: boolean, now: number): Promise<HistoryTimes | null> {
  const [[, lastTime] = []] = await copy.read('sync_state', ['name', 'value'], { name: [HISTORY_AT] });
  if (lastTime === undefined && !isWanted) return null;
  const last = Date.parse(String(lastTime));
  const hasLast = !Number.isNaN(last);
  const at = new Date(hasLast ? Math.max(now, last + 1) : now).toISOString();
  // Written before any version: the next sync's versions are later, even if this sync is killed.
  await copy.note(() => [{ kind: 'upsert', table: 'sync_state', rows: [[HISTORY_AT, at]] }]);
  return { at, before: hasLast ? String(lastTime) : null };
}

/** Returns the writes to the version tables for records, added and removed ones, by id. */
export async function versionSteps(
  copy: Pick<StampedCopy, 'read'>,
  name: string,
  times: HistoryTimes,
  records: ReadonlyMap<string, FoundRecord>,
): Promise<readonly Upsert[]> {
  const history = historyTable(name);
  if (history === undefined) return [];
  const current = await copy.read(history.name, ['id'], { [isCurrent]: [true] });
  const currentIds = new Set(current.map(([id]) => String(id)));
  // -1 for records without this column.
  const updatedAt = tableOf(name).columns.findIndex((column) => column.name === 'updated_at');
  const owners = new Map<string, Owner>();
  for (const [id, { rows, isNew, isStored }] of records) {
    const [row] = rows.get(name) ?? [];
    const isKnown = currentIds.has(id);
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

interface Owner extends Pick<FoundRecord, 'rows'> {
  /** Begin of new versions, end of old ones. */
  readonly from: string;
  readonly isStartKnown: boolean;
}

/** Returns the time at which a record changed. Only the service can know it exactly. */
function changeTime(updatedAt: Cell | undefined, { at, before }: HistoryTimes): string {
  const isBetween = typeof updatedAt === 'string' && before !== null && updatedAt > before && updatedAt < at;
  return isBetween ? updatedAt : at;
}

/** Returns the versions of a table that end, and those that begin. */
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

/** Compares the values of two versions. A database may return JSON in another form. */
function isSameVersion({ columns }: Table, one: Row, other: Row): boolean {
  const valueIn = ({ type }: Column, cell: Cell | undefined): unknown =>
    type === 'json' && cell !== null ? JSON.parse(String(cell)) : cell;
  return columns.every(
    (column, at) => ofVersions.has(column.name) || isSame(valueIn(column, one[at]), valueIn(column, other[at])),
  );
}
