// Reads the position fix of a snapshot.
import { isFiniteNumber, isPosition } from '../positions.js';
import { timestampMs } from '../timestamps.js';

/** The parts of a snapshot that tracks are made of. Each of them may be missing. */
export interface TrackSnapshot {
  readonly vehicleId?: string | null;
  readonly timestamp?: string | number | null;
  readonly gps?: {
    readonly state?: boolean | null;
    readonly latitude?: number | null;
    readonly longitude?: number | null;
    readonly altitude?: number | null;
    readonly speed?: number | null;
    readonly direction?: number | null;
  } | null;
  readonly ignition?: { readonly engineStatus?: boolean | null } | null;
}

/** One position of a track. */
export interface Fix {
  readonly vehicleId: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Degrees of WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above sea level. */
  readonly altitude: number | null;
  /** Kilometres per hour. */
  readonly speed: number | null;
  /** Degrees clockwise from north, 0 to below 360. */
  readonly direction: number | null;
  readonly ignition: boolean | null;
}

/** The fix of a snapshot; null when it has no valid position or time. */
export function fixOf(row: TrackSnapshot): Fix | null {
  const { latitude, longitude, altitude, speed, direction, state } = row.gps ?? {};
  const time = timestampMs(row.timestamp);
  if (time === null || state === false || !isPosition(latitude, longitude)) return null;
  return {
    vehicleId: row.vehicleId ?? null,
    time,
    // isPosition has checked that both are numbers.
    latitude: latitude as number,
    longitude: longitude as number,
    altitude: isFiniteNumber(altitude) ? altitude : null,
    speed: isFiniteNumber(speed) && speed >= 0 ? speed : null,
    direction: isFiniteNumber(direction) ? ((direction % 360) + 360) % 360 : null,
    ignition: row.ignition?.engineStatus ?? null,
  };
}
