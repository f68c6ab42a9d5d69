// Reports a sync: its progress while it runs, and its results at the end.
import { type FleetError, ProtocolError } from 'fleet-telematics';
import { readText } from 'fleet-telematics/kit';
import { MAX_DEPTH } from './json.js';
import type { SyncPart } from './parts.js';
import type { RowRemarks } from './rows.js';
import type { Column, Table } from './tables.js';

export interface SyncProgress {
  readonly part: SyncPart;
  /** Rows of this part read so far. */
  readonly rows: number;
  /** From 0 to 1. */
  readonly fraction: number;
  readonly isDone: boolean;
}

/** The result of one table. */
export interface TableReport {
  readonly table: string;
  /** Records or rows in the service's answers. */
  readonly read: number;
  /**
   * New and changed rows. Records count without counters and without rows of their parts, such as
   * groups of vehicles. Trips count with the rows of their parts, such as `trip_segments`.
   */
  readonly written: number;
  /** Numbers of records; null for tables without records, such as trips and snapshots. */
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
}

/**
 * The kind of a failure.
 * - `unread`: a part, or one vehicle of it, could not be read. The next sync reads it.
 * - `unstored`: records or values that no copy can hold, or that cannot be requested. Everything
 *   else of them is in the copy. Each sync reports them, as long as the service returns them.
 * - `undeleted`: records are missing in the answer, which is no proof of their deletion. None was
 *   marked as deleted.
 */
export type SyncFailureKind = 'unread' | 'unstored' | 'undeleted';

/** A part of the fleet that is missing from the copy, or not certain. */
export interface SyncFailure {
  readonly kind: SyncFailureKind;
  readonly part: SyncPart;
  /** The unread vehicle; null otherwise. */
  readonly vehicleId: string | null;
  /** Its message names the records. */
  readonly error: FleetError;
}

/**
 * A notice that is no failure.
 * - `UNREADABLE_VALUES`: values that could not be read. They are in the copy, in the JSON of their
 *   row.
 * - `CURSOR_AHEAD`: cursors of vehicles were in the future. These vehicles were read again.
 * - `CLOCK_BEHIND`: the copy is ahead of the service's clock, so nothing was read of these
 *   vehicles.
 * - `UNTIL_AHEAD`: `until` is in the future; now was the end.
 * - `COLUMNS_CHANGED`: snapshots have other columns from now on than before.
 * - `DEVICE_CLOCK_AHEAD`: the newest snapshots of vehicles are more than five minutes ahead of the
 *   service's clock. They are not in `latest_snapshots`.
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

/** The rows that `keepMs` has deleted. */
export interface SyncDeletions {
  /** RFC 3339. Older snapshots, and trips and stops that ended before, are deleted. */
  readonly before: string;
  /** Rows of trips and of their parts. */
  readonly trips: number;
  readonly stops: number;
  readonly snapshots: number;
}

export interface SyncReport {
  readonly tables: readonly TableReport[];
  readonly failures: readonly SyncFailure[];
  readonly warnings: readonly SyncWarning[];
  /** End of the read period, in RFC 3339. */
  readonly until: string;
  /** Null when `keepMs` is not set. */
  readonly deleted: SyncDeletions | null;
}

interface Listeners {
  readonly onProgress: ((progress: SyncProgress) => void) | undefined;
  readonly onTable: ((table: TableReport) => void) | undefined;
}

/** Reasons why records cannot be stored, as the end of a sentence. */
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

const snapshotParts: ReadonlySet<SyncPart> = new Set(['latest', 'trips', 'stops', 'snapshots']);
const NAMED_IDS = 20;
const NAMED_ID_LENGTH = 60;

/** Collects the results of a sync and emits its progress. */
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

  /** Reports a table without records, of which no changes are counted. */
  doneRows(part: SyncPart, table: string, read: number, written: number): void {
    this.done(part, { table, read, written, added: null, changed: null, removed: null });
  }

  failed(part: SyncPart, vehicleId: string | null, error: FleetError): void {
    this.#failures.push({ kind: 'unread', part, vehicleId, error });
  }

  undeleted(part: SyncPart, message: string): void {
    this.#failures.push({ kind: 'undeleted', part, vehicleId: null, error: new ProtocolError(message) });
  }

  /** `id` names the record, or the vehicle of a snapshot; null when it is missing. */
  unstored(part: SyncPart, reason: UnstoredReason, id: string | null): void {
    const key = `${part} ${reason}`;
    const what = snapshotParts.has(part) ? 'snapshots' : `records of ${part}`;
    const entry = this.#unstored.get(key) ?? { part, what, reason, ids: new Set<string>(), count: 0 };
    this.#unstored.set(key, entry);
    entry.count++;
    if (typeof id === 'string' && entry.ids.size < NAMED_IDS) entry.ids.add(id.slice(0, NAMED_ID_LENGTH));
  }

  /** Returns a listener for values that the rows of a part cannot hold. */
  remarks(part: SyncPart): RowRemarks {
    const idOfRow = (record: object) => readText(Reflect.get(record, 'id') ?? Reflect.get(record, 'vehicleId'));
    return {
      unreadable: (table, column) => {
        const key = `${table.name}.${column.name}`;
        const entry = this.#unreadable.get(key) ?? { table, column, count: 0 };
        this.#unreadable.set(key, entry);
        entry.count++;
      },
      tooDeep: (record) => this.unstored(part, 'tooDeep', idOfRow(record)),
      lostParts: (record) => this.unstored(part, 'lostParts', idOfRow(record)),
    };
  }

  warn(code: SyncWarning['code'], message: string): void {
    this.#warnings.push({ code, message });
  }
}

/** Returns the first ids as text. `count` is the number of records. */
export function namedIds(ids: ReadonlySet<string>, count: number): string {
  const named = [...ids].slice(0, NAMED_IDS);
  return `${named.join(', ')}${count > named.length ? ', …' : ''}`;
}

function unstoredText({ count, what, reason, ids }: Unstored): string {
  const isSnapshots = what === 'snapshots';
  const of = ids.size === 0 ? '' : ` (${isSnapshots ? 'of ' : ''}${namedIds(ids, count)})`;
  return `${count} ${what}${of} ${reasons[reason]}.`;
}

function unreadableText(
  { name, columns, partsOf, countersOf }: Table,
  { name: column, from }: Column,
  count: number,
): string {
  const rows = count === 1 ? `1 row of ${name}` : `${count} rows of ${name}`;
  const jsonColumn = columns.find(({ name: other }) => other === 'rest' || other === 'record')?.name;
  const owner = partsOf?.table ?? countersOf;
  const where = owner === undefined ? `\`${jsonColumn}\`` : `\`record\` of ${owner}`;
  return `Cannot read ${from} for ${column} of ${rows}: the column cannot hold a value of this form. The column is null, and the value is in ${where}. \`fleet schema check\` shows how the service differs from the contract.`;
}
