// The types of the telemetry, independent of GraphQL: vehicle, snapshot row, trip. A missing group
// of a row is null; a missing CAN bus field is absent.
import type { CanBus } from '../../generated/contract-types.js';

export type VehicleKind = 'car' | 'van' | 'truck';

/** A vehicle's inputs to the telemetry; everything else derives from its id. */
export interface TelemetryVehicle {
  readonly id: string;
  readonly kind: VehicleKind;
  /** Name of a region in `regions`; unknown names get a region by hash. */
  readonly region: string;
  /** Index in its fleet, from 0, which determines its duty (roster.ts). */
  readonly place: number;
  /** Installation of the device in epoch milliseconds. No earlier rows, no leg in progress. */
  readonly deviceSince: number;
  /** Deactivation in epoch milliseconds, or null. No later rows, no leg in progress. */
  readonly deviceUntil: number | null;
  readonly hasDevice: boolean;
}

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

export interface TelemetryRow {
  readonly vehicleId: string;
  /** In epoch milliseconds. */
  readonly timestamp: number;
  readonly gps: GpsRow | null;
  readonly ignition: IgnitionRow | null;
  readonly canBus: CanBusRow | null;
  readonly driverBehaviour: DriverBehaviourRow | null;
  readonly temperatures: TemperaturesRow | null;
  readonly fleetMetaSensors: FleetMetaSensorsRow | null;
  readonly fuel: FuelRow | null;
  readonly misc: MiscRow | null;
  /** Measurement time of the position, earlier if there is no new fix; null when `gps` is. */
  readonly locationTimestamp: number | null;
  readonly locationTimeZone: string | null;
  /** Totals at `timestamp` for `Vehicle.lastOdometer` and `LatestData`; not part of a snapshot. */
  readonly odometerKm: number;
  readonly engineHours: number;
}

export interface SimulatedPosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** The ground truth of one trip from engine start to engine stop, independent of its rows. */
export interface TripTruth {
  readonly vehicleId: string;
  /** Timestamp of the first row with the engine on. */
  readonly start: number;
  /** Timestamp of the first row with the engine off again. */
  readonly end: number;
  readonly distanceKm: number;
  readonly fuelLitres: number;
  /** Standing with the engine on. */
  readonly idleMs: number;
  readonly topSpeedKmh: number;
  /** Reported events by type; types without events are absent. */
  readonly harshEvents: { readonly [Type in HarshEventType]?: number };
  readonly startPosition: SimulatedPosition;
  readonly endPosition: SimulatedPosition;
  readonly startOdometerKm: number;
  readonly endOdometerKm: number;
}

/** The part of a trip within a period. The parts of consecutive periods add up to the trip. */
export interface TripPart extends Omit<TripTruth, 'vehicleId' | 'startPosition' | 'endPosition'> {
  readonly isContinued: boolean;
}

export interface Telemetry {
  /** Returns the rows with `from <= timestamp <= to` in response order, which is mostly by time. */
  snapshots(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TelemetryRow>;
  /** Returns the newest row that is not after `at`; of rows with equal times, the last one. */
  latest(vehicle: TelemetryVehicle, at: number): TelemetryRow | null;
  trips(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TripTruth>;
  tripParts(vehicle: TelemetryVehicle, from: number, to: number): Iterable<TripPart>;
  /** Returns a text that identifies the rows of equal periods; null when they change over time. */
  rowsKey(vehicle: TelemetryVehicle): string | null;
}
