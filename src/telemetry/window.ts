/** A part of a period in milliseconds since 1970, including its start and end. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Windows overlap by a second: a service may ignore fractions, and no row must be lost. */
export const WINDOW_OVERLAP_MS = 1000;

/** A service may round the start and end of a window to whole seconds. */
export const ROUNDING_MS = 1000;
