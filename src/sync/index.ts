// The entry fleet-telematics/sync: all that a program imports to keep a copy of a fleet in a database.

export {
  type AddedRecord,
  type ChangedRecord,
  changes,
  type FieldChange,
  type RecordChange,
  type RemovedRecord,
} from './compare-records.js';
export { type ConformanceCheck, conformance } from './conformance.js';
export { type Dialect, schemaOf } from './ddl.js';
export type { SyncChange, SyncOptions } from './options.js';
export { type SyncClient, type SyncPart, syncParts } from './parts.js';
export { postgresTarget } from './postgres/postgres-target.js';
export type { SyncFailure, SyncFailureKind, SyncProgress, SyncReport, SyncWarning, TableReport } from './report.js';
export type { Cell, Row } from './rows.js';
export { type SqliteTargetOptions, sqliteTarget } from './sqlite/sqlite-target.js';
export { previewSync, type SyncPreview, sync } from './sync.js';
export { type Column, type ColumnType, type Table, tables } from './tables.js';
export {
  type Batch,
  type Cursor,
  type OpenTarget,
  type RowFilter,
  type RowPeriod,
  type Step,
  type SyncTarget,
  SyncTargetError,
  type SyncTargetErrorCode,
} from './target.js';
