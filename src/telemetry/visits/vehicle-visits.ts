// The visits of one vehicle in geofences during a period, with its drivers, by all snapshots.
import { CurrentDriver, type DriverSnapshot, driverSelection } from '../current-driver.js';
import type { Located } from '../position-cleaner.js';
import type { Readings } from '../readings.js';
import { timestampMs } from '../timestamps.js';
import { fixOf, type TrackSnapshot } from '../tracks/fix.js';
import { FixCleaner } from '../tracks/fix-cleaner.js';
import { GeofenceVisits, type ShapesById, type StayInGeofence } from './visit-detector.js';

/** The part of a snapshot that visits use. Each member may be missing. */
export type VisitSnapshot = TrackSnapshot & DriverSnapshot;

export const visitSelection = {
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ...driverSelection,
} as const;

/** The part of a visit from the arrival or identification of a driver to that of the next one. */
interface DriverOfVisit {
  readonly driverId: string;
  /** Milliseconds since 1970. Null at an end of the visit that is unknown. */
  readonly from: number | null;
  readonly to: number | null;
}

export interface VehicleVisit extends StayInGeofence {
  /** The driver who arrived with the vehicle, then those identified during the visit, in order. */
  readonly drivers: readonly DriverOfVisit[];
}

export class VehicleVisits {
  readonly #visits: GeofenceVisits;
  readonly #readings: Readings;
  readonly #cleaner = new FixCleaner();
  /** Changes of the driver; null after an engine start, until the next identification. */
  readonly #drivers: { readonly time: number; readonly driverId: string | null }[] = [];
  readonly #driver = new CurrentDriver();
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
    return this.#visits.stays.map((stay) => ({ ...stay, drivers: this.#driversOf(stay) }));
  }

  #takePosition(position: Located): void {
    this.hasPosition = true;
    this.#visits.takePosition(position);
  }

  #takeDriver(time: number, row: VisitSnapshot): void {
    this.#driver.take(row);
    const { driverId } = this.#driver;
    if (driverId !== (this.#drivers.at(-1)?.driverId ?? null)) this.#drivers.push({ time, driverId });
  }

  #driversOf({ entered, left }: StayInGeofence): readonly DriverOfVisit[] {
    const begin = entered ?? Number.NEGATIVE_INFINITY;
    const end = left ?? Number.POSITIVE_INFINITY;
    const driverOnArrival = this.#drivers.filter(({ time }) => time <= begin).slice(-1);
    const driversDuring = this.#drivers.filter(({ time }) => time > begin && time < end);
    const parts: { driverId: string; from: number | null; to: number | null }[] = [];
    for (const { driverId, time } of [...driverOnArrival, ...driversDuring]) {
      const last = parts.at(-1);
      if (driverId === null || driverId === last?.driverId) continue;
      if (last !== undefined) last.to = time;
      parts.push({ driverId, from: last === undefined ? entered : time, to: left });
    }
    return parts;
  }
}
