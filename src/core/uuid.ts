/** Any version, in upper or lower case. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Returns the requested id for a row with it, in any case, or with no id; null for others. */
export function matchRequestedId(rowId: unknown, requestedId: string): string | null {
  if (typeof rowId !== 'string' || rowId === requestedId) return requestedId;
  return rowId.toLowerCase() === requestedId.toLowerCase() ? requestedId : null;
}
