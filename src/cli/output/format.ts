// What an output format is, what a view gives it, and which formats there are. One file per format; each is loaded only
// when it is asked for.
import type { Fix } from '../../telemetry/tracks/fix.js';
import type { Geometry } from '../../telemetry/tracks/geometry.js';
import type { Colors } from './colors.js';

/** A column for people: composed, rounded, and shortened where the terminal is narrow. */
export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row, look: Look) => string;
  readonly paint?: ((text: string, row: Row, look: Look) => string) | undefined;
  /** Width below which the column is left out instead of shortened further. Without it the column is never shortened. */
  readonly min?: number | undefined;
  /** Columns with the highest number are left out first when the terminal is narrow; 0 is never left out. */
  readonly rank: number;
  readonly align?: 'right' | undefined;
}

/** A line of the view of one record for people. An empty text leaves the line out. */
export interface Detail<Row> {
  readonly title: string;
  readonly text: (row: Row, look: Look) => string;
  readonly paint?: ((text: string, row: Row, look: Look) => string) | undefined;
}

/** How records of one kind are shown. */
export interface View<Row> {
  readonly columns: readonly Column<Row>[];
  readonly details: readonly Detail<Row>[];
  /** Dotted paths of the fields that tsv and csv carry, which are also their header line. */
  readonly fields: readonly string[];
  /** Where a row is, for the formats of maps; without it rows cannot be printed in these. */
  readonly place?: Place<Row> | undefined;
}

/** Formats of maps: what they print are places. */
export const mapFormats = ['geojson', 'gpx', 'kml'] as const;

export type MapFormat = (typeof mapFormats)[number];

/** Where rows are on the map. */
export interface Place<Row> {
  readonly formats: readonly MapFormat[];
  /** Dotted paths of the fields that become the place; they are asked for whatever --fields says, and are no properties too. */
  readonly position: readonly string[];
  /** Further fields that are read, such as the name. */
  readonly needs: readonly string[];
  /** The rows are fixes, which are joined to tracks; further fields are of no use. */
  readonly isTrack?: true | undefined;
  /** Null for a row without a position. A shape gets the view's other fields for its properties. */
  readonly of: (row: Row) => Fix | Shape | null;
}

/** A point, a line or an area. */
export interface Shape {
  readonly geometry: Geometry;
  readonly id?: string | undefined;
  readonly name: string | null;
  /** RFC 3339; one for a point, one for each position of a line. */
  readonly times?: readonly string[] | undefined;
}

/** Where the text is going. */
export interface Look {
  /** Columns of the terminal; undefined when the output may be as wide as it likes. */
  readonly width: number | undefined;
  readonly colors: Colors;
  /** Now, in milliseconds, for ages. */
  readonly now: number;
  /** Cells of csv that a spreadsheet would run as a formula are made harmless. */
  readonly safeCsv: boolean;
  /** Says something beside the data, on stderr. */
  readonly note: (line: string) => void;
}

/** Whether a person looks at it. */
export function isTerminal(look: Look): boolean {
  return look.width !== undefined;
}

export interface Format {
  rows<Row>(rows: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, look: Look): AsyncIterable<string>;
  record<Row>(record: Row, view: View<Row>, look: Look): Iterable<string> | AsyncIterable<string>;
}

export const formats = {
  table: () => import('./table.js').then((module) => module.table),
  tsv: () => import('./tsv.js').then((module) => module.tsv),
  json: () => import('./json.js').then((module) => module.json),
  ndjson: () => import('./ndjson.js').then((module) => module.ndjson),
  csv: () => import('./csv.js').then((module) => module.csv),
  yaml: () => import('./yaml.js').then((module) => module.yaml),
  geojson: () => import('./maps.js').then((module) => module.geojson),
  gpx: () => import('./maps.js').then((module) => module.gpx),
  kml: () => import('./maps.js').then((module) => module.kml),
} satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = [
  'table',
  'tsv',
  'json',
  'ndjson',
  'csv',
  'yaml',
  ...mapFormats,
] as const satisfies readonly FormatName[];

export function isMapFormat(name: FormatName): name is MapFormat {
  return (mapFormats as readonly FormatName[]).includes(name);
}

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
