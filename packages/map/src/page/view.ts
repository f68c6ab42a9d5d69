// The visible part of the Mercator unit square.

export interface PageView {
  /** Width of the unit square in pixels. */
  readonly scale: number;
  /** Pixels from the square's corner to the screen's corner. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The square repeats beyond the 180th meridian; `shiftOf` selects the repetition. */
export const screenX = ({ scale, left }: PageView, x: number): number => x * scale - left;
export const screenY = ({ scale, top }: PageView, y: number): number => y * scale - top;

/** Returns the number to add to x for the repetition nearest to the screen's centre. */
export function shiftOf({ scale, left, width }: PageView, x: number): number {
  return Math.round((left + width / 2) / scale - x);
}
