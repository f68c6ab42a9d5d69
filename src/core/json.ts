// Reads values of unknown form, as JSON.parse returns them.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the end of a path of names; null where a name is missing. A path through a list gives a list, with the value of each item. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) at = Array.isArray(at) ? at.map((item) => memberOf(item, name)) : memberOf(at, name);
  return at;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  return Reflect.get(value, name);
}

/** Whether two values have the same content; what is missing equals null. What is deeper than `levels` is not compared. */
export function isSameJson(one: unknown, other: unknown, levels = Number.POSITIVE_INFINITY): boolean {
  if (one === other || levels === 0) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index], levels - 1));
  }
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
    isSameJson(one[name], other[name], levels - 1),
  );
}
