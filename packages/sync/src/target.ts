// The interface of databases for a copy. conformance.ts checks those of others.
import type { Cell, Row } from './rows.js';

/** The progress of one vehicle. Times are RFC 3339 in UTC with milliseconds. */
export interface Cursor {
  readonly vehicleId: string;
  readonly kind: 'trips' | 'stops' | 'snapshots';
  /** Begin of the read period. */
  readonly beginsAt: string;
  /** Everything up to it that had arrived at the service is in the copy. */
  readonly readUntil: string;
  /** End of the last check for late rows; null before the first one. */
  readonly checkedUntil: string | null;
}

/** The rows of a vehicle that overlap a period with its ends, in UTC with milliseconds. */
export interface RowPeriod {
  readonly vehicleId: string;
  readonly from: string;
  readonly until: string;
}

/** The values that each column may have. */
export type RowFilter = Readonly<Record<string, readonly Cell[]>>;

/** A change of the copy. */
export type Step =
  /**
   * Inserts rows, in the column order of the table. A row with the same key is replaced; one that
   * is the same in all cells but `synced_at` is left alone.
   */
  | { readonly kind: 'upsert'; readonly table: string; readonly rows: readonly Row[] }
  /** Deletes the rows whose column has one of these values. */
  | { readonly kind: 'delete'; readonly table: string; readonly column: string; readonly values: readonly Cell[] }
  /**
   * Deletes rows that ended before this time, RFC 3339 in UTC, which is the begin of a day: about
   * `limit` of them, the oldest first, or all. It is repeated until no row is left. Rows of parts
   * are deleted with their owners, and a step before them. Only for tables that have a `period`.
   */
  | { readonly kind: 'deleteBefore'; readonly table: string; readonly before: string; readonly limit: number }
  /**
   * Inserts rows as `upsert` does, and deletes the other rows of these periods. A row that stays is
   * never deleted in between, because tables of users may refer to it. Only for tables that have a
   * `period`.
   */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly rows: readonly Row[];
      readonly periods: readonly RowPeriod[];
    }
  /** Inserts rows of parts as `upsert` does, and deletes the other rows of these owners. */
  | {
      readonly kind: 'replaceParts';
      readonly table: string;
      readonly rows: readonly Row[];
      readonly owners: readonly string[];
    }
  /** Sets `deleted_at` of the records with these ids to `at`, and their `synced_at`. */
  | {
      readonly kind: 'markDeleted';
      readonly table: string;
      readonly ids: readonly string[];
      readonly at: string;
      readonly syncedAt: string;
    };

/** The changes of one transaction. */
export interface Batch {
  /** In this order. */
  readonly steps: readonly Step[];
  /** Inserted, or replaced by vehicle and kind. */
  readonly cursors: readonly Cursor[];
}

/** The numbers of rows inserted or changed, and deleted, by a batch. Cursors do not count. */
export interface RowsWritten {
  readonly written: number;
  readonly deleted: number;
}

export const noRows: RowsWritten = { written: 0, deleted: 0 };

export function sumOf(one: RowsWritten, other: RowsWritten): RowsWritten {
  return { written: one.written + other.written, deleted: one.deleted + other.deleted };
}

/** A database that can hold a copy. */
export interface SyncTarget {
  /** Name for messages, without a password. */
  readonly name: string;
  /**
   * Opens the copy for one sync: creates or upgrades its tables, and keeps other syncs away until
   * `close`.
   * @throws {SyncTargetError} when it cannot be used; nothing is changed then.
   */
  open(): Promise<OpenTarget>;
  /**
   * Opens the copy for reading; creates, changes and locks nothing. Returns null without a copy.
   * @throws {SyncTargetError} as `open`.
   */
  look(): Promise<Pick<OpenTarget, 'cursors' | 'read' | 'close'> | null>;
}

/** A copy during a sync. Calls come one after the other. */
export interface OpenTarget {
  cursors(): Promise<readonly Cursor[]>;
  /**
   * Returns columns of all rows, or of those that match `filter`, in key order. Cells are as
   * written; JSON may be formatted differently.
   */
  read(table: string, columns: readonly string[], filter?: RowFilter): Promise<readonly (readonly Cell[])[]>;
  /**
   * Writes the whole batch, or nothing when it rejects or the process ends.
   * @throws {SyncTargetError}
   */
  apply(batch: Batch): Promise<RowsWritten>;
  /**
   * Called once in any case.
   * @throws {SyncTargetError} when the written rows cannot be read in the copy.
   */
  close(): Promise<void>;
}
