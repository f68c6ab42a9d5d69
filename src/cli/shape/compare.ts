// The order of values as people expect it: numbers and times by size, text by its letters with digits in it by size ("Truck 2"
// before "Truck 10"), and what is not set last.

let collator: Intl.Collator | null = null;

/** Made when the first texts are compared: it takes as long as the rest of a command's start. */
function letters(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator;
}

/** Negative when `a` comes first. */
export function compareValues(a: unknown, b: unknown): number {
  const [first, second] = [sizeOf(a), sizeOf(b)];
  if (first !== null && second !== null) return first - second;
  return letters().compare(textOf(a), textOf(b)) || (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0);
}

/** As compareValues, with what is not set behind everything, whichever way the rest is ordered. */
export function compareForSort(a: unknown, b: unknown, descending: boolean): number {
  const [emptyA, emptyB] = [isEmpty(a), isEmpty(b)];
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  return descending ? compareValues(b, a) : compareValues(a, b);
}

const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

export function isTime(value: unknown): boolean {
  return typeof value === 'string' && time.test(value);
}

/** A number, or the moment of a time as text; null for what is neither. */
export function sizeOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const size = time.test(value) ? Date.parse(value) : Number(value);
  return Number.isNaN(size) ? null : size;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
