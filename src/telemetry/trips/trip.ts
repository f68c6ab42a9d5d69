// The types of trips and of their options. docs/telemetry.md defines them.
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

/** A drive of one vehicle, from ignition on to ignition off; of a vehicle whose ignition is not known, while it moves. */
export interface Trip {
  /** Made of vehicle and start, so that a trip has the same id whichever period it was read from. The parts of a clipped trip share it. */
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339, UTC: the first snapshot with the ignition on, or in which it moves. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the first snapshot with the ignition off again or in which it stands, or the last one before a silence. Null while open. */
  readonly endedAt: string | null;
  /** RFC 3339, UTC: the last snapshot that belongs to the trip. */
  readonly lastSeenAt: string;
  /** True when the trip had not ended at the end of the snapshots. Its values are those so far. */
  readonly isOpen: boolean;
  /** What ended it: the ignition, a stop, a silence without snapshots, or with `clip` the end of the period. Null while open. */
  readonly endedBy: 'ignition' | 'stop' | 'silence' | 'period' | null;
  /** False when the ignition was on in the first snapshot, so that the trip may have begun before it. */
  readonly isStartKnown: boolean;
  /** `movement`: the vehicle moved while its ignition was never on, or not known. Such trips end with a stop of five minutes. */
  readonly tripsBy: 'ignition' | 'movement';
  /** The identified drivers, in the order of their first snapshot. */
  readonly driverIds: readonly string[];
  /** Kilometres. */
  readonly distanceKm: number;
  /**
   * The source of the distance: `both` when the odometer stood still or started again in a part of the trip, whose distance is by positions;
   * `none` when there were neither odometer readings nor two positions.
   */
  readonly distanceBy: 'odometer' | 'positions' | 'both' | 'none';
  /** The share by which another source disagrees with the distance, such as 0.2, when it is more than a tenth (speeds: a quarter). Else null. */
  readonly distanceDoubt: number | null;
  /** From the start to the end, or to the last snapshot. */
  readonly durationSeconds: number;
  readonly movingSeconds: number;
  /** Standing with the ignition on. */
  readonly idleSeconds: number;
  /** Times without a snapshot for more than 15 minutes: neither moving nor idle. */
  readonly unseenSeconds: number;
  /** Kilometres per hour; null when no speed was reported. */
  readonly topSpeedKmh: number | null;
  /**
   * Distance divided by moving time, both without what was not seen, in kilometres per hour; at most the top speed. Null when it never moved.
   */
  readonly meanSpeedKmh: number | null;
  /** How much the counter in `fuelBy` has gone up; null when there was none. */
  readonly fuelUsed: number | null;
  /** canTripFuelUsed is in litres; the contract gives no unit for the other two. */
  readonly fuelBy: 'canTripFuelUsed' | 'canhrFuelUsed' | 'canFuelUsed' | null;
  /** How often each `driverBehaviourType` was reported. */
  readonly harshEvents: Readonly<Record<string, number>>;
  readonly startPosition: TripPosition | null;
  readonly endPosition: TripPosition | null;
  /** Number of snapshots of the trip. */
  readonly snapshots: number;
  /** The positions in order of time, only with `withTrack: true`. Empty when no snapshot had a valid position. */
  readonly track?: readonly TripTrackPoint[];
  /** Only with `withDetails: true`. */
  readonly details?: TripDetails;
}

/** What the counters of a vehicle said. Null when the trip has no such reading. */
export interface TripReadings {
  /** Odometer on the CAN bus, kilometres. */
  readonly odometerKm: number | null;
  /** Engine work time, hours. */
  readonly engineHours: number | null;
  /** Fuel in the tank; the contract states no unit, litres are usual. */
  readonly fuel: number | null;
}

/** A part of a trip: of one driver, and on one day. */
export interface TripSegment {
  /** Null when nobody was identified in the whole trip. What was driven before the first driver was identified is part of that one's. */
  readonly driverId: string | null;
  /** The local day on which it begins, such as `2026-03-29`; by `timeZone`, or by UTC where that is not known. */
  readonly day: string;
  /** RFC 3339, UTC: the start of the trip, local midnight, or when another driver was identified. */
  readonly startedAt: string;
  /** RFC 3339, UTC. Null in the last part of an open trip. */
  readonly endedAt: string | null;
  /** In the last part of an open trip: to the last snapshot. */
  readonly durationSeconds: number;
  readonly distanceKm: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
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

/** A time in which every snapshot with a speed was above `speedLimitKmh`. */
export interface TripSpeeding {
  /** RFC 3339, UTC: the first snapshot above the limit. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the last one. */
  readonly endedAt: string;
  /** 0 when only one snapshot was above it. */
  readonly durationSeconds: number;
  readonly topSpeedKmh: number;
  /** Where it began. */
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

/** A geofence to look for in trips. Rows of `getGeofences` fit. */
export interface TripGeofence {
  readonly id: string;
  /** As the service sends it. Points and lines need a `radius` in metres in it. */
  readonly geojson: unknown;
}

/** That a vehicle was in a geofence during a trip. */
export interface TripVisit {
  readonly geofenceId: string;
  /** RFC 3339, UTC: the first position inside. Null when it was there already with the first position of the trip. */
  readonly enteredAt: string | null;
  /** RFC 3339, UTC: the first position more than 50 m outside. Null when it was still there with the last position of the trip. */
  readonly leftAt: string | null;
}

/** What is known of a trip beside its sums. */
export interface TripDetails {
  /** The first time zone of its snapshots, as the service sends it, such as `Europe/Tallinn`. */
  readonly timeZone: string | null;
  /** The first readings of the trip. */
  readonly atStart: TripReadings;
  /** The last readings of the trip, or so far. */
  readonly atEnd: TripReadings;
  /** Who drove when and how far, cut at local midnights. In order; their distances and times add up to those of the trip. */
  readonly segments: readonly TripSegment[];
  /** In order of time. */
  readonly events: readonly TripEvent[];
  /** In order of time. */
  readonly speeding: readonly TripSpeeding[];
  /** In the order in which they began, of the geofences in `geofences`. */
  readonly visits: readonly TripVisit[];
}

/** A trip that was asked for with `withTrack: true`. No interface, because declarations of programs cannot name it. */
export type TripWithTrack = Trip & Required<Pick<Trip, 'track'>>;

/** A trip that was asked for with `withDetails: true`. */
export type TripWithDetails = Trip & Required<Pick<Trip, 'details'>>;

/** A trip that was asked for with both. */
export type TripWithAll = Trip & Required<Pick<Trip, 'track' | 'details'>>;

/** A trip by the options `withTrack` and `withDetails`. A condition, because declarations of programs cannot name what is joined here. */
export type TripOf<Track, Details = false> = false extends Track
  ? false extends Details
    ? Trip
    : TripWithDetails
  : false extends Details
    ? TripWithTrack
    : TripWithAll;

/** The parts of a snapshot that trips are read from. Each of them may be missing. */
export interface TripSnapshot {
  readonly vehicleId?: string | null;
  readonly timestamp?: Timestamp | null;
  readonly gps?: {
    /** False means that position and speed are not valid. */
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
    /** Kilometres per hour. The speeds of the CAN bus are used where `gps` has none. */
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

export interface TripOptions<Track extends boolean = boolean, Details extends boolean = boolean> {
  /** A trip ends when the ignition is off for this many milliseconds. Default 120000: two minutes. */
  readonly closeAfterMs?: number | undefined;
  /** A trip ends at its last snapshot when there is none for this many milliseconds. Default 21600000: six hours. */
  readonly silenceMs?: number | undefined;
  /** Snapshots that are late by up to this many milliseconds are put in order. Default 60000. */
  readonly lateMs?: number | undefined;
  /** A faster step between two positions or odometer readings counts as an error. Default 250 km/h. */
  readonly fastestKmh?: number | undefined;
  /** A vehicle is moving at this speed or faster. Default 2 km/h. */
  readonly movingKmh?: number | undefined;
  /**
   * Whether each trip has its positions as `track`, so that `toGeoJson`, `toGpx` and `toKml` draw the road that was driven. They
   * are held in memory until the trip has ended. Default false.
   */
  readonly withTrack?: Track | undefined;
  /**
   * Whether each trip has `details`: its parts by driver and local day, driving events, times above `speedLimitKmh`, visits of `geofences`, and
   * the odometer, engine hours and fuel at both ends. More fields are read for it. Default false.
   */
  readonly withDetails?: Details | undefined;
  /** For `details.speeding`. Default 90 km/h: the contract does not know the limits of roads. */
  readonly speedLimitKmh?: number | undefined;
  /** For `details.visits`. Default: none. */
  readonly geofences?: readonly TripGeofence[] | undefined;
}

/** The options of `streamTrips`. */
export interface PeriodTripOptions<Track extends boolean = boolean, Details extends boolean = boolean>
  extends TripOptions<Track, Details> {
  /**
   * Whether a trip that goes beyond the period has only what lies inside of it, from `from` on and before `to`: kilometres, times, fuel and
   * events. The parts of a trip in periods that follow each other add up to the trip. `silenceMs` after the period is read too, to know
   * whether a trip went on. Default false: a trip under way at `from` is complete, one under way at `to` is open.
   */
  readonly clip?: boolean | undefined;
}
