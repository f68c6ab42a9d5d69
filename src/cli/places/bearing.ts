// The direction from one position to another.
import type { TripPosition } from '../../telemetry/trips/trip.js';

const RADIANS = Math.PI / 180;

/** Degrees clockwise from north, from 0 to below 360. */
export function bearing(from: TripPosition, to: TripPosition): number {
  const east = (to.longitude - from.longitude) * RADIANS;
  const [start, end] = [from.latitude * RADIANS, to.latitude * RADIANS];
  const y = Math.sin(east) * Math.cos(end);
  const x = Math.cos(start) * Math.sin(end) - Math.sin(start) * Math.cos(end) * Math.cos(east);
  return (Math.atan2(y, x) / RADIANS + 360) % 360;
}
