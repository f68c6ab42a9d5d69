// JSON that every database accepts: no NUL characters, no lone surrogates, limited depth.

/**
 * Maximum depth of a value. Databases and JavaScript parse JSON with a stack. PostgreSQL refuses
 * some thousand levels, and some hundred with its smallest setting. Fleet data is never that deep.
 */
export const MAX_DEPTH = 500;

export function isWithinDepth(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const name in value) {
    // Parsed JSON has own members only, and no other loop is as fast.
    if (!isWithinDepth((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return false;
  }
  return true;
}

/** Returns the value with null for everything that is too deep. */
export function withinDepth(value: unknown, levels = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => withinDepth(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withinDepth(item, levels - 1)]));
}

/** Replaces NUL characters and lone surrogates, which JSON may have and databases refuse. */
export function storableText(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '\ufffd');
}

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly no text has an escape.
  return text.includes('\\u') && /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text;
}

/** Returns the record as a database returns it, and whether it is complete. */
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
