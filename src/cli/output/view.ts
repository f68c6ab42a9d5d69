// The interface between commands and formats: columns for people, paths for programs, map features.

import type { Geometry } from '../../telemetry/tracks/geometry.js';
import type { Fix } from '../../telemetry/tracks/position-fix.js';
import type { RenderOptions } from './render-options.js';

/** A column for people: composed, rounded, and shortened on a narrow terminal. */
export interface ViewColumn<Row> {
  readonly title: string;
  readonly text: (row: Row, options: RenderOptions) => string;
  /** Shorter texts, tried in order when `text` does not fit; the last one is cut. */
  readonly short?: ((row: Row) => readonly string[]) | undefined;
  /** Dotted paths of the shown fields, if the title does not name them. */
  readonly shows?: readonly string[] | undefined;
  readonly paint?: ((text: string, row: Row, options: RenderOptions) => string) | undefined;
  /** The narrowest useful width. A column without it is never shortened. */
  readonly min?: number | undefined;
  /** On a narrow terminal the highest rank is omitted first; rank 0 is always shown. */
  readonly rank: number;
  readonly align?: 'right' | undefined;
  /** Marks a column that is omitted on a terminal before it shortens one of a lower rank. */
  readonly isExtra?: true | undefined;
  /** Marks times and returns milliseconds; the heading names the offset. */
  readonly moment?: ((row: Row) => number | null) | undefined;
  /**
   * Marks ids and returns the name of the same record. On a terminal the column is shown only with
   * --wide, or when names are not unique.
   */
  readonly namedBy?: ((row: Row) => string | null | undefined) | undefined;
  /** Drawn as a bar after the text, if a terminal has space left after all columns. */
  readonly bar?: ((row: Row) => number | null) | undefined;
  readonly inTotal?: true | undefined;
}

/** One line of a single record, for people. A detail with an empty text is omitted. */
export interface Detail<Row> {
  readonly title: string;
  readonly text: (row: Row, options: RenderOptions) => string;
  readonly paint?: ((text: string, row: Row, options: RenderOptions) => string) | undefined;
}

export interface View<Row> {
  readonly columns: readonly ViewColumn<Row>[];
  /** Lines of a single record. Default: the columns, one per line. */
  readonly details?: readonly Detail<Row>[] | undefined;
  /** Dotted paths of the fields that tsv and csv print; also the header line. */
  readonly fields: readonly string[];
  /** True when the fields come from --fields, in its order. */
  readonly hasChosenFields?: true | undefined;
  /** Texts for fields without a value, such as `(not identified)`, in workbooks. */
  readonly absent?: Readonly<Record<string, string>> | undefined;
  /** Time in milliseconds by field, or null. For csv with local times. */
  readonly times?: ReadonlyMap<string, (row: unknown) => number | null> | undefined;
  /** Computed columns, by their name in --filter and --sort. */
  readonly computed?: Readonly<Record<string, Computed<Row>>> | undefined;
  /**
   * Fields that the command adds to a row, with the paths they need. All flags accept them; tsv and
   * csv print them only if `fields` includes them.
   */
  readonly added?: Readonly<Record<string, readonly string[]>> | undefined;
  /** All possible values of a field, for --filter. */
  readonly values?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Fields with a list of names separated by commas: --filter compares each name. */
  readonly nameLists?: readonly string[] | undefined;
  readonly above?: ((options: RenderOptions) => AsyncIterable<string>) | undefined;
  readonly total?: TotalRule<Row> | undefined;
  /** Units of fields without a unit in their name, for headings of csv and workbooks. */
  readonly units?: ReadonlyMap<string, string> | undefined;
  /** Title of the rows, in a word or two, and their period: for pages and sheets. */
  readonly title?: string | undefined;
  readonly period?: string | undefined;
  /** Required for the chart format. */
  readonly chart?: ChartView<Row> | undefined;
  /** Required for map formats. */
  readonly map?: MapView<Row> | undefined;
}

export interface TotalRule<Row> {
  /** The fields of the total; all others are empty in it. */
  readonly fields: readonly string[];
  /** The total counts a trip in several rows once; filtered lists have none. */
  readonly isOfAllRows: boolean;
  readonly begin: () => Total<Row>;
}

export interface Total<Row> {
  take(row: Row): void;
  /** Null when there is nothing to add up. */
  row(): Row | null;
}

interface ChartView<Row> {
  readonly label: (row: Row) => string;
  /** By field name in --fields; the first one is the default. */
  readonly measures: Readonly<Record<string, ChartMeasure<Row>>>;
}

export interface ChartMeasure<Row> {
  readonly title: string;
  readonly value: (row: Row) => number | null;
  readonly text: (value: number) => string;
}

/** A value that is computed from the fields of a row. */
export interface Computed<Row> {
  /** `age`: a time that is shown as its age. */
  readonly kind: 'text' | 'age';
  /** Dotted paths of the fields it is computed from. */
  readonly needs: readonly string[];
  /** Fields to suggest for --fields. Default: `needs`. */
  readonly shows?: readonly string[];
  readonly value: (row: Row, now: number) => unknown;
  /** All possible values; null for any value. */
  readonly values: readonly string[] | null;
}

export const mapFormats = ['geojson', 'gpx', 'kml'] as const;

export type MapFormat = (typeof mapFormats)[number];

export interface MapView<Row> {
  readonly formats: readonly MapFormat[];
  /** Dotted paths, always requested and not repeated as properties. */
  readonly position: readonly string[];
  /** Other fields that `featureOf` reads, such as the name. */
  readonly needs: readonly string[];
  /** The rows are GPS fixes and are joined to tracks; other fields are not used. */
  readonly isTrack?: true | undefined;
  /** Vehicle and name of the track of a row. Without a name, the id of the vehicle is used. */
  readonly trackOf?: ((row: Row) => { readonly vehicleId: string | null; readonly name: string | null }) | undefined;
  /** Null for a row without a position. A feature gets the view's other fields as properties. */
  readonly featureOf: (row: Row) => Fix | Feature | null;
}

export interface Feature {
  readonly geometry: Geometry;
  readonly id?: string | undefined;
  readonly name: string | null;
  /** RFC 3339: one time for a point, one per position for a line. */
  readonly times?: readonly string[] | undefined;
}
