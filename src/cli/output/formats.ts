// The output formats and their traits. Commands ask for traits, never for a format by its name.
import type { Format, Output } from './format.js';
import type { MapFormat } from './view.js';

export interface FormatTraits {
  /** Shortened text for people; other formats print exact values. */
  readonly forPeople: boolean;
  /** Prints nested values of the whole record; others print view fields. */
  readonly wholeValues: boolean;
  /** Each row is complete, so endless output such as --watch can be printed. */
  readonly streamable: boolean;
  /** Indentation of JSON; null for other formats. With JSON output, errors are JSON too. */
  readonly jsonIndent: number | null;
  /** Prints map features, so the view needs a `map`. */
  readonly map: MapFormat | null;
  /** Bytes that no terminal can show. */
  readonly binary: boolean;
  /** Prints bars, so the view needs a `chart`. */
  readonly chart: boolean;
  /** The text fits the terminal and can be redrawn in place. */
  readonly redrawable: boolean;
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

export const formatNames = Object.keys(formats).filter(isFormatName);

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

export function traitsOf(name: FormatName): FormatTraits {
  return formats[name];
}

/** Returns the format for the extension of a file name; null for other extensions. */
export function formatOfFileName(file: string): FormatName | null {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return formatNames.find((name) => traitsOf(name).endings.includes(ending)) ?? null;
}

/** Returns true for formats with one document for all rows, such as a JSON array. */
export function isDocument({ wholeValues, streamable }: FormatTraits): boolean {
  return wholeValues && !streamable;
}
