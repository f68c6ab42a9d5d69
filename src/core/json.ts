// Reads JSON, and values of unknown form as JSON.parse returns them.

/** Digits that may be a whole number that is too large. Written out, because engines search for that many times faster. */
const MAY_BE_LARGE = /[^.0-9]\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d*[,}\]\s]/;
/** A string, or a whole number of so many digits. */
const STRING_OR_LARGE = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

/**
 * As JSON.parse; but a whole number that a JavaScript number cannot hold exactly (beyond 2^53) becomes its text. Node 20 has no other way to
 * see the digits. Nearly every text is only searched for so many digits, which takes a tenth of the time of parsing.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(MAY_BE_LARGE.test(text) ? text.replace(STRING_OR_LARGE, exactText) : text);
}

function exactText(found: string): string {
  return found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, or those of a list; empty texts are left out. */
export function textsIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = [value].flat();
  return all.filter((text): text is string => typeof text === 'string' && text !== '');
}

/** Returns true for `data` of a GraphQL answer without the value of any root field. */
export function isEmptyData(data: unknown): boolean {
  return !isObject(data) || Object.values(data).every((value) => value === null);
}

/**
 * The value at the end of a path of names; null where a name is missing. A number names an item of a list. Otherwise a path through a list
 * gives a list, with the value of each item.
 */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    at = Array.isArray(at) && !/^\d+$/.test(name) ? at.map((item) => memberOf(item, name)) : memberOf(at, name);
  }
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
