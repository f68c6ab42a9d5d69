// Orders values for people: numbers and times by size, text with natural numbers ("Truck 2" before
// "Truck 10"), missing values last.
import { timestampMs } from '../../telemetry/timestamps.js';

let collator: Intl.Collator | null = null;

/** Created on first use, because creating it takes as long as the rest of the start. */
function textCollator(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator;
}

/** Returns a negative number when `a` comes first. */
export function compareValues(a: unknown, b: unknown): number {
  const [first, second] = [comparableSize(a), comparableSize(b)];
  if (first !== null && second !== null) return first - second;
  return (
    textCollator().compare(comparableText(a), comparableText(b)) ||
    (comparableText(a) < comparableText(b) ? -1 : comparableText(a) > comparableText(b) ? 1 : 0)
  );
}

/** Like compareValues, but missing values come last in both directions. */
export function compareForSort(a: unknown, b: unknown, descending: boolean): number {
  const [emptyA, emptyB] = [isEmpty(a), isEmpty(b)];
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  return descending ? compareValues(b, a) : compareValues(a, b);
}

/** Other texts are not parsed as times: each failure costs an error. */
const beginOfTime = /^\s*\d{4}-\d{2}-\d{2}/;

/** Returns null for a text that is no time. Numbers are times only in a field of times. */
function timeOf(text: string): number | null {
  return beginOfTime.test(text) ? timestampMs(text) : null;
}

/** Returns the time of a value in a field of times; null for an invalid one. */
export function momentIn(value: unknown): number | null {
  return typeof value === 'string' || typeof value === 'number' ? timestampMs(value) : null;
}

export function isTime(value: unknown): boolean {
  return typeof value === 'string' && timeOf(value) !== null;
}

/** Returns the size of a number or of a time; null for other values. */
export function comparableSize(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const size = Number(value);
  return Number.isNaN(size) ? timeOf(value) : size;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

export function comparableText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
