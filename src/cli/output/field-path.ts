// Reads a dotted path such as `lastData.gps.speed`, and formats values as cells of tsv or csv.
import { valueAtPath } from '../../core/json.js';

export function valueAt(row: unknown, path: string): unknown {
  return valueAtPath(row, path.split('.'));
}

/** Returns the exact value, not shortened or rounded. Lists of plain values are joined by `;`. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const plain = value.every((member) => typeof member !== 'object' || member === null);
    return plain ? value.map(cellText).join(';') : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
