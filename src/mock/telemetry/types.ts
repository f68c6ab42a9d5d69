// The types of the telemetry: a vehicle, a snapshot row and a trip, independent of GraphQL. A group of a snapshot is null when the row
// does not have it; a CAN bus field that the row does not have is absent.
import type { CanBus } from '../../generated/contract-types.js';

export type VehicleKind = 'car' | 'van' | 'truck';

/** What the telemetry has to know about a vehicle; everything else follows from its id. */
export interface TelemetryVehicle {
  readonly id: string;
  readonly kind: VehicleKind;
  /** Name of one of `regions`. A vehicle with another name gets one of them by its hash. */
  readonly region: string;
  /** Its index in its fleet, from 0, from which its duty follows (roster.ts). */
  readonly place: number;
  /** When the device was fitted, in epoch milliseconds. There are no rows before, and a leg in progress is not reported. */
  readonly deviceSince: number;
  /** When the vehicle was taken out of use; null while it is in use. There are no rows after, and a leg in progress is not reported. */
  readonly deviceUntil: number | null;
  readonly hasDevice: boolean;
}

/** An entry of one of the contract's map types. */
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

/** The CAN bus fields of a row. */
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
  /** When the position was measured: before `timestamp` when there was no new fix; null when `gps` is. */
  readonly locationTimestamp: number | null;
  readonly locationTimeZone: string | null;
  /** The totals at `timestamp`. Not part of a snapshot; for `Vehicle.lastOdometer` and `LatestData`. */
  readonly odometerKm: number;
  readonly engineHours: number;
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The ground truth of one trip, from the start of the engine to its stop, whatever its rows report. */
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
  /** How often each event was reported; a type without events is absent. */
  readonly harshEvents: { readonly [Type in HarshEventType]?: number };
  readonly startPosition: Position;
  readonly endPosition: Position;
  readonly startOdometerKm: number;
  readonly endOdometerKm: number;
}

/** The part of a trip that lies in a period. The parts in periods that follow each other add up to the trip. */
export interface TripPart extends Omit<TripTruth, 'vehicleId' | 'startPosition' | 'endPosition'> {
  /** The trip began before the period. */
  readonly isContinued: boolean;
}

/** Computes the rows and trips of any vehicle. */
export interface Telemetry {
  /** The rows with `from <= timestamp <= to` in the order in which the service returns them, which is mostly by time. */
  snapshots(vehicle: TelemetryVehicle, from: number, to: number): Iterable<SnapshotRow>;
  /** The newest row that is not after `at`; of several with the same time, the last one. */
  latest(vehicle: TelemetryVehicle, at: number): SnapshotRow | null;
  /** The trips that overlap the period, whole even where they extend beyond it. */
  trips(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TripTruth>;
  /** The parts of these trips that lie at `from` or later and before `to`. */
  tripParts(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TripPart>;
  /** A text that is equal where the rows of equal periods are equal; null when they change with the time of reading. */
  rowsKey(vehicle: TelemetryVehicle): string | null;
}
