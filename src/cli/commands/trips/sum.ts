// Sum of trips. Values are added as whole thousandths, so that sums are exact in any order.
import type { Trip } from '../../../index.js';
import type { TripSumValues } from '../../views/trip-sum.js';

/** A trip or the counted part of one. */
export type SumPart = Pick<
  Trip,
  | 'id'
  | 'vehicleId'
  | 'distanceKm'
  | 'durationSeconds'
  | 'movingSeconds'
  | 'idleSeconds'
  | 'unseenSeconds'
  | 'topSpeedKmh'
  | 'fuelUsed'
  | 'fuelBy'
>;

export class Sum {
  readonly #vehicles = new Set<string>();
  readonly #counters = new Set<string>();
  #trips = 0;
  #distance = 0;
  #duration = 0;
  #moving = 0;
  #idle = 0;
  #unseen = 0;
  #fuel: number | null = null;
  #topSpeedKmh: number | null = null;

  /** `isNew`: false for another part of a counted trip. */
  add(part: SumPart, isNew = true): void {
    if (isNew) this.#trips++;
    this.#vehicles.add(part.vehicleId);
    this.#distance += thousandths(part.distanceKm);
    this.#duration += thousandths(part.durationSeconds);
    this.#moving += thousandths(part.movingSeconds);
    this.#idle += thousandths(part.idleSeconds);
    this.#unseen += thousandths(part.unseenSeconds);
    if (part.topSpeedKmh !== null) this.#topSpeedKmh = Math.max(this.#topSpeedKmh ?? 0, part.topSpeedKmh);
    if (part.fuelUsed === null) return;
    this.#fuel = (this.#fuel ?? 0) + thousandths(part.fuelUsed);
    if (part.fuelBy !== null) this.#counters.add(part.fuelBy);
  }

  get values(): TripSumValues {
    return {
      distanceKm: this.#distance / 1000,
      trips: this.#trips,
      vehicles: this.#vehicles.size,
      durationSeconds: this.#duration / 1000,
      movingSeconds: this.#moving / 1000,
      idleSeconds: this.#idle / 1000,
      unseenSeconds: this.#unseen / 1000,
      topSpeedKmh: this.#topSpeedKmh,
      fuelUsed: this.#fuel === null ? null : this.#fuel / 1000,
      fuelBy: [...this.#counters].sort().join(';') || null,
    };
  }
}

export function thousandths(value: number): number {
  return Math.round(value * 1000);
}
