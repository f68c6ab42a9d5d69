// What an output format is, what a view gives it, and which formats there are. One file per format; each is loaded only
// when it is asked for.
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
}

/** Where the text is going. */
export interface Look {
  /** Columns of the terminal; undefined when the output may be as wide as it likes. */
  readonly width: number | undefined;
  readonly colors: Colors;
  /** Now, in milliseconds, for ages. */
  readonly now: number;
  /** Says something beside the data, on stderr. */
  readonly note: (line: string) => void;
}

/** Whether a person looks at it. */
export function isTerminal(look: Look): boolean {
  return look.width !== undefined;
}

export interface Format {
  rows<Row>(rows: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, look: Look): AsyncIterable<string>;
  record<Row>(record: Row, view: View<Row>, look: Look): Iterable<string>;
}

export const formats = {
  table: () => import('./table.js').then((module) => module.table),
  tsv: () => import('./tsv.js').then((module) => module.tsv),
  json: () => import('./json.js').then((module) => module.json),
  ndjson: () => import('./ndjson.js').then((module) => module.ndjson),
  csv: () => import('./csv.js').then((module) => module.csv),
} satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = ['table', 'tsv', 'json', 'ndjson', 'csv'] as const satisfies readonly FormatName[];

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
