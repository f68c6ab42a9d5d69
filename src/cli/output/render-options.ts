// The options of every format: where the text goes, and how it is written.
import type { ColorBits, Colors } from '../io/colors.js';
import type { LocalTime } from '../time/format-time.js';

/** The options of a format. Times are in `zone`; `offset` is the offset in the headings. */
export interface RenderOptions extends LocalTime {
  /** Columns of the terminal; undefined when the output is no terminal. */
  readonly width: number | undefined;
  /** Show ids in tables, omit no column and shorten nothing. */
  readonly wide: boolean;
  readonly colors: Colors;
  /** For colours of records, shown only on a terminal. */
  readonly colorBits: ColorBits;
  readonly now: number;
  /** True when a flag names the zone: csv has local times too. */
  readonly hasZone: boolean;
  readonly headers: boolean;
  /** Disarm csv cells that a spreadsheet would run as formulas. */
  readonly safeCsv: boolean;
  readonly ascii: boolean;
  /** Prints a remark for people to stderr. */
  readonly note: (line: string) => void;
}

export function isTerminal(options: RenderOptions): boolean {
  return options.width !== undefined;
}
