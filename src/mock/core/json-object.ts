// JSON objects, as opposed to lists and null, and their keys.

export type PlainObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Quotes a client's key, shortened for an error message. */
export const quotedKey = (key: string): string => JSON.stringify(key.slice(0, 80));
