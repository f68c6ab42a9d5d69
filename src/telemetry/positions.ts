// Distinguishes positions from the values that devices send without a fix.

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Returns true for a position on the earth, in degrees. 0,0 means that the device has no fix. */
export function isPosition(latitude: unknown, longitude: unknown): boolean {
  if (!isFiniteNumber(latitude) || !isFiniteNumber(longitude)) return false;
  if (latitude === 0 && longitude === 0) return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
