// How much of a long read is done, for the line that shows its progress: how far each vehicle has come in the period.
import type { Timestamp } from '../../core/dates.js';
import { timestampMs } from '../../telemetry/timestamps.js';

/** The line is drawn anew once for so many rows. */
export const PROGRESS_EVERY_ROWS = 500;

export class ReadShare {
  readonly #from: number;
  readonly #to: number;
  readonly #vehicles: number;
  readonly #reached = new Map<string, number>();
  /** Since the share was last asked for. */
  readonly #newest = new Map<string, Timestamp | null | undefined>();
  #readMs = 0;

  /** `to` is not later than now: there is nothing to read of the future. */
  constructor({ from, to, vehicles }: { readonly from: number; readonly to: number; readonly vehicles: number }) {
    this.#from = from;
    this.#to = Math.max(from, to);
    this.#vehicles = vehicles;
  }

  /** A row has arrived. Its time is not read before the share is asked for: there are very many rows. */
  take(vehicleId: string, timestamp: Timestamp | null | undefined): void {
    this.#newest.set(vehicleId, timestamp);
  }

  /** A vehicle has been read up to this moment; null when a row does not tell it. */
  reach(vehicleId: string, moment: number | null): void {
    const before = this.#reached.get(vehicleId) ?? this.#from;
    const after = Math.min(moment ?? before, this.#to);
    if (!(after > before)) return;
    this.#reached.set(vehicleId, after);
    this.#readMs += after - before;
  }

  /** `45 %`; 100 % once all has been read to its end. */
  get text(): string {
    for (const [vehicleId, newest] of this.#newest) this.reach(vehicleId, timestampMs(newest));
    this.#newest.clear();
    const all = (this.#to - this.#from) * this.#vehicles;
    return `${all === 0 ? 0 : Math.floor((100 * this.#readMs) / all)} %`;
  }
}
