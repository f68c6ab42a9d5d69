// Syncs a table of records: compares an answer of the service with the copy, writes the difference.
import { ProtocolError } from 'fleet-telematics';
import { isObject } from 'fleet-telematics/kit';
import { diffRecords, idOf, isDeleted, isSame, type RecordChange } from './compare-records.js';
import { damagedCopy } from './copy-error.js';
import { type FoundRecord, type HistoryTimes, versionSteps } from './history.js';
import { asStored } from './json.js';
import type { ListAnswer, SyncPart } from './parts.js';
import type { ReportWriter } from './report.js';
import { type Cell, MAX_KEY_LENGTH, partRows, type Row, type RowRemarks, rowKeyOf, rowOf } from './rows.js';
import type { PlannedStep, StampedCopy } from './stamped-copy.js';
import { counterTable, partTables, type Table } from './tables.js';
import type { Step } from './target.js';

/**
 * A larger share that is missing at once is probably a wrong answer, even of a short list. A faulty
 * answer must not empty a copy.
 */
const MOST_DELETED_PERCENT = 30;

interface StoredRecord {
  readonly record: object;
  readonly isDeleted: boolean;
}

export interface RecordsWritten {
  readonly read: number;
  readonly written: number;
  readonly changes: readonly RecordChange<object>[];
  /** `synced_at` of the written rows, if any. */
  readonly changedAt: string | null;
}

export interface Scope {
  readonly part: SyncPart;
  readonly table: string;
  /** RFC 3339 time for deletion marks. */
  readonly now: string;
  /** True for records that were requested and may be deleted. Default: all. */
  readonly covers?: (record: object) => boolean;
  /** Marks any number of missing records. */
  readonly allowsDeletions: boolean;
  /** Null for a copy without history. */
  readonly history: HistoryTimes | null;
}

interface CurrentRecord {
  readonly record: object;
  readonly row: Row;
  readonly parts: ReturnType<typeof partRows>;
  readonly counters: readonly Row[];
}

export async function writeRecords(
  target: StampedCopy,
  { part, table, now, covers = () => true, allowsDeletions, history }: Scope,
  answer: ListAnswer,
  reporter: ReportWriter,
): Promise<RecordsWritten> {
  const stored = await storedRecords(target, table);
  const { current, nameless } = currentRecords(part, table, now, answer.records, reporter);
  const live = [...stored.values()].filter(({ record, isDeleted: isGone }) => !isGone && covers(record));
  const found = diffRecords(
    live.map(({ record }) => record),
    [...current.values()].map(({ record }) => record),
  );
  const toWrite = [...current].filter(([id, { record }]) => !isStored(stored.get(id), record));
  const missing = found.flatMap(({ type, id }) => (type === 'removed' && !current.has(id) ? [id] : []));
  const gap = answer.gap ?? (nameless > 0 ? `${nameless} records of the answer have no id.` : null);
  const reasonToKeep =
    missing.length === 0 ? null : reasonNotToDelete(missing.length, live.length, gap, allowsDeletions);
  if (reasonToKeep !== null)
    reporter.undeleted(part, `${missing.length} of ${live.length} rows of ${table} ${reasonToKeep}`);
  else if (answer.gap !== null) reporter.failed(part, null, new ProtocolError(answer.gap));
  const deletedIds = reasonToKeep === null ? missing : [];
  const steps: PlannedStep[] = [...recordSteps(table, toWrite, stored), ...counterSteps(table, current)];
  if (deletedIds.length > 0) steps.push({ kind: 'markDeleted', table, ids: deletedIds, at: now });
  const retainedIds = new Set(reasonToKeep === null ? [] : missing);
  const changes = found.filter(({ id }) => !retainedIds.has(id));
  const versions =
    history === null
      ? []
      : await versionSteps(target, table, history, foundRecords(table, current, stored, deletedIds));
  const applied =
    steps.length + versions.length === 0
      ? null
      : await target.apply({ steps, versions, cursors: [], changes: { table, found: changes } });
  return {
    changedAt: applied?.at ?? null,
    read: answer.records.length,
    written: toWrite.length + deletedIds.length,
    changes,
  };
}

/** Returns why missing rows stay, as the end of a sentence; null when they count as deleted. */
export function reasonNotToDelete(
  missing: number,
  live: number,
  gap: string | null,
  allowsDeletions: boolean,
): string | null {
  const nothingMarked = 'None of them was marked as deleted.';
  if (gap !== null) return `are not in the answer of the service, which is not whole. ${gap} ${nothingMarked}`;
  if (allowsDeletions || missing * 100 <= live * MOST_DELETED_PERCENT) return null;
  return `are not in the answer of the service: more than ${MOST_DELETED_PERCENT} % at once. ${nothingMarked} If they are really gone, allow it: \`allowDeletions: true\`, or --allow-deletions.`;
}

/** Returns the records by id, and the number without one. Reports what cannot be stored. */
function currentRecords(
  part: SyncPart,
  table: string,
  now: string,
  answered: readonly object[],
  reporter: ReportWriter,
): { readonly current: ReadonlyMap<string, CurrentRecord>; readonly nameless: number } {
  const current = new Map<string, CurrentRecord>();
  const remarks = reporter.remarks(part);
  let nameless = 0;
  for (const one of answered) {
    const { rest, counters } = withoutCounters(table, one, remarks);
    const { record, isWhole } = asStored(rest);
    const id = idOf(record);
    if (id === null || id.length > MAX_KEY_LENGTH) {
      nameless++;
      reporter.unstored(part, 'noId', id);
      continue;
    }
    if (!isWhole) reporter.unstored(part, 'tooDeep', id);
    const earlier = current.get(id);
    if (earlier && !isSame(earlier.record, record)) reporter.unstored(part, 'sameId', id);
    const row = rowOf(table, record, { deleted_at: isDeleted(record) ? now : null }, remarks);
    current.set(id, {
      record,
      row,
      parts: partRows(table, record, remarks),
      counters,
    });
  }
  return { current, nameless };
}

/** Removes counters, which change by themselves. Unreadable counters stay in the record. */
function withoutCounters(
  table: string,
  record: object,
  remarks: RowRemarks,
): { readonly rest: object; readonly counters: readonly Row[] } {
  const counters = counterTable(table);
  if (counters === undefined) return { rest: record, counters: [] };
  const { counterList } = counters;
  if (counterList === undefined) {
    const { rest, row } = withoutCountersOf(counters, record, null, remarks);
    return { rest, counters: [row] };
  }
  const list: unknown = Reflect.get(record, counterList);
  if (!Array.isArray(list)) return { rest: record, counters: [] };
  const items = list.map((item: unknown) =>
    isObject(item) ? withoutCountersOf(counters, item, record, remarks) : { rest: item, row: null },
  );
  const rows = new Map<string, Row>();
  for (const { row } of items) {
    // An item without its key is reported with the other lists of the record.
    const key = row === null ? null : rowKeyOf(counters, row);
    if (row !== null && key !== null) rows.set(key, row);
  }
  return { rest: { ...record, [counterList]: items.map(({ rest }) => rest) }, counters: [...rows.values()] };
}

function withoutCountersOf(
  counters: Table,
  record: object,
  parent: object | null,
  remarks: RowRemarks,
): { readonly rest: object; readonly row: Row } {
  const unread = new Set<string>();
  const noted: RowRemarks = {
    ...remarks,
    unreadable(of, column) {
      unread.add(column.name);
      remarks.unreadable(of, column);
    },
  };
  const row = rowOf(counters.name, record, {}, noted, parent);
  const counterColumns = counters.columns.filter(({ name }) => !counters.key.includes(name) && !unread.has(name));
  const members = new Set(counterColumns.map(({ from }) => from));
  return { rest: Object.fromEntries(Object.entries(record).filter(([name]) => !members.has(name))), row };
}

function isStored(old: StoredRecord | undefined, record: object): boolean {
  return old !== undefined && old.isDeleted === isDeleted(record) && isSame(old.record, record);
}

function recordSteps(
  table: string,
  toWrite: readonly (readonly [string, CurrentRecord])[],
  stored: ReadonlyMap<string, StoredRecord>,
): Step[] {
  if (toWrite.length === 0) return [];
  const storedIds = toWrite.flatMap(([id]) => (stored.has(id) ? [id] : []));
  const parts = partTables(table);
  const added = new Map<string, Row[]>(parts.map(({ name }) => [name, []]));
  for (const [, record] of toWrite) {
    for (const part of record.parts) for (const row of part.rows) added.get(part.table)?.push(row);
  }
  return [
    { kind: 'upsert', table, rows: toWrite.map(([, { row }]) => row) },
    ...[...added]
      .filter(([, own]) => own.length > 0 || storedIds.length > 0)
      .map(([name, own]): Step => ({ kind: 'replaceParts', table: name, rows: own, owners: storedIds })),
  ];
}

function foundRecords(
  table: string,
  current: ReadonlyMap<string, CurrentRecord>,
  stored: ReadonlyMap<string, StoredRecord>,
  deletedIds: readonly string[],
): ReadonlyMap<string, FoundRecord> {
  const isGone = { rows: new Map(), isNew: false, isStored: false };
  const found = new Map<string, FoundRecord>(deletedIds.map((id) => [id, isGone]));
  for (const [id, { record, row, parts }] of current) {
    const old = stored.get(id);
    const rows = new Map([[table, [row]], ...parts.map((part) => [part.table, part.rows] as const)]);
    const isNew = stored.size > 0 && (old === undefined || old.isDeleted);
    found.set(id, isDeleted(record) ? isGone : { rows, isNew, isStored: isStored(old, record) });
  }
  return found;
}

function counterSteps(table: string, current: ReadonlyMap<string, CurrentRecord>): Step[] {
  const counters = counterTable(table);
  const rows = [...current.values()].flatMap(({ counters: own }) => own);
  if (counters === undefined || current.size === 0) return [];
  if (counters.counterList !== undefined) {
    return [{ kind: 'replaceParts', table: counters.name, rows, owners: [...current.keys()] }];
  }
  return [{ kind: 'upsert', table: counters.name, rows }];
}

async function storedRecords(target: StampedCopy, table: string): Promise<ReadonlyMap<string, StoredRecord>> {
  const rows = await target.read(table, ['id', 'record', 'deleted_at']);
  return new Map(
    rows.map(([id, record, deletedAt]) => [
      String(id),
      { record: recordOf(table, id, record), isDeleted: deletedAt !== null },
    ]),
  );
}

/** Parses the output of `asStored`. */
function recordOf(table: string, id: Cell | undefined, cell: Cell | undefined): object {
  try {
    const record: unknown = JSON.parse(String(cell));
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record;
  } catch {
    // Reported below.
  }
  throw damagedCopy(
    table,
    `the record of ${id} is no JSON object`,
    `Set the column record of this row to '{}'. The next sync then writes the row anew.`,
  );
}
