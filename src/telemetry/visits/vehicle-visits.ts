// The visits of one vehicle in geofences during a period, with its drivers, by all snapshots.
import type { Located } from '../position-cleaner.js';
import { identifiedDriver, type Readings, readFlag } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import { fixOf, type TrackSnapshot } from '../tracks/fix.js';
import { FixCleaner } from '../tracks/fix-cleaner.js';
import { GeofenceVisits, type ShapesById, type StayInGeofence } from './visit-detector.js';

/** The part of a snapshot that visits use. Each member may be missing. */
export interface VisitSnapshot extends TrackSnapshot {
  readonly driver?: { readonly driverId?: string | null } | null;
}

export const visitSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
} as const;

export interface VehicleVisit extends StayInGeofence {
  /** The driver who arrived with the vehicle, then those identified during the visit, in order. */
  readonly driverIds: readonly string[];
}

export class VehicleVisits {
  readonly #visits: GeofenceVisits;
  readonly #readings: Readings;
  readonly #cleaner = new FixCleaner();
  /** Changes of the driver; null after an engine start, until the next identification. */
  readonly #drivers: { readonly time: number; readonly driverId: string | null }[] = [];
  #isOn: boolean | null = null;
  hasPosition = false;

  /** `before`: the position at the start of the period; null when unknown. */
  constructor(geofences: ShapesById, readings: Readings, before: Located | null) {
    this.#visits = new GeofenceVisits(geofences);
    this.#readings = readings;
    if (before !== null) this.#takePosition(before);
  }

  take(row: VisitSnapshot): void {
    const time = timestampMs(row.timestamp);
    if (time === null) return;
    this.#takeDriver(time, row);
    const fix = fixOf(row, this.#readings);
    if (fix === null) return;
    for (const { fix: accepted } of this.#cleaner.add(fix)) this.#takePosition(accepted);
  }

  /** In the order of their start. */
  get all(): readonly VehicleVisit[] {
    return this.#visits.stays.map((stay) => ({ ...stay, driverIds: this.#driversOf(stay) }));
  }

  #takePosition(position: Located): void {
    this.hasPosition = true;
    this.#visits.takePosition(position);
  }

  #takeDriver(time: number, { ignition, driver }: VisitSnapshot): void {
    const isOn = readFlag(ignition?.engineStatus) ?? null;
    const isStart = isOn === true && this.#isOn === false;
    if (isOn !== null) this.#isOn = isOn;
    const last = this.#drivers.at(-1)?.driverId ?? null;
    const driverId = identifiedDriver(driver) ?? (isStart ? null : last);
    if (driverId !== last) this.#drivers.push({ time, driverId });
  }

  #driversOf({ entered, left }: StayInGeofence): readonly string[] {
    const begin = entered ?? Number.NEGATIVE_INFINITY;
    const end = left ?? Number.POSITIVE_INFINITY;
    const driverOnArrival = this.#drivers.filter(({ time }) => time <= begin).slice(-1);
    const driversDuring = this.#drivers.filter(({ time }) => time > begin && time < end);
    return [...new Set([...driverOnArrival, ...driversDuring].flatMap(({ driverId }) => driverId ?? []))];
  }
}
