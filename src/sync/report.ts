// What a sync tells: its progress while it runs, and a report at its end.
import type { FleetError } from '../core/errors.js';
import type { SyncPart } from './parts.js';

export interface SyncProgress {
  readonly part: SyncPart;
  /** Rows of this part that have been written so far. */
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
  /** Rows that were inserted or replaced; rows of parts, such as groups of vehicles, not counted. */
  readonly written: number;
  /** Only of records: how many were new, changed, gone. Null for trips and snapshots. */
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
}

/** A part, or one vehicle of it, that could not be read. The next sync reads it. */
export interface SyncFailure {
  readonly part: SyncPart;
  /** Null when the whole part failed. */
  readonly vehicleId: string | null;
  readonly error: FleetError;
}

export interface SyncReport {
  readonly tables: readonly TableReport[];
  readonly failures: readonly SyncFailure[];
  /** The end of what was read, as RFC 3339 text. */
  readonly until: string;
}

interface Listeners {
  readonly onProgress: ((progress: SyncProgress) => void) | undefined;
  readonly onTable: ((table: TableReport) => void) | undefined;
}

/** Collects what a sync tells. */
export class Teller {
  readonly tables: TableReport[] = [];
  readonly failures: SyncFailure[] = [];
  readonly #onProgress: ((progress: SyncProgress) => void) | undefined;
  readonly #onTable: ((table: TableReport) => void) | undefined;

  constructor({ onProgress, onTable }: Listeners) {
    this.#onProgress = onProgress;
    this.#onTable = onTable;
  }

  progress(part: SyncPart, rows: number, fraction: number): void {
    this.#onProgress?.({ part, rows, fraction, isDone: false });
  }

  done(part: SyncPart, report: TableReport): void {
    this.tables.push(report);
    this.#onProgress?.({ part, rows: report.written, fraction: 1, isDone: true });
    this.#onTable?.(report);
  }

  failed(part: SyncPart, vehicleId: string | null, error: FleetError): void {
    this.failures.push({ part, vehicleId, error });
  }
}
