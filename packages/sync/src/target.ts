// What a sync needs of a database. sqliteTarget and postgresTarget are two; conformance.ts checks others.
import type { Cell, Row } from './rows.js';

/** How far one vehicle has been read. Times are RFC 3339 in UTC with milliseconds. */
export interface Cursor {
  readonly vehicleId: string;
  readonly kind: 'trips' | 'stops' | 'snapshots';
  /** Begin of what has been read. */
  readonly beginsAt: string;
  /** Everything up to this time is in the copy, as far as it had arrived at the service. */
  readonly readUntil: string;
  /** Up to when rows that arrive late were looked for the last time; null when they were not yet. */
  readonly checkedUntil: string | null;
}

/** The rows of one vehicle that overlap a time with both its ends. RFC 3339 in UTC with milliseconds. */
export interface RowPeriod {
  readonly vehicleId: string;
  readonly from: string;
  readonly until: string;
}

/** Only rows whose columns each have one of these values. */
export type RowFilter = Readonly<Record<string, readonly Cell[]>>;

/** One change of the copy. */
export type Step =
  /**
   * Inserts rows; a row with the same key is replaced, and one that is the same in all cells but `synced_at` is left alone. Cells are in the
   * order of the table's columns.
   */
  | { readonly kind: 'upsert'; readonly table: string; readonly rows: readonly Row[] }
  /** Deletes the rows whose column has one of these values. */
  | { readonly kind: 'delete'; readonly table: string; readonly column: string; readonly values: readonly Cell[] }
  /**
   * Deletes rows that ended before this time, RFC 3339 in UTC, which is the begin of a day: about `limit` of them, the oldest first, or all. It
   * is repeated until none is left. Rows of parts are deleted together with those that they are parts of, and a step before them. Only for
   * tables that have a `period`.
   */
  | { readonly kind: 'deleteBefore'; readonly table: string; readonly before: string; readonly limit: number }
  /**
   * Inserts rows as `upsert` does, and deletes the other rows of these periods, so that a period holds what `rows` have in it. A row that stays
   * is never deleted in between: tables of the user's may refer to it. Only for tables that have a `period`.
   */
  | {
      readonly kind: 'replace';
      readonly table: string;
      readonly rows: readonly Row[];
      readonly periods: readonly RowPeriod[];
    }
  /** Inserts rows of a table of parts as `upsert` does, and deletes the other rows of these owners. */
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

/** What is written together. */
export interface Batch {
  /** In this order. */
  readonly steps: readonly Step[];
  /** Inserted, or replaced by vehicle and kind. */
  readonly cursors: readonly Cursor[];
}

/** What a batch has done: rows that were inserted or changed, and rows that were deleted. Cursors do not count. */
export interface RowsWritten {
  readonly written: number;
  readonly deleted: number;
}

/** A database that can hold a copy. */
export interface SyncTarget {
  /** What messages call it. It holds no password. */
  readonly name: string;
  /**
   * Opens the copy for one sync: makes or upgrades its tables, and keeps any other sync away until `close`.
   * @throws {SyncTargetError} when it cannot be used; nothing is changed then.
   */
  open(): Promise<OpenTarget>;
  /** Opens it to read, and creates, changes and locks nothing. Null when there is no copy yet. @throws {SyncTargetError} as `open`. */
  look(): Promise<Pick<OpenTarget, 'cursors' | 'read' | 'close'> | null>;
}

/** A copy while a sync works on it. Calls come one after the other. */
export interface OpenTarget {
  cursors(): Promise<readonly Cursor[]>;
  /**
   * These columns of all rows of a table, or of those that `filter` wants, ordered by its key, as they were written; JSON may be formatted
   * differently.
   */
  read(table: string, columns: readonly string[], filter?: RowFilter): Promise<readonly (readonly Cell[])[]>;
  /** Writes the whole batch, or nothing of it when it rejects or the process ends. @throws {SyncTargetError} */
  apply(batch: Batch): Promise<RowsWritten>;
  /** Called once, whatever was before. @throws {SyncTargetError} when what was written cannot be read in the copy. */
  close(): Promise<void>;
}
