// What a trip is, and what it is read from. The definitions stand in docs/telemetry.md.

/** A point of WGS 84, in degrees. */
export interface TripPosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** A drive of one vehicle: a run of ignition-on. */
export interface Trip {
  /** The same for the same trip, whichever period it was read from: made of vehicle and start. */
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339, UTC: the first snapshot with the ignition on. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the first snapshot with the ignition off again, or the last one before a silence. Null while open. */
  readonly endedAt: string | null;
  /** RFC 3339, UTC: the last snapshot that belongs to the trip. */
  readonly lastSeenAt: string;
  /** Not ended at the end of the snapshots. What is told of it is what is known so far. */
  readonly isOpen: boolean;
  /** What ended it: the ignition, or that nothing came any more. Null while open. */
  readonly endedBy: 'ignition' | 'silence' | null;
  /** False when the ignition was on from the very first snapshot: the trip may have begun before it. */
  readonly isStartKnown: boolean;
  /** Everybody who was identified, in the order they came. */
  readonly driverIds: readonly string[];
  /** Kilometres. */
  readonly distanceKm: number;
  /** What the distance was read from; `none`: there was neither odometer nor two positions. */
  readonly distanceBy: 'odometer' | 'positions' | 'none';
  /** From start to end, or to what was seen last. */
  readonly durationSeconds: number;
  readonly movingSeconds: number;
  /** Ignition on, standing. */
  readonly idleSeconds: number;
  /** Kilometres an hour; null when no speed was reported. */
  readonly topSpeedKmh: number | null;
  /** Distance over moving time, in kilometres an hour; null when it never moved. */
  readonly meanSpeedKmh: number | null;
  /** As much as the counter in `fuelBy` has gone up; null when there was none. */
  readonly fuelUsed: number | null;
  /** canTripFuelUsed is in litres by contract; of the other two it gives no unit. */
  readonly fuelBy: 'canTripFuelUsed' | 'canhrFuelUsed' | 'canFuelUsed' | null;
  /** How often each `driverBehaviourType` was reported. */
  readonly harshEvents: Readonly<Record<string, number>>;
  readonly startPosition: TripPosition | null;
  readonly endPosition: TripPosition | null;
  /** How many snapshots it was read from. */
  readonly snapshots: number;
}

/** The parts of a snapshot that trips are read from. Any of them may be missing. */
export interface TripSnapshot {
  readonly vehicleId?: string | null;
  readonly timestamp?: string | number | null;
  readonly gps?: {
    readonly latitude?: number | null;
    readonly longitude?: number | null;
    readonly speed?: number | null;
  } | null;
  readonly ignition?: { readonly engineStatus?: boolean | null } | null;
  readonly driver?: { readonly driverId?: string | null } | null;
  readonly driverBehaviour?: { readonly driverBehaviourType?: string | null } | null;
  readonly canBus?: {
    readonly canDistance?: number | null;
    readonly canTripFuelUsed?: number | null;
    readonly canhrFuelUsed?: number | null;
    readonly canFuelUsed?: number | null;
  } | null;
}

export interface TripOptions {
  /** Ignition off for so long ends a trip, in milliseconds. Default 120000: two minutes. */
  readonly closeAfterMs?: number | undefined;
  /** No snapshot for so long ends a trip at the last one before, in milliseconds. Default 21600000: six hours. */
  readonly silenceMs?: number | undefined;
  /** Snapshots that come late are put in order when they are late by no more than this, in milliseconds. Default 60000. */
  readonly lateMs?: number | undefined;
  /** A faster step between two positions, or of the odometer, is taken for an error. Default 250 km/h. */
  readonly fastestKmh?: number | undefined;
  /** At this speed and above a vehicle is moving. Default 2 km/h. */
  readonly movingKmh?: number | undefined;
}
