// Converts field names to headings for workbooks, such as `Distance (km)`, and back.

/** Units at the end of field names, the longest first. Seconds are shown as durations. */
const endings: readonly (readonly [ending: RegExp, unit: string | null])[] = [
  [/Per100Km$/, 'per 100 km'],
  [/Kmh$/, 'km/h'],
  [/Km$/, 'km'],
  [/DistanceM$/, 'm'],
  [/Seconds$/, null],
];

interface FieldHeading {
  readonly words: string;
  /** Null when the name has no unit. */
  readonly unit: string | null;
}

/** Returns the heading of a field. Dots of a path stay: `Start position.latitude`. */
export function headingOfField(path: string): FieldHeading {
  const found = endings.find(([ending]) => ending.test(path));
  const bare = found === undefined ? path : path.replace(/(Per100Km|Kmh|Km|M|Seconds)$/, '');
  const words = bare
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());
  return { words, unit: found?.[1] ?? null };
}

export function isDuration(path: string): boolean {
  return /[a-z]Seconds$/.test(path);
}

export function isIdField(path: string): boolean {
  return path === 'id' || path.endsWith('Id') || path.endsWith('.id');
}

/** Returns true when a heading, without zone or unit, names the field. */
export function isHeadingOf(words: string, path: string): boolean {
  return (
    normalizeName(words) === normalizeName(path) || normalizeName(words) === normalizeName(headingOfField(path).words)
  );
}

/** Returns a name without case, spaces, dashes and spelling variants. */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace('licence', 'license');
}
