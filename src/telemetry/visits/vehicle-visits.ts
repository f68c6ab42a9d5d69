// When one vehicle was in geofences during a period, and who drove it there, by all of its snapshots: those of a parked vehicle count too.
import type { Located } from '../position-cleaner.js';
import { identifiedDriver, type Readings, readFlag } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import { fixOf, type TrackSnapshot } from '../tracks/fix.js';
import { FixCleaner } from '../tracks/fix-cleaner.js';
import { GeofenceVisits, type ShapesById, type StayInGeofence } from './geofence-visits.js';

/** The parts of a snapshot that visits are read from. Each of them may be missing. */
export interface VisitSnapshot extends TrackSnapshot {
  readonly driver?: { readonly driverId?: string | null } | null;
}

/** What is asked for of each snapshot. */
export const visitSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
} as const;

export interface VehicleVisit extends StayInGeofence {
  /** Who came with the vehicle, and who was identified while it was there; in that order. */
  readonly driverIds: readonly string[];
}

export class VehicleVisits {
  readonly #visits: GeofenceVisits;
  readonly #readings: Readings;
  readonly #cleaner = new FixCleaner();
  /** Who was identified from when on; null after the engine was started anew, until somebody is. */
  readonly #drivers: { readonly time: number; readonly driverId: string | null }[] = [];
  #isOn: boolean | null = null;
  /** A position was believed. */
  hasPosition = false;

  /** `before`: where the vehicle was when the period began; null when that is not known. */
  constructor(geofences: ShapesById, readings: Readings, before: Located | null) {
    this.#visits = new GeofenceVisits(geofences);
    this.#readings = readings;
    if (before !== null) this.#takePosition(before);
  }

  /** Takes the next snapshot in order of time. */
  take(row: VisitSnapshot): void {
    const time = timestampMs(row.timestamp);
    if (time === null) return;
    this.#takeDriver(time, row);
    const fix = fixOf(row, this.#readings);
    if (fix === null) return;
    for (const { fix: believed } of this.#cleaner.add(fix)) this.#takePosition(believed);
  }

  /** In the order in which they began. */
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
    const brought = this.#drivers.filter(({ time }) => time <= begin).slice(-1);
    const there = this.#drivers.filter(({ time }) => time > begin && time < end);
    return [...new Set([...brought, ...there].flatMap(({ driverId }) => driverId ?? []))];
  }
}
