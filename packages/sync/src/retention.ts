// Deletes old rows by whole UTC days: it is work once a day, and a Parquet file goes as a whole.
import type { SyncDeletions } from './report.js';
import type { StampedCopy } from './stamped-copy.js';
import { partTables } from './tables.js';
import type { Cursor } from './target.js';

const DAY_MS = 86_400_000;
/** Rows or trips per transaction. */
const LIMIT = 10_000;

/** Returns the begin of the retention in milliseconds since 1970; minus infinity without one. */
export function retentionStart(now: number, keepMs: number | null): number {
  if (keepMs === null || now === Number.NEGATIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  return Math.floor((now - keepMs) / DAY_MS) * DAY_MS;
}

/**
 * Deletes snapshots from before a time, and trips and stops that ended before. The cursors then
 * begin at this time, so that nothing of it is read again. A trip or stop in progress stays, and
 * the cursor of its vehicle begins with it.
 *
 * @returns The new cursors, and the number of deleted rows.
 */
export async function deleteBefore(
  copy: StampedCopy,
  cursors: readonly Cursor[],
  from: number,
  open: Readonly<Record<'trips' | 'stops', ReadonlyMap<string, number>>>,
): Promise<{ readonly cursors: readonly Cursor[]; readonly deleted: SyncDeletions | null }> {
  if (from === Number.NEGATIVE_INFINITY) return { cursors, deleted: null };
  const before = new Date(from).toISOString();
  const beginOf = ({ kind, vehicleId }: Cursor) =>
    Math.min(from, kind === 'snapshots' ? from : (open[kind].get(vehicleId) ?? from));
  const moved = cursors.map((cursor) =>
    Date.parse(cursor.beginsAt) < beginOf(cursor)
      ? { ...cursor, beginsAt: new Date(beginOf(cursor)).toISOString() }
      : cursor,
  );
  const changed = moved.filter((cursor, at) => cursor !== cursors[at]);
  const rows = { trips: 0, stops: 0, snapshots: 0 };
  for (const kind of ['trips', 'stops', 'snapshots'] as const) {
    if (changed.some((cursor) => cursor.kind === kind)) rows[kind] = await deleteRows(copy, kind, before);
  }
  // Last, so that the next sync continues the deletion when this one is killed.
  if (changed.length > 0) await copy.apply({ steps: [], cursors: changed });
  return { cursors: moved, deleted: { before, ...rows } };
}

async function deleteRows(copy: StampedCopy, kind: Cursor['kind'], before: string): Promise<number> {
  const tables = [...partTables(kind).map(({ name }) => name), kind];
  const steps = tables.map((table) => ({ kind: 'deleteBefore', table, before, limit: LIMIT }) as const);
  let all = 0;
  for (;;) {
    const { deleted } = await copy.apply({ steps, cursors: [] });
    if (deleted === 0) return all;
    all += deleted;
  }
}
