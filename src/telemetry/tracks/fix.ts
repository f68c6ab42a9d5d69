// Reads the position fix of a snapshot.
import type { Timestamp } from '../../core/dates.js';
import { isPosition } from '../positions.js';
import { Readings } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import type { Fix } from './position-fix.js';

/** The part of a snapshot that tracks use. Each member may be missing. */
export interface TrackSnapshot {
  readonly vehicleId?: string | null;
  readonly timestamp?: Timestamp | null;
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

/** Returns the fix of a snapshot; null without a valid position or time. */
export function fixOf(row: TrackSnapshot, readings = new Readings()): Fix | null {
  const { gps } = row;
  const latitude = readings.number('position', gps?.latitude);
  const longitude = readings.number('position', gps?.longitude);
  const state = readings.flag('fix', gps?.state);
  const time = timestampMs(row.timestamp);
  if (time === null || state === false || latitude === null || longitude === null) return null;
  if (!isPosition(latitude, longitude)) return null;
  const speed = readings.number('speed', gps?.speed);
  const direction = readings.number('direction', gps?.direction);
  return {
    vehicleId: row.vehicleId ?? null,
    time,
    latitude,
    longitude,
    altitude: readings.number('altitude', gps?.altitude),
    speed: speed !== null && speed >= 0 ? speed : null,
    direction: direction === null ? null : ((direction % 360) + 360) % 360,
    ignition: readings.flag('ignition', row.ignition?.engineStatus),
  };
}
