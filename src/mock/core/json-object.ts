// Tells JSON objects from lists, null and other values.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key that somebody else chose, short enough for an error message. */
export const quotedKey = (key: string): string => JSON.stringify(key.slice(0, 80));
