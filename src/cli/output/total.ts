// Adds up rows while they are printed, for the total line.
import { isObject } from '../../core/json.js';
import { putAt, valueAt } from './field-path.js';
import type { TotalRule } from './view.js';

/** The aggregation of a field: sum, maximum, or the value if all rows have the same one. */
export type TotalKind = 'sum' | 'max' | 'same';

/** Returns a rule that aggregates fields by dotted path. A single row has no total. */
export function totalOf<Row>(kinds: Readonly<Record<string, TotalKind>>): TotalRule<Row> {
  return {
    fields: Object.keys(kinds),
    isOfAllRows: false,
    begin() {
      const values = new Map<string, unknown>();
      let count = 0;
      return {
        take(row) {
          count++;
          for (const [path, kind] of Object.entries(kinds)) {
            values.set(path, aggregate(values.get(path), valueAt(row, path), kind));
          }
        },
        row() {
          if (count < 2) return null;
          const total: Record<string, unknown> = {};
          for (const [path, value] of values) if (value !== null) putAt(total, path, value);
          // Columns of a total read only the fields that it has.
          return total as Row;
        },
      };
    },
  };
}

/** Aggregates two numbers, or two records of numbers; ignores other values. */
function aggregate(a: unknown, b: unknown, kind: TotalKind): unknown {
  // A common value stays; different values become an empty text.
  if (kind === 'same') return a === b || (b ?? null) === null ? (a ?? null) : (a ?? null) === null ? b : '';
  if (isObject(a) || isObject(b)) {
    const [one, other] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries([...keys].map((key) => [key, aggregate(one[key], other[key], kind)]));
  }
  const numbers = [a, b].filter((value) => typeof value === 'number');
  const [first, second] = numbers;
  if (first === undefined) return null;
  if (second === undefined) return first;
  // Twelve digits are more than any device measures, and remove the noise of binary fractions.
  return kind === 'max' ? Math.max(first, second) : Number((first + second).toPrecision(12));
}
