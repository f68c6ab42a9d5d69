// JSON that every database accepts: without the character NUL, without halves of characters, and not nested too deeply.

/**
 * The most levels of a value. Databases and JavaScript read JSON with a stack: PostgreSQL refuses some thousand levels, with its smallest
 * setting some hundred. What is deeper is no data of a fleet.
 */
export const MAX_DEPTH = 500;

export function isWithinDepth(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const name in value) {
    // An object or a list of JSON has its own members only, and no other loop is as fast.
    if (!isWithinDepth((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return false;
  }
  return true;
}

/** The same value; what is deeper is null. */
export function withinDepth(value: unknown, levels = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => withinDepth(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withinDepth(item, levels - 1)]));
}

/** Databases refuse the character NUL and halves of characters, which JSON may hold. */
export function storableText(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '\ufffd');
}

/** The text of a value that is within the depth. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly every text has no escape at all.
  return text.includes('\\u') && /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text;
}

/** The record as a database gives it back, and whether all of it is there. */
export function asStored(record: object): { readonly record: object; readonly isWhole: boolean } {
  const isWhole = isWithinDepth(record);
  // JSON.parse returns an object for the text of an object.
  return { record: JSON.parse(jsonText(isWhole ? record : withinDepth(record))) as object, isWhole };
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(storable);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]));
}
