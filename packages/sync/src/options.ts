// The options of a sync: their types, defaults and checks.

import type { InvalidInputError } from 'fleet-telematics';
import { toDate } from 'fleet-telematics';
import { type Checks, didYouMean, numberFrom, problemIn, refusedInput } from 'fleet-telematics/kit';
import type { RecordChange } from './compare-records.js';
import { defaultParts, needsVehicles, type SyncClient, type SyncPart, syncParts } from './parts.js';
import type { SyncProgress, TableReport } from './report.js';
import { columnList } from './snapshot-columns.js';

/** The default of `lateMs` and its minimum, below which trips that went on would be missed. */
const DEFAULT_LATE_MS = 2 * 3_600_000;
export const MIN_LATE_MS = 600_000;

type OtherUser = Parameters<SyncClient['forUser']>[0];

export interface SyncOptions {
  /**
   * The parts to sync. Default: all but `snapshots`, `stops` and `mapped-sensors`. The list of
   * vehicles is also read when parts, `vehicleIds` or `groupIds` refer to it.
   */
  readonly parts?: readonly SyncPart[] | undefined;
  /**
   * Begin of trips, stops and snapshots of vehicles new to the copy, as RFC 3339 text or a Date.
   * Default: seven days before `until`. If the copy of a vehicle begins later, it is read again
   * from there.
   */
  readonly since?: string | Date | undefined;
  /** End of trips, stops and snapshots. Default and maximum: now, by the service's clock. */
  readonly until?: string | Date | undefined;
  /**
   * Maximum delay of late snapshots, in milliseconds. They are found within `lateEveryMs` after
   * arrival, and this time is then read again. Default 7200000: two hours; minimum 600000, so that
   * trips that went on are found.
   */
  readonly lateMs?: number | undefined;
  /**
   * Interval of checks for late, withdrawn and changed rows, in milliseconds. Syncs in between read
   * only new rows and the ten minutes before them. Default: a quarter of `lateMs`; 0: each sync.
   */
  readonly lateEveryMs?: number | undefined;
  /**
   * Columns of `snapshots` to fill: names, `positions` for those of a position, or `all`. Only
   * fields that they need are requested. The copy stores the choice. Default: the stored choice,
   * else `['all']`.
   */
  readonly columns?: readonly string[] | undefined;
  /**
   * Deletes snapshots older than this, in milliseconds, and trips and stops that ended before, by
   * whole UTC days. Minimum: one day, and `lateMs`. Default: nothing is deleted.
   */
  readonly keepMs?: number | undefined;
  /** The limit of `trip_speeding`. Default 90 km/h: the contract has no limits of roads. */
  readonly speedLimitKmh?: number | undefined;
  /** Limits parts that are read by vehicle, such as trips. Lists of records are always complete. */
  readonly vehicleIds?: readonly string[] | undefined;
  /** Limits them to the vehicles of these groups and of the groups below. */
  readonly groupIds?: readonly string[] | undefined;
  /**
   * More users of the login, who read trips, stops and snapshots in parallel: a service answers one
   * request of a user at a time. Each reads only vehicles that it sees. The client's user reads
   * everything else, and the others must see the same members of snapshots. Each needs memory for
   * its answers.
   */
  readonly users?: readonly OtherUser[] | undefined;
  /**
   * Continues a copy of another service or user, which is refused otherwise. Records that the
   * present fleet does not have are marked as deleted. Needed once when the service's address
   * changes. Default false.
   */
  readonly adopt?: boolean | undefined;
  /**
   * Marks missing records as deleted, however many they are. Default false: if more than 30 % of a
   * table are missing at once, no record is marked, and the report has a failure of the kind
   * `undeleted`.
   */
  readonly allowDeletions?: boolean | undefined;
  /**
   * Keeps versions of records, with their begin and end, from this sync on. Every later sync of the
   * copy continues the history. Default false.
   */
  readonly history?: boolean | undefined;
  /** Ends the sync. Rows written before stay, and the next sync continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch and when a part is done. An exception ends the sync. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Called when a table has been written. */
  readonly onTable?: ((table: TableReport) => void) | undefined;
  /** Called after a change of a record was written. Not called for trips, stops and snapshots. */
  readonly onChange?: ((change: SyncChange) => void) | undefined;
}

/** A change of a record, with its table and its `synced_at`; null when the copy has no row. */
export type SyncChange = RecordChange<object> & { readonly table: string; readonly changedAt: string | null };

type PassedOption = 'vehicleIds' | 'groupIds' | 'signal' | 'onProgress' | 'onTable' | 'onChange';

export interface SyncPlan extends Required<Pick<SyncOptions, PassedOption>> {
  readonly parts: ReadonlySet<SyncPart>;
  /** In milliseconds since 1970; null if unset. */
  readonly since: number | null;
  readonly until: number | null;
  readonly lateMs: number;
  readonly lateEveryMs: number;
  /** In the form of `columnList`; null if unset. */
  readonly columns: string | null;
  /** Null when nothing is deleted. */
  readonly keepMs: number | null;
  /** Undefined for the default of trips. */
  readonly speedLimitKmh: number | undefined;
  readonly users: readonly OtherUser[];
  readonly adopt: boolean;
  readonly allowDeletions: boolean;
  readonly history: boolean;
}

export const DEFAULT_SINCE_MS = 7 * 86_400_000;

/** Retention is counted in whole days. */
export const MIN_KEEP_MS = 86_400_000;

const checks: Checks<'lateMs' | 'lateEveryMs' | 'keepMs' | 'speedLimitKmh'> = {
  lateMs: numberFrom(MIN_LATE_MS),
  keepMs: numberFrom(MIN_KEEP_MS),
  lateEveryMs: numberFrom(0),
  speedLimitKmh: numberFrom(0),
};
/** Checks per `lateMs`. A check in each sync would be most of its work. */
const LATE_CHECKS = 4;

/** @throws {InvalidInputError} for an invalid option. */
export function planOf(options: SyncOptions): SyncPlan {
  const { lateMs = DEFAULT_LATE_MS, vehicleIds, groupIds, signal, onProgress, onTable, onChange } = options;
  const { lateEveryMs = lateMs / LATE_CHECKS, speedLimitKmh, columns, keepMs } = options;
  const parts = options.parts ?? defaultParts;
  for (const part of parts) {
    if (syncParts.includes(part)) continue;
    const hint = didYouMean(String(part), syncParts) ?? `The parts are ${syncParts.join(', ')}.`;
    throw syncRefusal(`There is no part "${String(part)}". ${hint}`);
  }
  if (parts.length === 0) throw syncRefusal('parts is an empty list, so there is nothing to read.');
  const problem = problemIn({ lateMs, lateEveryMs, keepMs, speedLimitKmh }, checks, 'sync');
  if (problem !== null) throw syncRefusal(`${problem}.`);
  if (keepMs !== undefined && keepMs < lateMs)
    throw syncRefusal(
      'What is kept (keepMs, --keep) is less than lateMs (--late): what arrives late would be deleted at once.',
    );
  if (columns !== undefined && !parts.includes('snapshots'))
    throw syncRefusal(
      'columns (--columns) chooses columns of snapshots, and this sync reads none: add snapshots to parts, or --snapshots.',
    );
  const readsVehicles = vehicleIds !== undefined || groupIds !== undefined || parts.some(needsVehicles);
  const since = timeOf('since', options.since);
  const until = timeOf('until', options.until);
  if (since !== null && until !== null && since >= until) throw syncRefusal('since is not before until.');
  return {
    parts: new Set<SyncPart>(readsVehicles ? ['vehicles', ...parts] : parts),
    since,
    until,
    lateMs,
    lateEveryMs,
    columns: columns === undefined ? null : columnList(columns),
    keepMs: keepMs ?? null,
    speedLimitKmh,
    users: options.users ?? [],
    adopt: options.adopt ?? false,
    allowDeletions: options.allowDeletions ?? false,
    history: options.history ?? false,
    vehicleIds,
    groupIds,
    signal,
    onProgress,
    onTable,
    onChange,
  };
}

export function syncRefusal(message: string): InvalidInputError {
  return refusedInput(message, 'sync', 'read');
}

function timeOf(name: string, time: string | Date | undefined): number | null {
  if (time === undefined) return null;
  try {
    const ms = time instanceof Date ? time.getTime() : toDate(time)?.getTime();
    if (ms !== undefined && !Number.isNaN(ms)) return ms;
  } catch {
    // Reported below, with the name of the option.
  }
  throw syncRefusal(`${name} must be RFC 3339 text with an offset, such as 2026-03-01T00:00:00Z, or a Date.`);
}
