// Reads the snapshots of watches: the values of one row, for the board and for the rules of events.
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
  /** Selected for rules about the battery. */
  readonly misc?: { readonly power?: number | null } | null | undefined;
  /** Selected for rules with hours. */
  readonly locationTimeZone?: string | null | undefined;
}

/** A vehicle with its last snapshot, whichever operation it came from. */
export interface VehicleReport {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly snapshot: WatchedSnapshot | null;
}

/** The vehicles of one answer. */
export interface FleetAnswer {
  readonly vehicles: readonly VehicleReport[];
  /** False when something is missing from the answer: a vehicle that is not in it is not gone. */
  readonly isComplete: boolean;
}

/** The values of a snapshot; null where it has none that can be read. */
export interface SnapshotReadings {
  /** The position, when the device has a fix. */
  readonly fix: Located | null;
  /** `gps.speed` as it is sent. */
  readonly gpsSpeedKmh: number | null;
  /**
   * The speed of the vehicle: `gps.speed`, else that of the CAN bus; null for an impossible one.
   */
  readonly speedKmh: number | null;
  readonly direction: number | null;
  readonly engineOn: boolean | null;
  readonly driverId: string | null;
  readonly power: number | null;
  /** The members that decide the live status. */
  readonly live: LiveSnapshot;
}

/** Reads the values of a snapshot. */
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
