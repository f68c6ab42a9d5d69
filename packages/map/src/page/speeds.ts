// The speed classes that colour tracks.
export interface SpeedClass {
  /** Lower limit in km/h. */
  readonly from: number;
  readonly color: string;
}

/** The colours differ without red and green, on light and on dark background. */
export const speedClasses: readonly SpeedClass[] = [
  { from: 0, color: '#7f8ea3' },
  { from: 5, color: '#3b7dd8' },
  { from: 30, color: '#16a3a3' },
  { from: 60, color: '#6aa84f' },
  { from: 90, color: '#e69f00' },
  { from: 120, color: '#d7301f' },
];

/** Returns the index; an unknown speed (-1) is in the first class. */
export function speedClass(speed: number): number {
  let index = 0;
  while (index + 1 < speedClasses.length && speed >= (speedClasses[index + 1]?.from ?? 0)) index++;
  return index;
}
