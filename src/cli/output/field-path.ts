// Reads a dotted path such as `lastData.gps.speed`, and formats values as cells of tsv or csv.
import { isObject, valueAtPath } from '../../core/json.js';

export function valueAt(row: unknown, path: string): unknown {
  return valueAtPath(row, path.split('.'));
}

/** Sets the value at a path. Objects on the way are copied, not changed. */
export function putAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const below = target[first];
  const nested: Record<string, unknown> = isObject(below) ? { ...below } : {};
  putAt(nested, rest.join('.'), value);
  target[first] = nested;
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
