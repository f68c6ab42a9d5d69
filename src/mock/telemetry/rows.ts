/**
 * What the telemetry hands out: the shape of one snapshot row and of one trip, free of GraphQL. A group is null when the
 * row carries nothing of it; a CAN bus field that the row does not carry is absent.
 */
import type { CanBus } from '../../generated/contract-types.js';

export type VehicleKind = 'car' | 'van' | 'truck';

/** What the telemetry must know of a vehicle; everything else follows from its id. */
export interface TelemetryVehicle {
  readonly id: string;
  readonly kind: VehicleKind;
  /** Name of one of `regions`. Any other name is given one of them by its hash. */
  readonly region: string;
  /** Its place in its fleet, from 0: who works when follows from it (roster.ts). */
  readonly place: number;
  /** Epoch milliseconds. There are no rows before, and a drive under way at that moment is not reported. */
  readonly deviceSince: number;
  /** There are no rows after, and a drive under way at that moment is not reported; null while the vehicle is in use. */
  readonly deviceUntil: number | null;
  readonly hasDevice: boolean;
}

/** One entry of the contract's map types. */
export interface Entry<Value> {
  readonly key: number;
  readonly value: Value;
}

export interface GpsRow {
  readonly state: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly direction: number;
  readonly altitude: number;
  readonly speed: number;
  readonly satellites: number;
  readonly hdop: number;
}

export interface IgnitionRow {
  readonly engineStatus: boolean;
}

/** The CAN bus fields a row carries. */
export type CanBusRow = { readonly [Field in keyof CanBus]: NonNullable<CanBus[Field]> };

export type HarshEventType =
  | 'HARSH_BRAKING'
  | 'HARSH_ACCELERATION'
  | 'MAX_SPEED_EXCEEDED'
  | 'SPEED_SIGN_VIOLATION'
  | 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN';

export interface DriverBehaviourRow {
  readonly driverBehaviourType: HarshEventType;
  readonly driverBehaviourValue: number;
}

export interface TemperaturesRow {
  readonly temperatures: readonly Entry<number>[];
  readonly temperatureSensorIds: readonly Entry<string>[];
}

export interface FleetMetaSensorsRow {
  readonly sensors: readonly Entry<number>[];
}

export interface FuelRow {
  readonly fuel: number;
  readonly rawFuel: readonly Entry<number>[];
  readonly pulseCount: number | null;
  readonly fuelLevel: readonly Entry<number>[];
  readonly totalFuelEconomy: number;
  readonly fuelTankSize: number;
}

export interface MiscRow {
  readonly power: number;
  readonly vehicleBusType: string | null;
}

/** One snapshot. */
export interface SnapshotRow {
  readonly vehicleId: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly gps: GpsRow | null;
  readonly ignition: IgnitionRow | null;
  readonly canBus: CanBusRow | null;
  readonly driverBehaviour: DriverBehaviourRow | null;
  readonly temperatures: TemperaturesRow | null;
  readonly fleetMetaSensors: FleetMetaSensorsRow | null;
  readonly fuel: FuelRow | null;
  readonly misc: MiscRow | null;
  /** When the position was taken: older than `timestamp` when there was no new fix; null with `gps`. */
  readonly locationTimestamp: number | null;
  readonly locationTimeZone: string | null;
  /** Not part of the snapshot itself: the totals at `timestamp`, for `Vehicle.lastOdometer` and `LatestData`. */
  readonly odometerKm: number;
  readonly engineHours: number;
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** One drive as it really was, whatever rows reported of it: from the engine's start to its stop. */
export interface TripTruth {
  readonly vehicleId: string;
  /** Timestamp of the first row with the engine on. */
  readonly start: number;
  /** Timestamp of the first row with the engine off again. */
  readonly end: number;
  readonly distanceKm: number;
  readonly fuelLitres: number;
  /** Time standing with the engine on. */
  readonly idleMs: number;
  readonly topSpeedKmh: number;
  /** Reported events; types without any are absent. */
  readonly harshEvents: { readonly [Type in HarshEventType]?: number };
  readonly startPosition: Position;
  readonly endPosition: Position;
  readonly startOdometerKm: number;
  readonly endOdometerKm: number;
}

/** Every row and trip of every vehicle, computed when asked for. */
export interface Telemetry {
  /** The rows with `from <= timestamp <= to`, in the order the service returns them: mostly, not always, by time. */
  snapshots(vehicle: TelemetryVehicle, from: number, to: number): Iterable<SnapshotRow>;
  /** The row with the greatest timestamp that is not after `at`; of several, the one returned last. */
  latest(vehicle: TelemetryVehicle, at: number): SnapshotRow | null;
  /** The trips that overlap the period, whole even where they reach beyond it. */
  trips(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TripTruth>;
}
