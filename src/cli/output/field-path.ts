// Reads a dotted path such as `lastData.gps.speed` from a row, and writes the value as one cell of tsv or csv.
import { valueAtPath } from '../../core/json.js';

/** The value at a dotted path. */
export function valueAt(row: unknown, path: string): unknown {
  return valueAtPath(row, path.split('.'));
}

/** The exact value, not shortened or rounded. Lists of plain values are joined by `;`. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const plain = value.every((member) => typeof member !== 'object' || member === null);
    return plain ? value.map(cellText).join(';') : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
