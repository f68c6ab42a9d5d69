// Keeps a table of records current: compares what the service answers with what the copy has, and writes the difference.
import { changes, isSame, type RecordChange } from './compare-records.js';
import { asStored, partRows, type Row, rowOf } from './rows.js';
import { partsOf } from './tables.js';
import type { OpenTarget, Step } from './target.js';

interface Stored {
  readonly record: object;
  readonly isDeleted: boolean;
}

export interface RecordsWritten {
  readonly read: number;
  readonly written: number;
  readonly changes: readonly RecordChange<object>[];
}

export interface Scope {
  readonly table: string;
  /** RFC 3339: what is gone now is marked with this time. */
  readonly now: string;
  /** Which records of the copy may be marked as gone: those that the service was asked for. Default: all. */
  readonly covers?: (record: object) => boolean;
}

/** Writes the records of a list in one batch. A record without an id is left out. */
export async function writeRecords(
  target: OpenTarget,
  { table, now, covers = () => true }: Scope,
  answered: readonly object[],
): Promise<RecordsWritten> {
  const stored = await storedRecords(target, table);
  const current = new Map<string, object>();
  for (const record of answered) {
    const id: unknown = Reflect.get(record, 'id');
    if (typeof id === 'string') current.set(id, asStored(record));
  }
  const live = [...stored.values()].filter(({ record, isDeleted }) => !isDeleted && covers(record));
  const found = changes(
    live.map(({ record }) => record),
    current.values(),
  );
  const toWrite = [...current].filter(([id, record]) => !isStored(stored.get(id), record));
  const gone = found.flatMap(({ type, id }) => (type === 'removed' && !current.has(id) ? [id] : []));
  const steps = recordSteps(table, toWrite, stored, now);
  if (gone.length > 0) steps.push({ kind: 'markDeleted', table, ids: gone, at: now });
  if (steps.length > 0) await target.apply({ steps, cursors: [] });
  return { read: answered.length, written: toWrite.length + gone.length, changes: found };
}

function isStored(old: Stored | undefined, record: object): boolean {
  return (
    old !== undefined && old.isDeleted === (Reflect.get(record, 'isDeleted') === true) && isSame(old.record, record)
  );
}

function recordSteps(
  table: string,
  toWrite: readonly (readonly [string, object])[],
  stored: ReadonlyMap<string, Stored>,
  now: string,
): Step[] {
  if (toWrite.length === 0) return [];
  const rows = toWrite.map(([, record]) => {
    const isDeleted = Reflect.get(record, 'isDeleted') === true;
    return rowOf(table, record, { deleted_at: isDeleted ? now : null });
  });
  const known = toWrite.flatMap(([id]) => (stored.has(id) ? [id] : []));
  const parts = partsOf(table);
  const removals = parts.map(
    ({ name, references }): Step => ({ kind: 'delete', table: name, column: references?.column ?? '', values: known }),
  );
  const added = new Map<string, Row[]>(parts.map(({ name }) => [name, []]));
  for (const [, record] of toWrite) {
    for (const part of partRows(table, record)) for (const row of part.rows) added.get(part.table)?.push(row);
  }
  return [
    { kind: 'upsert', table, rows },
    ...(known.length > 0 ? removals : []),
    ...[...added]
      .filter(([, own]) => own.length > 0)
      .map(([name, own]): Step => ({ kind: 'upsert', table: name, rows: own })),
  ];
}

async function storedRecords(target: OpenTarget, table: string): Promise<ReadonlyMap<string, Stored>> {
  const rows = await target.read(table, ['id', 'record', 'deleted_at']);
  return new Map(
    rows.map(([id, record, deletedAt]) => [
      String(id),
      // The column holds what asStored wrote.
      { record: JSON.parse(String(record)) as object, isDeleted: deletedAt !== null },
    ]),
  );
}
