// Converts degrees to compass points.
const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/** Returns the compass point, such as `NE`, for degrees clockwise from north. */
export function compassPoint(degrees: number): string {
  return winds[Math.round((((degrees % 360) + 360) % 360) / 45) % 8] ?? '';
}
