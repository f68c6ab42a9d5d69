/** Any version, in upper or lower case. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/**
 * Returns `requestedId` for a row without an id, or with this id in any letter case; otherwise
 * null.
 */
export function matchRequestedId(rowId: unknown, requestedId: string): string | null {
  if (typeof rowId !== 'string' || rowId === requestedId) return requestedId;
  return rowId.toLowerCase() === requestedId.toLowerCase() ? requestedId : null;
}
