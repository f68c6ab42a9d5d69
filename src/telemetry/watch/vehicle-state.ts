// From what the service says of a vehicle to what a watch knows of it.

import { type CurrentPosition, positionAfter } from '../current-position.js';
import { isAhead } from '../latest.js';
import { type LiveSnapshot, type LiveStatusOptions, liveStatus } from '../live-status.js';
import { readFlag, readNumber, readText } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import { fixOf } from '../tracks/fix.js';
import type { TripPosition } from '../trips/trip.js';
import type { WatchedVehicle } from './events.js';

/** The parts of a snapshot that are asked for. */
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
}

/** A vehicle with its last snapshot, whichever operation it came from. */
export interface VehicleReport {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly snapshot: WatchedSnapshot | null;
}

/** What the watch keeps of a vehicle. The status is not kept, because it changes with time. */
export interface KnownVehicle extends Omit<WatchedVehicle, 'status' | 'position'>, CurrentPosition {
  /** What the status is made of. */
  readonly snapshot: LiveSnapshot | null;
}

/**
 * Returns the state of a vehicle after a report. A report without a snapshot, or with one that is older than the known one or in the future,
 * changes only name and plate: answers may come out of order, one resolver may fail for a while, and the clock of a device may be wrong. A
 * known snapshot from the future gives way to any other, and shows nothing but its time. With `holdsPositions`, a position that no vehicle
 * can reach is not taken until the next one confirms it.
 */
export function knownAfter(
  known: KnownVehicle | undefined,
  report: VehicleReport,
  now: number,
  holdsPositions = false,
): KnownVehicle {
  const { vehicleId, name, licensePlate, snapshot } = report;
  if (known !== undefined && (snapshot === null || isOutdated(snapshot, known, now))) {
    return { ...known, name, licensePlate };
  }
  if (isAhead(timestampMs(snapshot?.timestamp), now)) {
    const nothing = { position: null, speedKmh: null, direction: null, engineOn: null, driverId: null, snapshot: null };
    return { vehicleId, name, licensePlate, timestamp: snapshot?.timestamp ?? null, ...nothing };
  }
  const fix = snapshot === null ? null : fixOf({ timestamp: snapshot.timestamp ?? null, gps: snapshot.gps ?? null });
  return {
    vehicleId,
    name,
    licensePlate,
    timestamp: snapshot?.timestamp ?? null,
    ...(holdsPositions || fix === null
      ? positionAfter(known ?? { position: null }, fix)
      : { position: positionOf(fix) }),
    speedKmh: readNumber(snapshot?.gps?.speed) ?? null,
    direction: readNumber(snapshot?.gps?.direction) ?? null,
    engineOn: readFlag(snapshot?.ignition?.engineStatus) ?? null,
    driverId: readText(snapshot?.driver?.driverId),
    snapshot: snapshot === null ? null : facts(snapshot),
  };
}

function positionOf({ latitude, longitude }: TripPosition): TripPosition {
  return { latitude, longitude };
}

function isOutdated(snapshot: WatchedSnapshot, known: KnownVehicle, now: number): boolean {
  const knownAt = timestampMs(known.timestamp);
  const reportedAt = timestampMs(snapshot.timestamp);
  if (knownAt === null || isAhead(knownAt, now)) return false;
  return reportedAt === null || reportedAt < knownAt || isAhead(reportedAt, now);
}

function facts({ timestamp, gps, ignition, canBus }: WatchedSnapshot): LiveSnapshot {
  return {
    timestamp,
    gps: { speed: gps?.speed },
    ignition: { engineStatus: ignition?.engineStatus },
    canBus: { canSpeed: canBus?.canSpeed, canWheelSpeed: canBus?.canWheelSpeed },
  };
}

/** The vehicle at a time, as callers see it. */
export function vehicleAt(
  { snapshot, positions: _, ...shown }: KnownVehicle,
  options: LiveStatusOptions,
): WatchedVehicle {
  return { ...shown, status: liveStatus(snapshot, options) };
}

/** A vehicle that a caller knew before. */
export function knownFrom({ status: _, ...vehicle }: WatchedVehicle): KnownVehicle {
  const { timestamp, speedKmh, engineOn } = vehicle;
  const snapshot = { timestamp, gps: { speed: speedKmh }, ignition: { engineStatus: engineOn } };
  return { ...vehicle, snapshot: timestamp === null ? null : snapshot };
}
