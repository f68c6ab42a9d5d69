/**
 * Types for a target of your own, which `targetConformance` checks.
 * @module fleet-telematics-sync/target
 */

export type { ConformanceCheck } from './conformance.js';
export type { Cell, Row } from './rows.js';
export type { Column, ColumnType, Table } from './tables.js';
export type { Batch, Cursor, OpenTarget, RowFilter, RowPeriod, RowsWritten, Step } from './target.js';
