// What a command tells the formats about its rows: columns and details for people, field paths for programs, features for maps.

import type { Geometry } from '../../telemetry/tracks/geometry.js';
import type { Fix } from '../../telemetry/tracks/position-fix.js';
import type { RenderOptions } from './render-options.js';

/** A column for people: composed and rounded, and shortened where the terminal is narrow. */
export interface ViewColumn<Row> {
  readonly title: string;
  readonly text: (row: Row, options: RenderOptions) => string;
  /** What is shown where `text` does not fit, before it is cut: the first that fits, else the last. */
  readonly short?: ((row: Row) => readonly string[]) | undefined;
  /** Dotted paths of the fields that it shows, where its title does not say their name. */
  readonly shows?: readonly string[] | undefined;
  readonly paint?: ((text: string, row: Row, options: RenderOptions) => string) | undefined;
  /** The narrowest useful width. A column without it is never shortened. */
  readonly min?: number | undefined;
  /** In a narrow terminal the column with the highest rank is left out first; rank 0 is always shown. */
  readonly rank: number;
  readonly align?: 'right' | undefined;
  /** Marks a column of times, and gives the moment that `text` shows, in milliseconds: the heading names the offset of the zone. */
  readonly moment?: ((row: Row) => number | null) | undefined;
  /**
   * Marks a column of ids, and gives the name that another column shows for the same thing. On a terminal the column is shown only
   * under --wide, or when these names do not tell the rows apart.
   */
  readonly namedBy?: ((row: Row) => string | null | undefined) | undefined;
  /** Drawn as a bar beside the text, where a terminal has room for it when all columns are shown. */
  readonly bar?: ((row: Row) => number | null) | undefined;
  /** The total has a text in this column. */
  readonly inTotal?: true | undefined;
}

/** One line of a single record, for people. A detail with an empty text is left out. */
export interface Detail<Row> {
  readonly title: string;
  readonly text: (row: Row, options: RenderOptions) => string;
  readonly paint?: ((text: string, row: Row, options: RenderOptions) => string) | undefined;
}

/** How records of one kind are shown. */
export interface View<Row> {
  readonly columns: readonly ViewColumn<Row>[];
  /** How a single record is shown. Without details it shows the columns, one per line. */
  readonly details?: readonly Detail<Row>[] | undefined;
  /** Dotted paths of the fields that tsv and csv print; they are also the header line. */
  readonly fields: readonly string[];
  /** The fields are those of --fields, in the order of the flag. */
  readonly hasChosenFields?: true | undefined;
  /** What people read where a field has no value, such as `(not identified)`: workbooks print it. */
  readonly absent?: Readonly<Record<string, string>> | undefined;
  /** The moments, in milliseconds, of those fields that are times; null where a row has none. For csv with local times. */
  readonly times?: ReadonlyMap<string, (row: unknown) => number | null> | undefined;
  /** Columns that are not fields, by the name under which --filter and --sort know them. */
  readonly computed?: Readonly<Record<string, Computed<Row>>> | undefined;
  /**
   * Fields that the command itself adds to a row, such as the name of its place, each with the dotted paths that it needs for that.
   * --fields, --filter and --sort know them; tsv and csv print those that `fields` names too.
   */
  readonly added?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Fields of which all values are known, for --filter. */
  readonly values?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Fields whose text is a list of names with commas between them: --filter compares each of them. */
  readonly nameLists?: readonly string[] | undefined;
  /** Text above the rows of a table, in lines. */
  readonly above?: ((options: RenderOptions) => AsyncIterable<string>) | undefined;
  /** The line below the rows of a table. */
  readonly total?: TotalRule<Row> | undefined;
  /** The units of fields whose names do not tell them: csv and workbooks write them into the headings. */
  readonly units?: ReadonlyMap<string, string> | undefined;
  /** What the rows are, in a word or two, and the time that they are about: the title of a page, the name of a sheet. */
  readonly title?: string | undefined;
  readonly period?: string | undefined;
  /** How rows become bars. A view without it cannot be printed as a chart. */
  readonly chart?: ChartView<Row> | undefined;
  /** How rows become map features. A view without it cannot be printed in a map format. */
  readonly map?: MapView<Row> | undefined;
}

/** What a list comes to. */
export interface TotalRule<Row> {
  /** The fields that the total has; all others are empty in it. */
  readonly fields: readonly string[];
  /** The total is that of the whole list, which the rows are parts of that may overlap. There is none of a selection. */
  readonly isOfAllRows: boolean;
  readonly begin: () => Total<Row>;
}

/** A total while the rows pass. */
export interface Total<Row> {
  take(row: Row): void;
  /** Null when there is nothing to add up. */
  row(): Row | null;
}

/** How rows become bars. */
export interface ChartView<Row> {
  readonly label: (row: Row) => string;
  /** By the name under which --fields knows it; the first one is drawn unless --fields names another. */
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
  /** Dotted paths of the fields that it is computed from. */
  readonly needs: readonly string[];
  /** The fields that --fields has in its place. Default: `needs`. */
  readonly shows?: readonly string[];
  readonly value: (row: Row, now: number) => unknown;
  /** All values that it can have; null when it can have any. */
  readonly values: readonly string[] | null;
}

/** The formats that print map features. */
export const mapFormats = ['geojson', 'gpx', 'kml'] as const;

export type MapFormat = (typeof mapFormats)[number];

/** How rows become map features. */
export interface MapView<Row> {
  readonly formats: readonly MapFormat[];
  /** Dotted paths of the position. They are always requested, whatever --fields names, and are not repeated as properties. */
  readonly position: readonly string[];
  /** Other fields that `featureOf` reads, such as the name. */
  readonly needs: readonly string[];
  /** The rows are GPS fixes and are joined to tracks; other fields are not used. */
  readonly isTrack?: true | undefined;
  /** The vehicle of a row of a track, and the name of its track; null for the id of the vehicle. */
  readonly trackOf?: ((row: Row) => { readonly vehicleId: string | null; readonly name: string | null }) | undefined;
  /** Null for a row without a position. A feature gets the view's other fields as properties. */
  readonly featureOf: (row: Row) => Fix | Feature | null;
}

/** A point, a line or an area. */
export interface Feature {
  readonly geometry: Geometry;
  readonly id?: string | undefined;
  readonly name: string | null;
  /** RFC 3339: one time for a point, one per position for a line. */
  readonly times?: readonly string[] | undefined;
}
