// One vehicle of a stream of many: how far it has been read, and its rows in order of time without repeats.
import { OverlapDedup } from '../overlap-dedup.js';
import type { Period } from '../period.js';
import { WindowOrder } from '../window-order.js';
import { WINDOW_OVERLAP_MS, type Window } from '../windows.js';

export class VehicleProgress {
  readonly vehicleId: string;
  /** Rows that were delivered. */
  given = 0;
  readonly #period: Period;
  readonly #dedup = new OverlapDedup();
  /** Everything before has been requested. */
  #requestedTo: number | null = null;
  #readTo: number | null = null;

  constructor(vehicleId: string, period: Period) {
    this.vehicleId = vehicleId;
    this.#period = period;
  }

  /** Milliseconds that have not been requested; at least 1 for a vehicle of which nothing has been. */
  get remainingMs(): number {
    if (this.#requestedTo === null) return Math.max(1, this.#period.to - this.#period.from);
    return this.#period.to - this.#requestedTo;
  }

  get isRead(): boolean {
    return this.#readTo !== null && this.#readTo >= this.#period.to;
  }

  /** The next part of the period, of about this length. */
  request(ms: number): Window {
    const begin = this.#requestedTo ?? this.#period.from;
    const from = this.#requestedTo === null ? begin : begin - WINDOW_OVERLAP_MS;
    this.#requestedTo = Math.min(this.#period.to, begin + Math.max(WINDOW_OVERLAP_MS, Math.ceil(ms)));
    return { from, to: this.#requestedTo };
  }

  /** The request of a part failed: everything that has not been read is requested again. */
  requestAgain(): void {
    this.#requestedTo = this.#readTo;
  }

  /** The rows of a part in order of time, without those of the part before; and how many are from outside of it. */
  read(rows: readonly unknown[], window: Window): { readonly rows: readonly unknown[]; readonly outside: number } {
    const order = new WindowOrder(window);
    order.add(rows);
    const outside = order.countOutside();
    this.#dedup.beginWindow(window.to);
    const areInOrder = order.isInOrder;
    const read = [...order.take()].flatMap((batch) => this.#dedup.withoutRepeats(batch, areInOrder));
    this.#readTo = window.to;
    return { rows: read, outside };
  }

  /** Everything that has not been read is read by somebody else, from the time that this returns. */
  beginRest(): string {
    this.#dedup.beginWindow(this.#period.to);
    return this.#period.text(this.#readTo === null ? this.#period.from : this.#readTo - WINDOW_OVERLAP_MS);
  }

  /** Rows of the rest, without those that have been read before. */
  readRest(rows: readonly unknown[]): readonly unknown[] {
    return this.#dedup.withoutRepeats(rows, false);
  }

  /** From when the vehicle can be read again, as text. */
  get resumeFrom(): string {
    return this.#period.text(this.#readTo ?? this.#period.from);
  }
}
