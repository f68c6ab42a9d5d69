/** A part of a period in milliseconds since 1970, including its start and its end. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The parts of a period overlap by a second, so that no row is lost when a service ignores fractions of a second. */
export const WINDOW_OVERLAP_MS = 1000;
