// The options of a sync: their types, defaults and checks.

import type { InvalidInputError } from 'fleet-telematics';
import { toDate } from 'fleet-telematics';
import { type Checks, didYouMean, numberFrom, problemIn, refusedInput } from 'fleet-telematics/kit';
import type { RecordChange } from './compare-records.js';
import { defaultParts, needsVehicles, type SyncClient, type SyncPart, syncParts } from './parts.js';
import type { SyncProgress, TableReport } from './report.js';
import { columnList } from './snapshot-columns.js';

/** How late snapshots may arrive at the service, for a copy of a fleet; and the least, so that trips that went on are found. */
const DEFAULT_LATE_MS = 2 * 3_600_000;
export const MIN_LATE_MS = 600_000;

/** As `forUser` takes it. */
type OtherUser = Parameters<SyncClient['forUser']>[0];

export interface SyncOptions {
  /**
   * What to keep current. Default: everything but `snapshots`, and `mapped-sensors`, which take a call for each vehicle. The list of vehicles is
   * read too when parts that refer to it are, and when `vehicleIds` or `groupIds` choose among them.
   */
  readonly parts?: readonly SyncPart[] | undefined;
  /**
   * Begin of trips and snapshots for vehicles that the copy does not have yet, as RFC 3339 text or a Date. Default: seven days before
   * `until`. When it is earlier than what the copy has of a vehicle, the vehicle is read again from there.
   */
  readonly since?: string | Date | undefined;
  /** End of trips and snapshots. Default, and the latest: now, by the service's clock. */
  readonly until?: string | Date | undefined;
  /**
   * How late snapshots may arrive at the service, in milliseconds. They are found within `lateEveryMs` after they arrived, and then this time
   * is read again. Default 7200000: two hours; the least is 600000, so that trips that went on are found.
   */
  readonly lateMs?: number | undefined;
  /**
   * How often late snapshots, and rows that the service has withdrawn or changed, are looked for, in milliseconds. A sync before that reads
   * only what has come since the last one, and ten minutes before that. Default: a quarter of `lateMs`; 0: in each sync.
   */
  readonly lateEveryMs?: number | undefined;
  /**
   * Which columns of `snapshots` are filled: their names, `positions` for those of a position, or `all`. The service is asked only for what
   * they need. The copy remembers them for later syncs. Default: what it remembers, else `['all']`.
   */
  readonly columns?: readonly string[] | undefined;
  /**
   * Deletes snapshots that are older than this, in milliseconds, and trips that ended before, by whole days in UTC; at least a day, and
   * `lateMs`. Default: nothing is deleted.
   */
  readonly keepMs?: number | undefined;
  /** The limit of `trip_speeding`. Default 90 km/h: the contract does not know the limits of roads. */
  readonly speedLimitKmh?: number | undefined;
  /** Reads assignments, trips and snapshots of these vehicles only. The lists of records are complete in any case. */
  readonly vehicleIds?: readonly string[] | undefined;
  /** The same for the vehicles that are in one of these groups, or in a group below. */
  readonly groupIds?: readonly string[] | undefined;
  /**
   * More users of the login, who read trips and snapshots beside the user of the client, so that they arrive sooner: a service answers one
   * request of a user at a time. Each reads only vehicles that it sees. Everything else is read by the user of the
   * client, whose fleet the copy is. They must see the same members of a snapshot as that user. Each needs memory for its answers.
   */
  readonly users?: readonly OtherUser[] | undefined;
  /**
   * Goes on with a copy of another service or user, which is refused otherwise: what is in the copy and not in the present fleet is marked
   * as deleted. Needed once when the service gets another address. Default false.
   */
  readonly adopt?: boolean | undefined;
  /**
   * Marks records as deleted however many are missing in the answer of the service. Without it, none of a table is marked when more than 30 %
   * of its records are missing at once; the report then has a failure of the kind `undeleted`. Default false.
   */
  readonly allowDeletions?: boolean | undefined;
  /**
   * Keeps versions of records, with when they began and ended, from this sync on. A copy that keeps history goes on with it in every later
   * sync. Default false.
   */
  readonly history?: boolean | undefined;
  /** Ends the sync; what was written stays, and the next sync goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch, and when a part is done. What it throws ends the sync. */
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Called when a table has been written. */
  readonly onTable?: ((table: TableReport) => void) | undefined;
  /** Called for each record that was added, changed or removed, after it was written. Not called for trips and snapshots. */
  readonly onChange?: ((change: SyncChange) => void) | undefined;
}

/** A change of a record, the table that has it, and `synced_at` of its rows; null when the copy has no row of it. */
export type SyncChange = RecordChange<object> & { readonly table: string; readonly changedAt: string | null };

type PassedOption = 'vehicleIds' | 'groupIds' | 'signal' | 'onProgress' | 'onTable' | 'onChange';

/** The options with their defaults. */
export interface SyncPlan extends Required<Pick<SyncOptions, PassedOption>> {
  readonly parts: ReadonlySet<SyncPart>;
  /** Milliseconds since 1970; null when it was not given. */
  readonly since: number | null;
  readonly until: number | null;
  readonly lateMs: number;
  readonly lateEveryMs: number;
  /** As `columnList` writes them; null when they were not given. */
  readonly columns: string | null;
  /** Null: everything is kept. */
  readonly keepMs: number | null;
  /** Undefined: the default of trips. */
  readonly speedLimitKmh: number | undefined;
  readonly users: readonly OtherUser[];
  readonly adopt: boolean;
  readonly allowDeletions: boolean;
  readonly history: boolean;
}

export const DEFAULT_SINCE_MS = 7 * 86_400_000;

/** What is kept is counted in whole days. */
export const MIN_KEEP_MS = 86_400_000;

const checks: Checks<'lateMs' | 'lateEveryMs' | 'keepMs' | 'speedLimitKmh'> = {
  lateMs: numberFrom(MIN_LATE_MS),
  keepMs: numberFrom(MIN_KEEP_MS),
  lateEveryMs: numberFrom(0),
  speedLimitKmh: numberFrom(0),
};
/** Looking for late snapshots would be most of the work of a sync a minute later. */
const LATE_CHECKS = 4;

/** @throws {InvalidInputError} for an option that cannot be used. */
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
    // Told below, with the name of the option.
  }
  throw syncRefusal(`${name} must be RFC 3339 text with an offset, such as 2026-03-01T00:00:00Z, or a Date.`);
}
