// Reads the values of one snapshot, for the board of a watch and for the rules of events.
import type { LiveSnapshot } from '../live-status.js';
import type { Located } from '../position-cleaner.js';
import { Readings, readFlag, readNumber, readText } from '../readings.js';
import { fixOf } from '../tracks/fix.js';
import { speedOf } from '../trips/open-trip.js';
import { defaultLimits } from '../trips/trip-limits.js';

/** The parts of a snapshot that watches select. */
export interface WatchedSnapshot extends LiveSnapshot {
  readonly gps?:
    | {
        readonly state?: boolean | null;
        readonly latitude?: number | null;
        readonly longitude?: number | null;
        readonly direction?: number | null;
        readonly speed?: number | null;
      }
    | null
    | undefined;
  readonly driver?: { readonly driverId?: string | null } | null | undefined;
  /** For rules about the battery. */
  readonly misc?: { readonly power?: number | null } | null | undefined;
  /** For rules with hours. */
  readonly locationTimeZone?: string | null | undefined;
}

/** A vehicle with its last snapshot, from either operation. */
export interface VehicleReport {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly snapshot: WatchedSnapshot | null;
}

export interface FleetAnswer {
  readonly vehicles: readonly VehicleReport[];
  /** False when the answer is partial: a missing vehicle is then not removed. */
  readonly isComplete: boolean;
}

/** The values of a snapshot; null when missing or unreadable. */
export interface SnapshotReadings {
  /** Null when the device has no fix. */
  readonly fix: Located | null;
  /** `gps.speed` as sent. */
  readonly gpsSpeedKmh: number | null;
  /** The speed from `gps.speed`, else from the CAN bus; null for an impossible one. */
  readonly speedKmh: number | null;
  readonly direction: number | null;
  readonly engineOn: boolean | null;
  readonly driverId: string | null;
  readonly power: number | null;
  /** The fields that the live status depends on. */
  readonly live: LiveSnapshot;
}

export function readSnapshot({ timestamp, gps, ignition, driver, canBus, misc }: WatchedSnapshot): SnapshotReadings {
  const fix = fixOf({ timestamp: timestamp ?? null, gps: gps ?? null });
  const { canSpeed = null, canWheelSpeed = null } = canBus ?? {};
  const row = { gps: gps ?? null, canBus: { canSpeed, canWheelSpeed } };
  return {
    fix,
    gpsSpeedKmh: readNumber(gps?.speed) ?? null,
    speedKmh: speedOf(row, fix !== null, defaultLimits.fastestKmh, new Readings()),
    direction: readNumber(gps?.direction) ?? null,
    engineOn: readFlag(ignition?.engineStatus) ?? null,
    driverId: readText(driver?.driverId),
    power: readNumber(misc?.power) ?? null,
    live: {
      timestamp,
      gps: { speed: gps?.speed },
      ignition: { engineStatus: ignition?.engineStatus },
      canBus: { canSpeed: canBus?.canSpeed, canWheelSpeed: canBus?.canWheelSpeed },
    },
  };
}
