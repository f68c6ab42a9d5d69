// The options that every format renders with: where the text goes, and how to write it.
import type { Colors } from '../io/colors.js';

export interface RenderOptions {
  /** Columns of the terminal; undefined when the output is not a terminal and may have any width. */
  readonly width: number | undefined;
  readonly colors: Colors;
  /** The current time in milliseconds, for ages. */
  readonly now: number;
  /** Defuse csv cells that a spreadsheet would run as a formula. */
  readonly safeCsv: boolean;
  /** Takes a remark for people, which goes to stderr and not into the data. */
  readonly note: (line: string) => void;
}

export function isTerminal(options: RenderOptions): boolean {
  return options.width !== undefined;
}
