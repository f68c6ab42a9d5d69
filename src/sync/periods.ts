// From when each vehicle is read: from where the copy ends, less the time by which snapshots may be late.
import { DEFAULT_SINCE_MS, type SyncPlan } from './options.js';
import type { Cursor } from './target.js';

/** Begins are rounded down to this step, so that vehicles with nearly the same begin share requests. */
const STEP_MS = 600_000;

/** Vehicles that are read in one stream. Milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly vehicleIds: readonly string[];
}

export interface Reading {
  readonly periods: readonly Period[];
  /** The begin of what is kept of each vehicle, for its cursor. */
  readonly begins: ReadonlyMap<string, string>;
  /** To be written before anything is read, so that a sync that goes on after an interruption has the same begin. */
  readonly newCursors: readonly Cursor[];
}

export function readingOf(
  kind: Cursor['kind'],
  vehicleIds: readonly string[],
  cursors: readonly Cursor[],
  { since, lateMs }: Pick<SyncPlan, 'since' | 'lateMs'>,
  until: number,
): Reading {
  const known = new Map(cursors.filter((cursor) => cursor.kind === kind).map((cursor) => [cursor.vehicleId, cursor]));
  const periods = new Map<number, string[]>();
  const begins = new Map<string, string>();
  const newCursors: Cursor[] = [];
  for (const vehicleId of vehicleIds) {
    const cursor = known.get(vehicleId);
    const old = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor.beginsAt);
    const begin = cursor === undefined ? (since ?? until - DEFAULT_SINCE_MS) : Math.min(old, since ?? old);
    const isNew = begin < old;
    const goesOn = cursor === undefined || isNew ? begin : Date.parse(cursor.readUntil) - lateMs;
    const from = Math.max(begin, goesOn - (goesOn % STEP_MS));
    begins.set(vehicleId, new Date(begin).toISOString());
    if (isNew) {
      const beginsAt = new Date(begin).toISOString();
      newCursors.push({ vehicleId, kind, beginsAt, readUntil: beginsAt });
    }
    if (from > until) continue;
    const same = periods.get(from);
    if (same) same.push(vehicleId);
    else periods.set(from, [vehicleId]);
  }
  return {
    periods: [...periods].sort(([one], [other]) => one - other).map(([from, ids]) => ({ from, vehicleIds: ids })),
    begins,
    newCursors,
  };
}
