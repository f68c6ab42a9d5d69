// Names of fields as people read them, for workbooks: `Distance (km)` for `distanceKm`, and back.

/** The units that names of fields end in, the longest first. Seconds are shown as durations. */
const endings: readonly (readonly [ending: RegExp, unit: string | null])[] = [
  [/Kmh$/, 'km/h'],
  [/Km$/, 'km'],
  [/DistanceM$/, 'm'],
  [/Seconds$/, null],
];

export interface FieldHeading {
  readonly words: string;
  /** Null when the name tells none. */
  readonly unit: string | null;
}

/** A dot stays between the steps of a path, so that the heading still names the field: `Start position.latitude`. */
export function headingOfField(path: string): FieldHeading {
  const found = endings.find(([ending]) => ending.test(path));
  const bare = found === undefined ? path : path.replace(/(Kmh|Km|M|Seconds)$/, '');
  const words = bare
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());
  return { words, unit: found?.[1] ?? null };
}

/** Whether a field holds a duration in seconds. */
export function isDuration(path: string): boolean {
  return /[a-z]Seconds$/.test(path);
}

/** Whether a field holds an id, of the record or of another one. */
export function isIdField(path: string): boolean {
  return path === 'id' || path.endsWith('Id') || path.endsWith('.id');
}

/** Whether a heading, without its zone or unit, is one of this field; words may be written together and with other capitals. */
export function isHeadingOf(words: string, path: string): boolean {
  return spellingOf(words) === spellingOf(path) || spellingOf(words) === spellingOf(headingOfField(path).words);
}

/** A name without what people write in several ways. */
export function spellingOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace('licence', 'license');
}
