// The output formats: what each one is good for, and how to load it. Commands ask for these traits, never for a format by its name.
import type { Format, Output } from './format.js';
import type { MapFormat } from './view.js';

export interface FormatTraits {
  /** Composed, shortened text with remarks beside it. The other formats carry the exact values, for programs. */
  readonly forPeople: boolean;
  /** Carries nested values as they are, so the whole record is requested. The other formats print the fields of the view. */
  readonly wholeValues: boolean;
  /** Every row is complete by itself, so output without an end can be printed, as with --watch. */
  readonly streamable: boolean;
  /** For JSON formats, the indentation of a value; null for the others. With JSON output, errors are JSON too. */
  readonly jsonIndent: number | null;
  /** Prints map features, so only views with a `map` can be printed. */
  readonly map: MapFormat | null;
  /** Bytes, which no terminal can show. */
  readonly binary: boolean;
  /** Prints bars, so only views with a `chart` can be printed. */
  readonly chart: boolean;
  /** The text fits the terminal and can be drawn again in place. */
  readonly redrawable: boolean;
  /** The endings of files in this format. */
  readonly endings: readonly string[];
  readonly load: () => Promise<Format<Output>>;
}

const plain = {
  forPeople: false,
  wholeValues: false,
  streamable: false,
  jsonIndent: null,
  map: null,
  binary: false,
  chart: false,
  redrawable: false,
};

const formats = {
  table: {
    ...plain,
    forPeople: true,
    redrawable: true,
    endings: ['txt'],
    load: async () => (await import('./table.js')).table,
  },
  tsv: { ...plain, streamable: true, endings: ['tsv'], load: async () => (await import('./tsv.js')).tsv },
  json: {
    ...plain,
    wholeValues: true,
    jsonIndent: 2,
    endings: ['json'],
    load: async () => (await import('./json.js')).json,
  },
  ndjson: {
    ...plain,
    wholeValues: true,
    streamable: true,
    jsonIndent: 0,
    endings: ['ndjson', 'jsonl'],
    load: async () => (await import('./ndjson.js')).ndjson,
  },
  csv: { ...plain, streamable: true, endings: ['csv'], load: async () => (await import('./csv.js')).csv },
  xlsx: { ...plain, binary: true, endings: ['xlsx'], load: async () => (await import('./xlsx.js')).xlsx },
  html: { ...plain, forPeople: true, endings: ['html', 'htm'], load: async () => (await import('./html.js')).html },
  chart: { ...plain, forPeople: true, chart: true, endings: [], load: async () => (await import('./chart.js')).chart },
  yaml: { ...plain, wholeValues: true, endings: ['yaml', 'yml'], load: async () => (await import('./yaml.js')).yaml },
  geojson: { ...plain, map: 'geojson', endings: ['geojson'], load: async () => (await import('./maps.js')).geojson },
  gpx: { ...plain, map: 'gpx', endings: ['gpx'], load: async () => (await import('./maps.js')).gpx },
  kml: { ...plain, map: 'kml', endings: ['kml'], load: async () => (await import('./maps.js')).kml },
} as const satisfies Readonly<Record<string, FormatTraits>>;

export type FormatName = keyof typeof formats;

/** In the order of the help text. */
export const formatNames = Object.keys(formats).filter(isFormatName);

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

export function traitsOf(name: FormatName): FormatTraits {
  return formats[name];
}

/** The format that the ending of a file's name tells; null for other endings. */
export function formatOfFileName(file: string): FormatName | null {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return formatNames.find((name) => traitsOf(name).endings.includes(ending)) ?? null;
}

/** One document for all rows, such as a JSON array: it can carry a whole answer that is more than its rows. */
export function isDocument({ wholeValues, streamable }: FormatTraits): boolean {
  return wholeValues && !streamable;
}
