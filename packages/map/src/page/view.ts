// What part of the projection's square is on the screen, and how to get from one to the other.

export interface View {
  /** Pixels that the whole square is wide. */
  readonly scale: number;
  /** Pixels from the corner of the square to the corner of the screen. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The place of a point on the screen. East of the 180th meridian the square begins again; `shiftOf` says which one is meant. */
export const screenX = ({ scale, left }: View, x: number): number => x * scale - left;
export const screenY = ({ scale, top }: View, y: number): number => y * scale - top;

/** How many squares to add to x, so that it is the one nearest to the middle of the screen. */
export function shiftOf({ scale, left, width }: View, x: number): number {
  return Math.round((left + width / 2) / scale - x);
}
