// What a sync tells: its progress while it runs, and a report at its end.
import { type FleetError, ProtocolError } from 'fleet-telematics';
import { readText } from 'fleet-telematics/kit';
import { MAX_DEPTH } from './json.js';
import type { SyncPart } from './parts.js';
import type { RowRemarks } from './rows.js';
import type { Column, Table } from './tables.js';

export interface SyncProgress {
  readonly part: SyncPart;
  /** Rows of this part that have been read so far. */
  readonly rows: number;
  /** How much of the part has been read, from 0 to 1. */
  readonly fraction: number;
  readonly isDone: boolean;
}

/** What was done to one table. */
export interface TableReport {
  readonly table: string;
  /** Records or rows that the service answered. */
  readonly read: number;
  /**
   * Rows that are new or have changed. Of records without the rows of their parts, such as groups of vehicles, and of counters; of trips with
   * the rows of their parts, such as `trip_segments`.
   */
  readonly written: number;
  /** Only of records: how many were new, changed, gone. Null for trips and snapshots. */
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
}

/**
 * - `unread`: a part, or one vehicle of it, could not be read. The next sync reads it.
 * - `unstored`: records or values that no copy can hold, or that cannot be asked for. Everything else of them is in the copy. Each sync tells
 *   it, as long as the service answers them.
 * - `undeleted`: records are not in the answer, but it is no proof that they are gone. None of them was marked as deleted.
 */
export type SyncFailureKind = 'unread' | 'unstored' | 'undeleted';

/** Something of the fleet that is missing from the copy, or not certain. */
export interface SyncFailure {
  readonly kind: SyncFailureKind;
  readonly part: SyncPart;
  /** The vehicle that could not be read; null otherwise. */
  readonly vehicleId: string | null;
  /** It says what happened, and names the records. */
  readonly error: FleetError;
}

/**
 * Something to know that is no failure.
 * - `UNREADABLE_VALUES`: values that could not be read. They are in the copy, in the JSON of their row.
 * - `CURSOR_AHEAD`: the copy said that vehicles had been read up to a time that has not come yet. They were read again.
 * - `CLOCK_BEHIND`: the copy is ahead of the service's clock, so nothing was read of these vehicles.
 * - `UNTIL_AHEAD`: `until` has not come yet; now was the end.
 * - `COLUMNS_CHANGED`: snapshots have other columns from now on than before.
 * - `DEVICE_CLOCK_AHEAD`: the newest snapshots of vehicles are more than five minutes ahead of the service's clock. They are not in
 *   `latest_snapshots`.
 */
export interface SyncWarning {
  readonly code:
    | 'UNREADABLE_VALUES'
    | 'CURSOR_AHEAD'
    | 'CLOCK_BEHIND'
    | 'UNTIL_AHEAD'
    | 'COLUMNS_CHANGED'
    | 'DEVICE_CLOCK_AHEAD';
  readonly message: string;
}

/** What `keepMs` has deleted. */
export interface SyncDeletions {
  /** RFC 3339. Snapshots from before it are gone, and trips and stops that ended before it. */
  readonly before: string;
  /** Rows of trips and of the tables of their parts. */
  readonly trips: number;
  readonly stops: number;
  readonly snapshots: number;
}

export interface SyncReport {
  readonly tables: readonly TableReport[];
  readonly failures: readonly SyncFailure[];
  readonly warnings: readonly SyncWarning[];
  /** The end of what was read, as RFC 3339 text. */
  readonly until: string;
  /** Null when everything is kept. */
  readonly deleted: SyncDeletions | null;
}

interface Listeners {
  readonly onProgress: ((progress: SyncProgress) => void) | undefined;
  readonly onTable: ((table: TableReport) => void) | undefined;
}

/** Why something cannot be stored, as the end of a sentence about several records. */
const reasons = {
  noId: 'have no id, or one that is too long: they are not in the copy',
  sameId: 'came with the id of another one and other values: the last one is in the copy',
  tooDeep: `hold a value that is nested more than ${MAX_DEPTH} levels deep: what is deeper is not in the copy`,
  lostParts:
    'have items in a list, such as custom fields, whose name or id is missing, too long or there twice: these are only in the column `record`',
  noUuid: 'have an id that is no UUID: what is read by vehicle cannot be asked for',
  noTime: 'have no time that can be read: they are not in the copy',
  noVehicle: 'name no vehicle that was asked for: they are not in the copy',
} as const;

export type UnstoredReason = keyof typeof reasons;

interface Unstored {
  readonly part: SyncPart;
  readonly what: string;
  readonly reason: UnstoredReason;
  readonly ids: Set<string>;
  count: number;
}

/** What is read from snapshots. */
const isOfSnapshots: ReadonlySet<SyncPart> = new Set(['latest', 'trips', 'stops', 'snapshots']);
/** Ids that a message names. */
const NAMED_IDS = 20;
const NAMED_ID_LENGTH = 60;

/** Collects what a sync tells. */
export class ReportWriter {
  readonly tables: TableReport[] = [];
  readonly #failures: SyncFailure[] = [];
  readonly #unstored = new Map<string, Unstored>();
  readonly #unreadable = new Map<string, { readonly table: Table; readonly column: Column; count: number }>();
  readonly #warnings: SyncWarning[] = [];
  readonly #onProgress: ((progress: SyncProgress) => void) | undefined;
  readonly #onTable: ((table: TableReport) => void) | undefined;

  constructor({ onProgress, onTable }: Listeners) {
    this.#onProgress = onProgress;
    this.#onTable = onTable;
  }

  get failures(): readonly SyncFailure[] {
    const unstored = [...this.#unstored.values()].map((one): SyncFailure => {
      const { part } = one;
      return { kind: 'unstored', part, vehicleId: null, error: new ProtocolError(unstoredText(one)) };
    });
    return [...this.#failures, ...unstored];
  }

  get warnings(): readonly SyncWarning[] {
    const unreadable = [...this.#unreadable.values()].map(
      ({ table, column, count }): SyncWarning => ({
        code: 'UNREADABLE_VALUES',
        message: unreadableText(table, column, count),
      }),
    );
    return [...this.#warnings, ...unreadable];
  }

  progress(part: SyncPart, rows: number, fraction: number): void {
    this.#onProgress?.({ part, rows, fraction, isDone: false });
  }

  done(part: SyncPart, report: TableReport): void {
    this.tables.push(report);
    this.#onProgress?.({ part, rows: report.read, fraction: 1, isDone: true });
    this.#onTable?.(report);
  }

  failed(part: SyncPart, vehicleId: string | null, error: FleetError): void {
    this.#failures.push({ kind: 'unread', part, vehicleId, error });
  }

  undeleted(part: SyncPart, message: string): void {
    this.#failures.push({ kind: 'undeleted', part, vehicleId: null, error: new ProtocolError(message) });
  }

  /** `id` names the record, or the vehicle of a snapshot; null when there is none. */
  unstored(part: SyncPart, reason: UnstoredReason, id: string | null): void {
    const key = `${part} ${reason}`;
    const what = isOfSnapshots.has(part) ? 'snapshots' : `records of ${part}`;
    const known = this.#unstored.get(key) ?? { part, what, reason, ids: new Set<string>(), count: 0 };
    this.#unstored.set(key, known);
    known.count++;
    if (typeof id === 'string' && known.ids.size < NAMED_IDS) known.ids.add(id.slice(0, NAMED_ID_LENGTH));
  }

  /** Takes what could not be taken into the rows of a part. */
  remarks(part: SyncPart): RowRemarks {
    const idOfRow = (record: object) => readText(Reflect.get(record, 'id') ?? Reflect.get(record, 'vehicleId'));
    return {
      unreadable: (table, column) => {
        const key = `${table.name}.${column.name}`;
        const known = this.#unreadable.get(key) ?? { table, column, count: 0 };
        this.#unreadable.set(key, known);
        known.count++;
      },
      tooDeep: (record) => this.unstored(part, 'tooDeep', idOfRow(record)),
      lostParts: (record) => this.unstored(part, 'lostParts', idOfRow(record)),
    };
  }

  warn(code: SyncWarning['code'], message: string): void {
    this.#warnings.push({ code, message });
  }
}

/** Names the first ids of so many records. */
export function namedIds(ids: ReadonlySet<string>, count: number): string {
  const named = [...ids].slice(0, NAMED_IDS);
  return `${named.join(', ')}${count > named.length ? ', …' : ''}`;
}

function unstoredText({ count, what, reason, ids }: Unstored): string {
  const isOfVehicles = what === 'snapshots';
  const of = ids.size === 0 ? '' : ` (${isOfVehicles ? 'of ' : ''}${namedIds(ids, count)})`;
  return `${count} ${what}${of} ${reasons[reason]}.`;
}

function unreadableText(
  { name, columns, partsOf, countersOf }: Table,
  { name: column, from }: Column,
  count: number,
): string {
  const rows = count === 1 ? `1 row of ${name}` : `${count} rows of ${name}`;
  const kept = columns.find(({ name: other }) => other === 'rest' || other === 'record')?.name;
  const owner = partsOf?.table ?? countersOf;
  const where = owner === undefined ? `\`${kept}\`` : `\`record\` of ${owner}`;
  return `Cannot read ${from} for ${column} of ${rows}: its form is one that the column cannot take. The column is null, and the value is in ${where}. \`fleet schema check\` shows how the service differs from the contract.`;
}
