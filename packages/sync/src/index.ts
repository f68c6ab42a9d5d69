/**
 * All that a program imports to keep a copy of a fleet in a database.
 * @module fleet-telematics-sync
 */

export { SyncTargetError, type SyncTargetReason } from 'fleet-telematics/kit';
export { diffRecords, type RecordChange } from './compare-records.js';
export { targetConformance } from './conformance.js';
export { targetSchema } from './ddl.js';
export type { SyncChange, SyncOptions } from './options.js';
export { parquetTarget } from './parquet/parquet-target.js';
export { type SyncClient, type SyncPart, syncParts } from './parts.js';
export { type PostgresTargetOptions, postgresTarget } from './postgres/postgres-target.js';
export type { SyncFailure, SyncProgress, SyncReport, SyncWarning } from './report.js';
export { type SqliteTargetOptions, sqliteTarget } from './sqlite/sqlite-target.js';
export { previewSync, type SyncPreview, syncFleet } from './sync.js';
export { ownTables, syncTables } from './tables.js';
export type { SyncTarget } from './target.js';
