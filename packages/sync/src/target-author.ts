/**
 * The types of a target of one's own. What a target does is checked by `targetConformance`.
 * @module fleet-telematics-sync/target
 */

export type { ConformanceCheck } from './conformance.js';
export type { Cell, Row } from './rows.js';
export type { Column, ColumnType, Table } from './tables.js';
export type { Batch, Cursor, OpenTarget, RowFilter, RowPeriod, RowsWritten, Step } from './target.js';
