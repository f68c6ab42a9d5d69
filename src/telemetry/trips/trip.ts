// The types of trips, and their options. docs/telemetry.md defines them.
import type { Timestamp } from '../../core/dates.js';

/** A WGS 84 position in degrees. */
export interface TripPosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** One position of a trip. */
export interface TripTrackPoint extends TripPosition {
  /** RFC 3339, UTC. */
  readonly time: string;
}

/** A drive of one vehicle, from ignition on to off; by movement when the ignition is unknown. */
export interface Trip {
  /** Made of vehicle and start: stable across periods. The parts of a clipped trip share it. */
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339, UTC: the first snapshot with the ignition on, or of the movement. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the first snapshot off or at rest, or the last before silence; null if open. */
  readonly endedAt: string | null;
  /** RFC 3339, UTC: the last snapshot that belongs to the trip. */
  readonly lastSeenAt: string;
  /** True when the trip had not ended at the last snapshot. Its values are those so far. */
  readonly isOpen: boolean;
  /** The reason of the end; `period` only with `clip`. Null while open. */
  readonly endedBy: 'ignition' | 'stop' | 'silence' | 'period' | null;
  /** False when the ignition was on in the first snapshot: the trip may have begun earlier. */
  readonly isStartKnown: boolean;
  /** `movement`: the ignition was never on, or is unknown. Such trips end with a 5-minute stop. */
  readonly tripsBy: 'ignition' | 'movement';
  /** The identified drivers, in the order of their first snapshot. */
  readonly driverIds: readonly string[];
  readonly distanceKm: number;
  /**
   * The source of the distance. `both`: the odometer froze or restarted, and positions replace it
   * there. `none`: neither odometer readings nor two positions.
   */
  readonly distanceBy: 'odometer' | 'positions' | 'both' | 'none';
  /** The share by which another source disagrees, above a tenth (speeds: a quarter). Else null. */
  readonly distanceDoubt: number | null;
  /** From the start to the end, or to the last snapshot. */
  readonly durationSeconds: number;
  readonly movingSeconds: number;
  /** Standing with the ignition on. */
  readonly idleSeconds: number;
  /** Times without a snapshot for more than 15 minutes: neither moving nor idle. */
  readonly unseenSeconds: number;
  /** Null when no speed was reported. */
  readonly topSpeedKmh: number | null;
  /** Distance by moving time, without unseen times; at most the top speed. Null if never moved. */
  readonly meanSpeedKmh: number | null;
  /** The increase of the counter in `fuelBy`; null without one. */
  readonly fuelUsed: number | null;
  /** canTripFuelUsed is in litres; the contract gives no unit for the other two. */
  readonly fuelBy: 'canTripFuelUsed' | 'canhrFuelUsed' | 'canFuelUsed' | null;
  /** The number of reports by `driverBehaviourType`. */
  readonly harshEvents: Readonly<Record<string, number>>;
  readonly startPosition: TripPosition | null;
  readonly endPosition: TripPosition | null;
  readonly snapshots: number;
  /** The positions in order of time, only with `withTrack: true`. Empty without valid positions. */
  readonly track?: readonly TripTrackPoint[];
  /** Only with `withDetails`. */
  readonly details?: TripDetails;
}

/** The counters of a vehicle; null without a reading in the trip. */
export interface TripReadings {
  /** From the CAN bus. */
  readonly odometerKm: number | null;
  /** Engine work time. */
  readonly engineHours: number | null;
  /** Fuel in the tank. The contract states no unit; litres are usual. */
  readonly fuel: number | null;
}

/** A part of a trip, of one driver on one day. */
export interface TripSegment {
  /** Null without any identified driver. The first driver also gets the time before. */
  readonly driverId: string | null;
  /** The local day of its start, such as `2026-03-29`; by the `timeZone` of the details. */
  readonly day: string;
  /** RFC 3339, UTC: the start of the trip, local midnight, or the change of the driver. */
  readonly startedAt: string;
  /** RFC 3339, UTC. Null in the last part of an open trip. */
  readonly endedAt: string | null;
  /** In an open trip: to the last snapshot. */
  readonly durationSeconds: number;
  readonly distanceKm: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
  readonly unseenSeconds: number;
  /** Null when no speed was reported. */
  readonly topSpeedKmh: number | null;
  readonly meanSpeedKmh: number | null;
  /** The increase of the counter in `fuelBy` of the trip; null without one. */
  readonly fuelUsed: number | null;
  /** The number of reports by `driverBehaviourType`. */
  readonly harshEvents: Readonly<Record<string, number>>;
  readonly startPosition: TripPosition | null;
  readonly endPosition: TripPosition | null;
  readonly snapshots: number;
  /** The last reading until its start, or the first of the trip; null without one. */
  readonly odometerStartKm: number | null;
  /** The last reading until its end; null without one. */
  readonly odometerEndKm: number | null;
}

/** A driving event that the device reported, such as harsh braking. */
export interface TripEvent {
  /** `driverBehaviourType`, as the service sends it. */
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  /** `driverBehaviourValue`; the contract states no unit. */
  readonly value: number | null;
  readonly speedKmh: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

/** A stretch in which every snapshot with a speed was above `speedLimitKmh`. */
export interface TripSpeeding {
  /** RFC 3339, UTC: the first snapshot above the limit. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the last snapshot above the limit. */
  readonly endedAt: string;
  /** 0 for a single snapshot. */
  readonly durationSeconds: number;
  readonly topSpeedKmh: number;
  /** The position at its start. */
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

/** A geofence to find visits of. Rows of `getGeofences` are assignable. */
export interface TripGeofence {
  readonly id: string;
  /** As the service sends it. Points and lines need a `radius` in metres in it. */
  readonly geojson: unknown;
}

/** A visit of a geofence during a trip. */
export interface TripVisit {
  readonly geofenceId: string;
  /** RFC 3339, UTC: the first position inside. Null when the trip began inside. */
  readonly enteredAt: string | null;
  /** RFC 3339, UTC: the first position more than 50 m outside. Null when the trip ended inside. */
  readonly leftAt: string | null;
}

/** The details of a trip. */
export interface TripDetails {
  /** The first time zone in its snapshots, as sent, such as `Europe/Tallinn`. */
  readonly timeZone: string | null;
  /** The first readings of the trip. */
  readonly atStart: TripReadings;
  /** The last readings so far. */
  readonly atEnd: TripReadings;
  /** By driver and local day, in order. Their distances, times and fuel add up to the trip. */
  readonly segments: readonly TripSegment[];
  /** In order of time. */
  readonly events: readonly TripEvent[];
  /** In order of time. */
  readonly speeding: readonly TripSpeeding[];
  /** In order of their start; for the geofences in `geofences`. */
  readonly visits: readonly TripVisit[];
}

/** A trip read with `withTrack: true`. A type alias: declaration files can inline it. */
export type TripWithTrack = Trip & Required<Pick<Trip, 'track'>>;

/** A trip read with `withDetails`. */
export type TripWithDetails = Trip & Required<Pick<Trip, 'details'>>;

/** A trip read with both. */
export type TripWithAll = Trip & Required<Pick<Trip, 'track' | 'details'>>;

/** The trip type for both options. Conditional, so that declaration files can inline it. */
export type TripOf<Track, Details = false> = false extends Track
  ? false extends Details
    ? Trip
    : TripWithDetails
  : false extends Details
    ? TripWithTrack
    : TripWithAll;

/** The part of a snapshot that trips use. Each member may be missing. */
export interface TripSnapshot {
  readonly vehicleId?: string | null;
  readonly timestamp?: Timestamp | null;
  readonly gps?: {
    /** False: position and speed are invalid. */
    readonly state?: boolean | null;
    readonly latitude?: number | null;
    readonly longitude?: number | null;
    readonly speed?: number | null;
  } | null;
  readonly ignition?: { readonly engineStatus?: boolean | null } | null;
  readonly driver?: { readonly driverId?: string | null } | null;
  readonly driverBehaviour?: {
    readonly driverBehaviourType?: string | null;
    readonly driverBehaviourValue?: number | null;
  } | null;
  readonly canBus?: {
    /** In km/h. Used when `gps` has no speed. */
    readonly canSpeed?: number | null;
    readonly canWheelSpeed?: number | null;
    readonly canDistance?: number | null;
    readonly canTripFuelUsed?: number | null;
    readonly canhrFuelUsed?: number | null;
    readonly canFuelUsed?: number | null;
    readonly engineWorkTime?: number | null;
  } | null;
  readonly fuel?: { readonly fuel?: number | null } | null;
  readonly locationTimeZone?: string | null;
}

export interface TripOptions<Track extends boolean = boolean, Details extends boolean | 'parts' = boolean | 'parts'> {
  /** The time in milliseconds with the ignition off that ends a trip. Default 120000: 2 minutes. */
  readonly closeAfterMs?: number | undefined;
  /** The silence in milliseconds that ends a trip at its last snapshot. Default 21600000: 6 h. */
  readonly silenceMs?: number | undefined;
  /** Snapshots that are late by up to this many milliseconds are sorted. Default 60000. */
  readonly lateMs?: number | undefined;
  /** A faster step between two positions or odometer readings is an error. Default 250 km/h. */
  readonly fastestKmh?: number | undefined;
  /** The speed from which a vehicle moves. Default 2 km/h. */
  readonly movingKmh?: number | undefined;
  /**
   * True adds the positions as `track`, so that `toGeoJson`, `toGpx` and `toKml` draw the driven
   * road. They are in memory until the trip has ended. Default false.
   */
  readonly withTrack?: Track | undefined;
  /**
   * True adds `details`: parts by driver and local day, driving events, times above
   * `speedLimitKmh`, visits of `geofences`, and odometer, engine hours and fuel at both ends. It
   * reads more fields. `parts` reads no more fields than without: then engine hours, fuel in the
   * tank, the values of events and the time zone of the vehicle are null. Default false.
   */
  readonly withDetails?: Details | undefined;
  /** For `details.speeding`. Default 90 km/h: the contract does not know the limits of roads. */
  readonly speedLimitKmh?: number | undefined;
  /** For `details.visits`. Default: none. */
  readonly geofences?: readonly TripGeofence[] | undefined;
  /**
   * The IANA time zone of the days in `details.segments`; `local` is that of the machine. Default:
   * the zone in the snapshots of the vehicle, else UTC.
   */
  readonly timeZone?: string | undefined;
}

/** The options of `streamTrips`. */
export interface PeriodTripOptions<
  Track extends boolean = boolean,
  Details extends boolean | 'parts' = boolean | 'parts',
> extends TripOptions<Track, Details> {
  /**
   * True cuts a trip to its part in the period, from `from` on and before `to`: kilometres, times,
   * fuel and events. The parts in consecutive periods add up to the trip. `silenceMs` after the
   * period is read too, to see if a trip continued. Default false: a trip in progress at `from` is
   * complete, and one in progress at `to` is open.
   */
  readonly clip?: boolean | undefined;
}
