// The vehicles of a watch, and the changes by an answer: a state machine without clock.
import { greatCircleKm } from '../../core/geo.js';
import { type CurrentPosition, nextPosition } from '../current-position.js';
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
  readonly #byId = new Map<string, BoardVehicle>();
  /** The vehicles after the last `take`. */
  #reported: ReadonlyMap<string, WatchedVehicle>;
  /** Positions in the last event of each vehicle: moves are measured from there, and add up. */
  readonly #anchors = new Map<string, TripPosition>();

  /** `previous`: the first answer is compared with these vehicles. */
  constructor(rules: BoardRules, previous: readonly WatchedVehicle[] = []) {
    this.#rules = rules;
    this.#reported = new Map(previous.map((vehicle) => [vehicle.vehicleId, vehicle]));
    for (const vehicle of previous) {
      this.#byId.set(vehicle.vehicleId, restoreVehicle(vehicle));
      if (vehicle.position !== null) this.#anchors.set(vehicle.vehicleId, vehicle.position);
    }
  }

  /** Returns the current vehicles with their status at `now`, in order of appearance. */
  vehicles(now: number): readonly WatchedVehicle[] {
    return [...this.#byId.values()].map((vehicle) => this.#at(vehicle, now));
  }

  /** Applies an answer and returns its changes. `now`: its arrival, by the clock of the service. */
  take({ vehicles, isComplete }: FleetAnswer, now: number): readonly BoardChange[] {
    const listed = new Set<string>();
    for (const report of vehicles) {
      listed.add(report.vehicleId);
      const cached = this.#byId.get(report.vehicleId);
      this.#byId.set(report.vehicleId, updateVehicle(cached, report, now, this.#rules.holdsPositions));
    }
    if (isComplete) for (const id of [...this.#byId.keys()]) if (!listed.has(id)) this.#byId.delete(id);
    const before = this.#reported;
    const after = new Map([...this.#byId].map(([id, vehicle]) => [id, this.#at(vehicle, now)]));
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

  #at(vehicle: BoardVehicle, now: number): WatchedVehicle {
    const { staleAfterMs, offlineAfterMs } = this.#rules;
    return withStatus(vehicle, { staleAfterMs, offlineAfterMs, now });
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
interface BoardVehicle extends Omit<WatchedVehicle, 'status' | 'position'>, CurrentPosition {
  /** The fields that the status depends on. */
  readonly snapshot: LiveSnapshot | null;
}

/**
 * Returns the vehicle after a report. Without a newer snapshot, only name and plate change: answers
 * may come out of order, a resolver may fail, and the clock of a device may be wrong. A snapshot
 * from the future is replaced by any other, and shows only its time. `holdsPositions`: an
 * unreachable position counts once the next one confirms it.
 */
function updateVehicle(
  cached: BoardVehicle | undefined,
  report: VehicleReport,
  now: number,
  holdsPositions = false,
): BoardVehicle {
  const { vehicleId, name, licensePlate, snapshot } = report;
  if (cached !== undefined && (snapshot === null || isOutdated(snapshot, cached, now))) {
    return { ...cached, name, licensePlate };
  }
  const timestamp = snapshot?.timestamp ?? null;
  if (snapshot === null || isAhead(timestampMs(timestamp), now)) {
    const unknownValues = {
      position: null,
      speedKmh: null,
      direction: null,
      engineOn: null,
      driverId: null,
      snapshot: null,
    };
    return { vehicleId, name, licensePlate, timestamp, ...unknownValues };
  }
  const { fix, gpsSpeedKmh: speedKmh, direction, engineOn, driverId, live } = readSnapshot(snapshot);
  const current =
    holdsPositions || fix === null ? nextPosition(cached ?? { position: null }, fix) : { position: positionOf(fix) };
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

function isOutdated(snapshot: WatchedSnapshot, cached: BoardVehicle, now: number): boolean {
  const cachedAt = timestampMs(cached.timestamp);
  const reportedAt = timestampMs(snapshot.timestamp);
  if (cachedAt === null || isAhead(cachedAt, now)) return false;
  return reportedAt === null || reportedAt < cachedAt || isAhead(reportedAt, now);
}

function withStatus({ snapshot, positions: _, ...shown }: BoardVehicle, options: LiveStatusOptions): WatchedVehicle {
  return { ...shown, status: liveStatus(snapshot, options) };
}

/** Returns the vehicle of a caller's `previous`. */
function restoreVehicle({ status: _, ...vehicle }: WatchedVehicle): BoardVehicle {
  const { timestamp, speedKmh, engineOn } = vehicle;
  const snapshot = { timestamp, gps: { speed: speedKmh }, ignition: { engineStatus: engineOn } };
  return { ...vehicle, snapshot: timestamp === null ? null : snapshot };
}
