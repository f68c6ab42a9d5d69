// The ids of the service: which texts it accepts, and which name the same record.

/** Any version, in upper or lower case. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The id that was asked for, when a row names it, in any case, or names none; null when the row is of another record. */
export function askedId(named: unknown, asked: string): string | null {
  if (typeof named !== 'string' || named === asked) return asked;
  return named.toLowerCase() === asked.toLowerCase() ? asked : null;
}
