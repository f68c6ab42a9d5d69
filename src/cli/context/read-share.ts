// Computes the completed share of a long read from the time that each vehicle has reached.
import type { Timestamp } from '../../core/dates.js';
import { timestampMs } from '../../telemetry/timestamps.js';

/** Rows between two updates of the progress line. */
export const PROGRESS_EVERY_ROWS = 500;

export class ReadShare {
  readonly #from: number;
  readonly #to: number;
  readonly #vehicles: number;
  readonly #reached = new Map<string, number>();
  /** Latest timestamps since the last call of `text`. */
  readonly #newest = new Map<string, Timestamp | null | undefined>();
  #readMs = 0;

  /** `to` must not be later than now. */
  constructor({ from, to, vehicles }: { readonly from: number; readonly to: number; readonly vehicles: number }) {
    this.#from = from;
    this.#to = Math.max(from, to);
    this.#vehicles = vehicles;
  }

  /** Adds a row. Its timestamp is parsed later, because there are very many rows. */
  take(vehicleId: string, timestamp: Timestamp | null | undefined): void {
    this.#newest.set(vehicleId, timestamp);
  }

  /** Marks a vehicle as read up to this moment; null for a row without a time. */
  reach(vehicleId: string, moment: number | null): void {
    const before = this.#reached.get(vehicleId) ?? this.#from;
    const after = Math.min(moment ?? before, this.#to);
    if (!(after > before)) return;
    this.#reached.set(vehicleId, after);
    this.#readMs += after - before;
  }

  /** Such as `45 %`. */
  get text(): string {
    for (const [vehicleId, newest] of this.#newest) this.reach(vehicleId, timestampMs(newest));
    this.#newest.clear();
    const all = (this.#to - this.#from) * this.#vehicles;
    return `${all === 0 ? 0 : Math.floor((100 * this.#readMs) / all)} %`;
  }
}
