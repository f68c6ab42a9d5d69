// The options that every format renders with: where the text goes, and how to write it.
import type { ColorBits, Colors } from '../io/colors.js';
import type { LocalTime } from '../time/local-time.js';

/** Times for people are in `zone`; a table sets `offset` to the one that its headings name. */
export interface RenderOptions extends LocalTime {
  /** Columns of the terminal; undefined when the output is not a terminal and may have any width. */
  readonly width: number | undefined;
  /** Show ids in tables, leave out no column and shorten nothing. */
  readonly wide: boolean;
  readonly colors: Colors;
  /** For colours of the service, which are shown only in a table on a terminal. */
  readonly colorBits: ColorBits;
  /** The current time in milliseconds, for ages. */
  readonly now: number;
  /** A flag names the zone, so that csv has local times too. */
  readonly hasZone: boolean;
  /** Print the header line of table, csv and tsv. */
  readonly headers: boolean;
  /** Defuse csv cells that a spreadsheet would run as a formula. */
  readonly safeCsv: boolean;
  /** The terminal can show only ASCII. */
  readonly ascii: boolean;
  /** Takes a remark for people, which goes to stderr and not into the data. */
  readonly note: (line: string) => void;
}

export function isTerminal(options: RenderOptions): boolean {
  return options.width !== undefined;
}
