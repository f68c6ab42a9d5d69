// Reads a dotted path such as `lastData.gps.speed` from a row, and writes the value as one cell of tsv or csv.

/** The value at a dotted path. A path through a list gives a list, with the value of each member. */
export function valueAt(row: unknown, path: string): unknown {
  let value = row;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = value.map((member) => memberOf(member, name));
    else value = memberOf(value, name);
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  return Reflect.get(value, name);
}

/** The exact value, not shortened or rounded. Lists of plain values are joined by `;`. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    const plain = value.every((member) => typeof member !== 'object' || member === null);
    return plain ? value.map(cellText).join(';') : JSON.stringify(value);
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
