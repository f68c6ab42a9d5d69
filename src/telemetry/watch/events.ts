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
  /** The time of the last snapshot, as the service sent it; `toDate` reads it. Null when there is no snapshot. */
  readonly timestamp: Timestamp | null;
  /**
   * The last position with a fix that is known, in degrees (WGS 84). The newest snapshot may have none. In events of geofences, one that no
   * vehicle can reach counts when the next one confirms it.
   */
  readonly position: TripPosition | null;
  /** Kilometres per hour; null when the last snapshot has none. */
  readonly speedKmh: number | null;
  /** Degrees clockwise from north; null when the last snapshot has none. */
  readonly direction: number | null;
  readonly engineOn: boolean | null;
  /** The driver that the last snapshot identifies; null when it identifies none. */
  readonly driverId: string | null;
}

/** A geofence, in the events about it. */
export interface WatchedGeofence {
  readonly geofenceId: string;
  readonly name: string | null;
}

/** A vehicle that is in a geofence. */
export interface GeofenceVisit {
  readonly vehicle: WatchedVehicle;
  readonly geofence: WatchedGeofence;
}

export type TimedEvent = {
  /** RFC 3339, UTC: when the answer arrived that showed it, or when a request failed; by the clock of the service. */
  readonly at: string;
};

/** The whole board: the first event with `{ snapshot: true }`. */
export type BoardEvent = TimedEvent & {
  readonly type: 'snapshot';
  readonly vehicles: readonly WatchedVehicle[];
};

/** A vehicle that was not there before. */
export type AppearedEvent = TimedEvent & {
  readonly type: 'appeared';
  readonly vehicle: WatchedVehicle;
};

/**
 * - `moved`: it is at least `minMoveMetres` from its position in the last event, or its position is known for the first time
 * - `statusChanged`: its live status is another one, because of a new snapshot or because the last one has become too old
 * - `updated`: neither, but a newer snapshot came, or its name, plate or driver changed
 *
 * A vehicle that moved and whose status changed has an event of each; both have the same `vehicle`.
 */
export type ChangedEvent = TimedEvent & {
  readonly type: 'moved' | 'statusChanged' | 'updated';
  readonly vehicle: WatchedVehicle;
  /** The vehicle before the change. */
  readonly previous: WatchedVehicle;
};

/** The service no longer lists the vehicle: deleted, or no longer visible to the user. */
export type GoneEvent = TimedEvent & {
  readonly type: 'gone';
  /** The vehicle as it was last seen. */
  readonly vehicle: WatchedVehicle;
};

/**
 * The service does not answer. Emitted once; the watch asks again, with growing pauses, until it
 * does.
 */
export type OutageEvent = TimedEvent & {
  readonly type: 'outage';
  /** RFC 3339, UTC: the last answer; without one, the beginning of the watch. */
  readonly since: string;
  readonly error: FleetError;
};

/** The service answers again. The changes in the meantime follow. */
export type RecoveredEvent = TimedEvent & {
  readonly type: 'recovered';
  /** RFC 3339, UTC: the last answer before the outage; without one, the beginning of the watch. */
  readonly since: string;
};

/** An item of `watchStatus`; `type` distinguishes them. */
export type StatusEvent = BoardEvent | AppearedEvent | ChangedEvent | GoneEvent | OutageEvent | RecoveredEvent;

/** The visits at the begin: the first event with `{ snapshot: true }`. */
export type VisitsEvent = TimedEvent & {
  readonly type: 'snapshot';
  readonly visits: readonly GeofenceVisit[];
};

/**
 * A vehicle has entered a geofence or left it. `because`:
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

/** The options that all watches have. */
export interface WatchOptions {
  /** Pause from an answer to the next request in milliseconds. Default 30000. After a failure it grows from 1 s to a minute, or to `intervalMs`. */
  readonly intervalMs?: number | undefined;
  /** The vehicles to watch. Default: every vehicle that is visible to the user. */
  readonly vehicleIds?: readonly string[] | undefined;
  /** Leave out deactivated vehicles. Not together with `vehicleIds`. Default false. */
  readonly active?: boolean | undefined;
  /** Yields the whole state as first event. Default false: the first answer yields nothing. */
  readonly snapshot?: boolean | undefined;
  /** Ends the watch: the pending `next()` rejects with AbortError, or TimeoutError of a time limit; `cause` is the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Total time for one request in milliseconds; a slower answer is an outage. Default: 30 s, and no more than the client's `timeoutMs`. If
   * `intervalMs` is shorter, a request that brings no byte for that time, but at least 10 s, is an outage too.
   */
  readonly timeoutMs?: number | undefined;
}

export interface WatchStatusOptions extends WatchOptions {
  /**
   * The vehicles as they were last known, for example from before a restart of the program: the first answer is compared with
   * them, so that nothing that happened in the meantime is missed. Default: none, so the first answer is what later ones are compared with.
   */
  readonly previous?: readonly WatchedVehicle[] | undefined;
  /**
   * A vehicle has moved when it is so far from its position in the last event, in metres. Less is
   * `updated`. Default 10.
   */
  readonly minMoveMetres?: number | undefined;
  /** As of `liveStatus`. Default 90 minutes. */
  readonly staleAfterMs?: number | undefined;
  /** As of `liveStatus`. Default 6 hours. */
  readonly offlineAfterMs?: number | undefined;
}

/** A stay of a vehicle in a geofence, to go on from. */
export type KnownVisit = {
  readonly vehicleId: string;
  readonly geofenceId: string;
};

export interface WatchGeofencesOptions extends WatchOptions {
  /** The geofences to watch. Default: every geofence that is visible to the user. */
  readonly geofenceIds?: readonly string[] | undefined;
  /**
   * The visits as they were last known, for example before a restart: the first answer is compared
   * with them. Default: none, so the first answer is what later ones are compared with.
   */
  readonly previous?: readonly KnownVisit[] | undefined;
  /** A vehicle has left a geofence when it is farther than this from its edge, in metres. Default 50. */
  readonly hysteresisMetres?: number | undefined;
  /**
   * The radius in metres of geofences that are a point or a line without one. Default: those are
   * not watched.
   */
  readonly radiusMetres?: number | undefined;
  /** The time in milliseconds after which geofences are read again. Default 10 minutes. */
  readonly refreshMs?: number | undefined;
}
