// The vehicles of a watch, and the changes by an answer: a state machine without clock.
import { greatCircleKm } from '../../core/geo.js';
import { type CurrentPosition, positionAfter } from '../current-position.js';
import {
  type FleetAnswer,
  readSnapshot,
  type VehicleReport,
  type WatchedSnapshot,
} from '../events/snapshot-readings.js';
import { isAhead } from '../latest.js';
import { type LiveSnapshot, type LiveStatusOptions, liveStatus } from '../live-status.js';
import { timestampMs } from '../timestamps.js';
import type { TripPosition } from '../trips/trip.js';
import type { AppearedEvent, ChangedEvent, GoneEvent, WatchedVehicle } from './events.js';

/** A board event without its time. */
export type BoardChange = Omit<AppearedEvent, 'at'> | Omit<ChangedEvent, 'at'> | Omit<GoneEvent, 'at'>;

export interface BoardRules extends Omit<LiveStatusOptions, 'now'> {
  readonly minMoveMetres: number;
  /** Holds back unreachable positions until the next one agrees. Not together with `previous`. */
  readonly holdsPositions?: true;
}

export class Board {
  readonly #rules: BoardRules;
  readonly #known = new Map<string, KnownVehicle>();
  /** The vehicles after the last `take`. */
  #reported: ReadonlyMap<string, WatchedVehicle>;
  /** Positions in the last event of each vehicle: moves are measured from there, and add up. */
  readonly #anchors = new Map<string, TripPosition>();

  /** `previous`: the first answer is compared with these vehicles. */
  constructor(rules: BoardRules, previous: readonly WatchedVehicle[] = []) {
    this.#rules = rules;
    this.#reported = new Map(previous.map((vehicle) => [vehicle.vehicleId, vehicle]));
    for (const vehicle of previous) {
      this.#known.set(vehicle.vehicleId, knownFrom(vehicle));
      if (vehicle.position !== null) this.#anchors.set(vehicle.vehicleId, vehicle.position);
    }
  }

  /** Returns the current vehicles with their status at `now`, in order of appearance. */
  vehicles(now: number): readonly WatchedVehicle[] {
    return [...this.#known.values()].map((vehicle) => this.#at(vehicle, now));
  }

  /** Applies an answer and returns its changes. `now`: its arrival, by the clock of the service. */
  take({ vehicles, isComplete }: FleetAnswer, now: number): readonly BoardChange[] {
    const listed = new Set<string>();
    for (const report of vehicles) {
      listed.add(report.vehicleId);
      const known = this.#known.get(report.vehicleId);
      this.#known.set(report.vehicleId, knownAfter(known, report, now, this.#rules.holdsPositions));
    }
    if (isComplete) for (const id of [...this.#known.keys()]) if (!listed.has(id)) this.#known.delete(id);
    const before = this.#reported;
    const after = new Map([...this.#known].map(([id, vehicle]) => [id, this.#at(vehicle, now)]));
    this.#reported = after;
    const changes: BoardChange[] = [];
    for (const [id, vehicle] of before) {
      if (after.has(id)) continue;
      this.#anchors.delete(id);
      changes.push({ type: 'gone', vehicle });
    }
    for (const [id, vehicle] of after) changes.push(...this.#changesOf(before.get(id), vehicle));
    return changes;
  }

  #at(vehicle: KnownVehicle, now: number): WatchedVehicle {
    const { staleAfterMs, offlineAfterMs } = this.#rules;
    return vehicleAt(vehicle, { staleAfterMs, offlineAfterMs, now });
  }

  #changesOf(previous: WatchedVehicle | undefined, vehicle: WatchedVehicle): readonly BoardChange[] {
    const hasMoved = this.#hasMoved(vehicle);
    if (hasMoved && vehicle.position !== null) this.#anchors.set(vehicle.vehicleId, vehicle.position);
    if (previous === undefined) return [{ type: 'appeared', vehicle }];
    const changes: BoardChange[] = [];
    if (hasMoved) changes.push({ type: 'moved', vehicle, previous });
    if (vehicle.status !== previous.status) changes.push({ type: 'statusChanged', vehicle, previous });
    if (changes.length > 0 || isSame(previous, vehicle)) return changes;
    return [{ type: 'updated', vehicle, previous }];
  }

  #hasMoved({ vehicleId, position }: WatchedVehicle): boolean {
    if (position === null) return false;
    const anchor = this.#anchors.get(vehicleId);
    if (anchor === undefined) return true;
    const metres = greatCircleKm(anchor, position) * 1_000;
    return metres > 0 && metres >= this.#rules.minMoveMetres;
  }
}

function isSame(one: WatchedVehicle, other: WatchedVehicle): boolean {
  return (
    one.name === other.name &&
    one.licensePlate === other.licensePlate &&
    one.timestamp === other.timestamp &&
    one.position?.latitude === other.position?.latitude &&
    one.position?.longitude === other.position?.longitude &&
    one.speedKmh === other.speedKmh &&
    one.direction === other.direction &&
    one.engineOn === other.engineOn &&
    one.driverId === other.driverId
  );
}

/** A vehicle without its status, which changes with time. */
interface KnownVehicle extends Omit<WatchedVehicle, 'status' | 'position'>, CurrentPosition {
  /** The fields that the status depends on. */
  readonly snapshot: LiveSnapshot | null;
}

/**
 * Returns the vehicle after a report. Without a newer snapshot, only name and plate change: answers
 * may come out of order, a resolver may fail, and the clock of a device may be wrong. A snapshot
 * from the future is replaced by any other, and shows only its time. `holdsPositions`: an
 * unreachable position counts once the next one confirms it.
 */
function knownAfter(
  known: KnownVehicle | undefined,
  report: VehicleReport,
  now: number,
  holdsPositions = false,
): KnownVehicle {
  const { vehicleId, name, licensePlate, snapshot } = report;
  if (known !== undefined && (snapshot === null || isOutdated(snapshot, known, now))) {
    return { ...known, name, licensePlate };
  }
  const timestamp = snapshot?.timestamp ?? null;
  if (snapshot === null || isAhead(timestampMs(timestamp), now)) {
    const nothing = { position: null, speedKmh: null, direction: null, engineOn: null, driverId: null, snapshot: null };
    return { vehicleId, name, licensePlate, timestamp, ...nothing };
  }
  const { fix, gpsSpeedKmh: speedKmh, direction, engineOn, driverId, live } = readSnapshot(snapshot);
  const current =
    holdsPositions || fix === null ? positionAfter(known ?? { position: null }, fix) : { position: positionOf(fix) };
  return {
    vehicleId,
    name,
    licensePlate,
    timestamp,
    ...current,
    speedKmh,
    direction,
    engineOn,
    driverId,
    snapshot: live,
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

function vehicleAt({ snapshot, positions: _, ...shown }: KnownVehicle, options: LiveStatusOptions): WatchedVehicle {
  return { ...shown, status: liveStatus(snapshot, options) };
}

/** Returns the vehicle of a caller's `previous`. */
function knownFrom({ status: _, ...vehicle }: WatchedVehicle): KnownVehicle {
  const { timestamp, speedKmh, engineOn } = vehicle;
  const snapshot = { timestamp, gps: { speed: speedKmh }, ignition: { engineStatus: engineOn } };
  return { ...vehicle, snapshot: timestamp === null ? null : snapshot };
}
