// Directions as people say them.
const winds = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/** `NE`, of degrees clockwise from north. */
export function compassPoint(degrees: number): string {
  return winds[Math.round((((degrees % 360) + 360) % 360) / 45) % 8] ?? '';
}
