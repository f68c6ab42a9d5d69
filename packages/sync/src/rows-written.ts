// Adds up the row counts of batches.
import type { RowsWritten } from './target.js';

export const noRows: RowsWritten = { written: 0, deleted: 0 };

export function sumOf(one: RowsWritten, other: RowsWritten): RowsWritten {
  return { written: one.written + other.written, deleted: one.deleted + other.deleted };
}
