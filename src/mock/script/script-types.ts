// What a test says about a vehicle: the rows it sends, or the path it takes.
import type {
  CanBus,
  DriverBehaviour,
  FleetMetaSensors,
  Fuel,
  Gps,
  Misc,
  Temperatures,
} from '../../generated/contract-types.js';

/** Epoch milliseconds, RFC 3339 text or a Date. */
export type ScriptTime = number | string | Date;

/** WGS 84, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A row as the vehicle sends it. A group that is left out is missing from the row, as it is in many rows of live services. */
export interface ScriptedRow {
  /** The row's timestamp. */
  readonly at: ScriptTime;
  /** When the row reaches the service: no answer has it before. Default: at its own timestamp. */
  readonly arrivesAt?: ScriptTime | undefined;
  /** Speed in km/h, altitude in metres. `{ state: false, latitude: 0, longitude: 0 }` is what devices send without a fix. */
  readonly gps?: Readonly<Gps> | undefined;
  /** True while the engine is on. */
  readonly ignition?: boolean | undefined;
  readonly canBus?: Readonly<CanBus> | undefined;
  readonly driverBehaviour?: Readonly<DriverBehaviour> | undefined;
  readonly temperatures?: Readonly<Temperatures> | undefined;
  readonly fleetMetaSensors?: Readonly<FleetMetaSensors> | undefined;
  readonly fuel?: Readonly<Fuel> | undefined;
  readonly misc?: Readonly<Misc> | undefined;
  /** For `Vehicle.lastOdometer` and reports, in km. Default: the last row's, plus the distance between the positions. */
  readonly odometerKm?: number | undefined;
  /** For `Vehicle.lastWorkingHours` and reports. Default: the last row's, plus the time with the engine on. */
  readonly engineHours?: number | undefined;
}

/** The groups that the rows of a path have. */
export type PathGroup = 'gps' | 'ignition' | 'canBus';

/** How the rows of a step look. */
interface StepRows {
  /** Time between rows. Default 10 s with the engine on, 1800 s with the engine off. */
  readonly everySeconds?: number | undefined;
  /** Groups that the rows lack. */
  readonly without?: readonly PathGroup[] | undefined;
  /** True: the rows have the position 0, 0 and `gps.state` false, as devices send without a fix. */
  readonly noFix?: boolean | undefined;
  /** How long after its timestamp each row reaches the service. Default 0. */
  readonly lateMinutes?: number | undefined;
}

/** Drives in a straight line, at one speed. Give either the time or the speed. */
export type MoveStep = StepRows & { readonly kind: 'move'; readonly to: Place } & (
    | { readonly minutes: number; readonly speedKmh?: undefined }
    | { readonly speedKmh: number; readonly minutes?: undefined }
  );

/** Stands with the engine on. */
export interface IdleStep extends StepRows {
  readonly kind: 'idle';
  readonly minutes: number;
}

/** Stands with the engine off. */
export interface StopStep extends StepRows {
  readonly kind: 'stop';
  readonly minutes: number;
}

/** Sends nothing. With `to`, the vehicle is there afterwards. */
export interface SilenceStep {
  readonly kind: 'silence';
  readonly minutes: number;
  readonly to?: Place | undefined;
}

/** Carries another device from now on: its serial number, and its odometer and engine hours from their start. */
export interface SwapDeviceStep {
  readonly kind: 'swapDevice';
  readonly serial: string;
  /** What the new device counts from, in km. Default 0. */
  readonly odometerKm?: number | undefined;
}

export type PathStep = MoveStep | IdleStep | StopStep | SilenceStep | SwapDeviceStep;

/** The way of a vehicle, step after step. */
export interface ScriptedPath {
  readonly from: ScriptTime;
  readonly start: Place;
  /** Default 10,000. */
  readonly odometerKm?: number | undefined;
  readonly steps: readonly PathStep[];
}

/** The rows of a vehicle in the order in which the service answers them, or its path. */
export type VehicleScript = readonly ScriptedRow[] | ScriptedPath;
