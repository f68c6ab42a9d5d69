// Parses and applies `--sort name` or `--sort -lastOdometer,name`; a dash or `:desc` is descending.
import { valueAt } from '../output/field-path.js';
import { compareForSort } from './compare.js';
import { splitNames } from './fields.js';

export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

export function parseSort(text: string): readonly SortKey[] {
  return splitNames(text, '--sort').map((name) => {
    const descending = name.startsWith('-') || name.endsWith(':desc');
    return { path: name.replace(/^[-+]/, '').replace(/:(asc|desc)$/, ''), descending };
  });
}

/** Returns sorted rows. Rows with equal keys keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  keys: readonly SortKey[],
  readValue: (row: Row, path: string) => unknown = valueAt,
): readonly Row[] {
  return [...rows].sort((a, b) => {
    for (const { path, descending } of keys) {
      const order = compareForSort(readValue(a, path), readValue(b, path), descending);
      if (order !== 0) return order;
    }
    return 0;
  });
}
