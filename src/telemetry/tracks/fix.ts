// Reads out of a snapshot where the vehicle was; null when the snapshot does not say.
import { toDate } from '../../core/dates.js';

/** The parts of a snapshot that tracks are made of. Any of them may be missing. */
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
  /** Kilometres an hour. */
  readonly speed: number | null;
  /** Degrees clockwise from north, 0 to below 360. */
  readonly direction: number | null;
  readonly ignition: boolean | null;
}

/** A position on the map: not 0,0, which stands for "no fix yet", and within the degrees there are. */
export function isPosition(latitude: unknown, longitude: unknown): boolean {
  if (!isNumber(latitude) || !isNumber(longitude)) return false;
  if (latitude === 0 && longitude === 0) return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

export function fixOf(row: TrackSnapshot): Fix | null {
  const { latitude, longitude, altitude, speed, direction, state } = row.gps ?? {};
  const time = timeOf(row.timestamp);
  if (time === null || state === false || !isPosition(latitude, longitude)) return null;
  return {
    vehicleId: row.vehicleId ?? null,
    time,
    // isPosition has found both to be numbers.
    latitude: latitude as number,
    longitude: longitude as number,
    altitude: isNumber(altitude) ? altitude : null,
    speed: isNumber(speed) && speed >= 0 ? speed : null,
    direction: isNumber(direction) ? ((direction % 360) + 360) % 360 : null,
    ignition: row.ignition?.engineStatus ?? null,
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function timeOf(timestamp: string | number | null | undefined): number | null {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}
