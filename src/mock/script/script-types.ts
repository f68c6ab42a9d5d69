// The types of scripts, which define a vehicle's rows or its path.
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

/** A position in degrees (WGS 84). */
export interface ScriptPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** A row of a vehicle. Missing groups stay missing, as in many rows of live services. */
export interface ScriptedRow {
  readonly at: ScriptTime;
  /** Time at which the service receives the row and first returns it. Default: its timestamp. */
  readonly arrivesAt?: ScriptTime | undefined;
  /** In km/h and metres. No fix: `{ state: false, latitude: 0, longitude: 0 }`. */
  readonly gps?: Readonly<Gps> | undefined;
  /** True while the engine is on. */
  readonly ignition?: boolean | undefined;
  readonly canBus?: Readonly<CanBus> | undefined;
  readonly driverBehaviour?: Readonly<DriverBehaviour> | undefined;
  readonly temperatures?: Readonly<Temperatures> | undefined;
  readonly fleetMetaSensors?: Readonly<FleetMetaSensors> | undefined;
  readonly fuel?: Readonly<Fuel> | undefined;
  readonly misc?: Readonly<Misc> | undefined;
  /** In km, for `Vehicle.lastOdometer` and reports. Default: computed from the previous row. */
  readonly odometerKm?: number | undefined;
  /** In hours, for `Vehicle.lastWorkingHours` and reports. Default: from the previous row. */
  readonly engineHours?: number | undefined;
}

export type PathGroup = 'gps' | 'ignition' | 'canBus';

interface StepRows {
  /** Time between rows. Default 10 s with the engine on, 1800 s with the engine off. */
  readonly everySeconds?: number | undefined;
  /** Missing groups. */
  readonly without?: readonly PathGroup[] | undefined;
  /** True: position 0, 0 and `gps.state` false, as devices send without a fix. */
  readonly noFix?: boolean | undefined;
  /** Delay between timestamp and arrival of each row. Default 0. */
  readonly lateMinutes?: number | undefined;
}

/** A drive in a straight line at constant speed, given by duration or speed. */
export type MoveStep = StepRows & { readonly kind: 'move'; readonly to: ScriptPlace } & (
    | { readonly minutes: number; readonly speedKmh?: undefined }
    | { readonly speedKmh: number; readonly minutes?: undefined }
  );

/** A stop with the engine on. */
export interface IdleStep extends StepRows {
  readonly kind: 'idle';
  readonly minutes: number;
}

/** A stop with the engine off. */
export interface StopStep extends StepRows {
  readonly kind: 'stop';
  readonly minutes: number;
}

/** A period without rows; afterwards the vehicle is at `to`. */
export interface SilenceStep {
  readonly kind: 'silence';
  readonly minutes: number;
  readonly to?: ScriptPlace | undefined;
}

/** A change to another device with its own serial number, odometer and engine hours. */
export interface SwapDeviceStep {
  readonly kind: 'swapDevice';
  readonly serial: string;
  /** Initial odometer of the new device in km. Default 0. */
  readonly odometerKm?: number | undefined;
}

export type PathStep = MoveStep | IdleStep | StopStep | SilenceStep | SwapDeviceStep;

export interface ScriptedPath {
  readonly from: ScriptTime;
  readonly start: ScriptPlace;
  /** In km. Default 10,000. */
  readonly odometerKm?: number | undefined;
  readonly steps: readonly PathStep[];
}

/** The rows of a vehicle in response order, or its path. */
export type VehicleScript = readonly ScriptedRow[] | ScriptedPath;
