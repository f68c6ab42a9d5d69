// The last identified driver of a vehicle. An engine start forgets the driver until the next
// identification.
import { identifiedDriver, readFlag } from './readings.js';

/** The part of a snapshot that shows who drives. */
export interface DriverSnapshot {
  readonly ignition?: { readonly engineStatus?: boolean | null } | null;
  readonly driver?: { readonly driverId?: string | null } | null;
}

export const driverSelection = { ignition: { engineStatus: true }, driver: { driverId: true } } as const;

export class CurrentDriver {
  /** Null until a driver is identified. */
  driverId: string | null;
  /** The engine in the last snapshot that reports it; null when unknown. */
  isOn: boolean | null;

  constructor(driverId: string | null = null, isOn: boolean | null = null) {
    this.driverId = driverId;
    this.isOn = isOn;
  }

  /** Takes the next snapshot. `isOn`: its engine, when the caller has read it. */
  take({ ignition, driver }: DriverSnapshot, isOn = readFlag(ignition?.engineStatus) ?? null): void {
    const isStart = isOn === true && this.isOn === false;
    this.isOn = isOn ?? this.isOn;
    this.driverId = identifiedDriver(driver) ?? (isStart ? null : this.driverId);
  }
}
