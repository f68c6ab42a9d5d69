// The vehicles, events and options of `watchStatus` and `watchGeofences`.
import type { Timestamp } from '../../core/dates.js';
import type { FleetError } from '../../core/errors.js';
import type { LiveStatus } from '../live-status.js';
import type { TripPosition } from '../trips/trip.js';

/** A vehicle as its last snapshot shows it. */
export interface WatchedVehicle {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
  /** As of {@link liveStatus}, at the time of the answer. */
  readonly status: LiveStatus;
  /** The time of the last snapshot, as sent; `toDate` reads it. Null without a snapshot. */
  readonly timestamp: Timestamp | null;
  /**
   * The last known position with a fix, in degrees (WGS 84); the newest snapshot may have none. In
   * events of geofences, an unreachable position counts once the next one confirms it.
   */
  readonly position: TripPosition | null;
  /** Null when the last snapshot has none. */
  readonly speedKmh: number | null;
  /** Degrees clockwise from north; null when the last snapshot has none. */
  readonly direction: number | null;
  readonly engineOn: boolean | null;
  /** The driver identified by the last snapshot. */
  readonly driverId: string | null;
}

export interface WatchedGeofence {
  readonly geofenceId: string;
  readonly name: string | null;
}

export interface GeofenceVisit {
  readonly vehicle: WatchedVehicle;
  readonly geofence: WatchedGeofence;
}

export type TimedEvent = {
  /** RFC 3339, UTC, by the service's clock: the arrival of the answer, or the failure. */
  readonly at: string;
};

/** The whole board: the first event with `{ snapshot: true }`. */
export type BoardEvent = TimedEvent & {
  readonly type: 'snapshot';
  readonly vehicles: readonly WatchedVehicle[];
};

/** A vehicle that was not listed before. */
export type AppearedEvent = TimedEvent & {
  readonly type: 'appeared';
  readonly vehicle: WatchedVehicle;
};

/**
 * - `moved`: at least `minMoveMetres` from its position in the last event, or the first position
 * - `statusChanged`: another live status, by a new snapshot or by the age of the last one
 * - `updated`: neither, but a newer snapshot, or another name, plate or driver
 *
 * A vehicle that moved and changed its status has both events, with the same `vehicle`.
 */
export type ChangedEvent = TimedEvent & {
  readonly type: 'moved' | 'statusChanged' | 'updated';
  readonly vehicle: WatchedVehicle;
  readonly previous: WatchedVehicle;
};

/** A vehicle that the service no longer lists: deleted, or no longer visible to the user. */
export type GoneEvent = TimedEvent & {
  readonly type: 'gone';
  /** The last state of the vehicle. */
  readonly vehicle: WatchedVehicle;
};

/** An outage of the service. Emitted once; the watch retries with growing pauses. */
export type OutageEvent = TimedEvent & {
  readonly type: 'outage';
  /** RFC 3339, UTC: the last answer; without one, the start of the watch. */
  readonly since: string;
  readonly error: FleetError;
};

/** The end of an outage. The changes since the last answer follow. */
export type RecoveredEvent = TimedEvent & {
  readonly type: 'recovered';
  /** RFC 3339, UTC: the last answer before the outage; without one, the start of the watch. */
  readonly since: string;
};

/** An item of `watchStatus`; `type` distinguishes them. */
export type StatusEvent = BoardEvent | AppearedEvent | ChangedEvent | GoneEvent | OutageEvent | RecoveredEvent;

/** The visits at the start: the first event with `{ snapshot: true }`. */
export type VisitsEvent = TimedEvent & {
  readonly type: 'snapshot';
  readonly visits: readonly GeofenceVisit[];
};

/**
 * An entry into a geofence, or a departure. `because`:
 * - `vehicle`: the vehicle moved, appeared, or is gone
 * - `geofence`: the geofence was created, redrawn or deleted around a vehicle
 */
export type VisitEvent = TimedEvent &
  GeofenceVisit & {
    readonly type: 'entered' | 'left';
    readonly because: 'vehicle' | 'geofence';
  };

/** An item of `watchGeofences`; `type` distinguishes them. */
export type GeofenceEvent = VisitsEvent | VisitEvent | OutageEvent | RecoveredEvent;

/** The options of all watches. */
export interface WatchOptions {
  /**
   * The pause from an answer to the next request, in milliseconds. Default 30000. After a failure
   * it grows from 1 s to a minute, or to `intervalMs`.
   */
  readonly intervalMs?: number | undefined;
  /** The vehicles to watch. Default: every vehicle visible to the user. */
  readonly vehicleIds?: readonly string[] | undefined;
  /** True leaves out deactivated vehicles. Not together with `vehicleIds`. Default false. */
  readonly active?: boolean | undefined;
  /** True yields the whole state as first event. Default false: the first answer yields nothing. */
  readonly snapshot?: boolean | undefined;
  /**
   * Ends the watch: the pending `next()` rejects with AbortError, or TimeoutError for a timeout
   * signal; `cause` is the reason of the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * The deadline of one request in milliseconds; a slower answer is an outage. Default: 30 s, but
   * at most the client's `timeoutMs`. By default, a request without a byte for `intervalMs`, at
   * least 10 s, is an outage too.
   */
  readonly timeoutMs?: number | undefined;
}

export interface WatchStatusOptions extends WatchOptions {
  /**
   * The last known vehicles, for example from before a restart: the first answer is compared with
   * them, so no change is missed. Default: none, so later answers are compared with the first one.
   */
  readonly previous?: readonly WatchedVehicle[] | undefined;
  /** The minimum move in metres since the last event for `moved`; less is `updated`. Default 10. */
  readonly minMoveMetres?: number | undefined;
  /** As of `liveStatus`. Default 90 minutes. */
  readonly staleAfterMs?: number | undefined;
  /** As of `liveStatus`. Default 6 hours. */
  readonly offlineAfterMs?: number | undefined;
}

/** A visit of a vehicle in a geofence, to continue from. */
export type PreviousVisit = {
  readonly vehicleId: string;
  readonly geofenceId: string;
};

export interface WatchGeofencesOptions extends WatchOptions {
  /** The geofences to watch. Default: every geofence visible to the user. */
  readonly geofenceIds?: readonly string[] | undefined;
  /**
   * The last known visits, for example from before a restart: the first answer is compared with
   * them. Default: none, so later answers are compared with the first one.
   */
  readonly previous?: readonly PreviousVisit[] | undefined;
  /** The distance from the edge in metres at which a vehicle has left a geofence. Default 50. */
  readonly hysteresisMetres?: number | undefined;
  /** The radius in metres of points and lines without one. Default: those are not watched. */
  readonly radiusMetres?: number | undefined;
  /** The time in milliseconds after which geofences are read again. Default 10 minutes. */
  readonly refreshMs?: number | undefined;
}
