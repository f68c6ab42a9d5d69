// Tells of devices whose clock is ahead: their trips are in the future.
import type { Warning } from '../../core/hooks.js';
import { timestampMs, timestampOf } from '../timestamps.js';

/** More than any difference between time zones. */
const AHEAD_MS = 24 * 3_600_000;

export class DeviceClocks {
  readonly #now: () => number;
  readonly #warn: (event: Warning) => void;
  readonly #told = new Set<string>();

  /** `now`: the service's time. */
  constructor(now: () => number, warn: (event: Warning) => void) {
    this.#now = now;
    this.#warn = warn;
  }

  /** The newest of the snapshots that have arrived; undefined when none have. */
  take(vehicleId: string, row: unknown): void {
    const timestamp = timestampOf(row);
    const time = timestamp === null ? null : timestampMs(timestamp);
    if (time === null || time <= this.#now() + AHEAD_MS || this.#told.has(vehicleId)) return;
    this.#told.add(vehicleId);
    const days = Math.round((time - this.#now()) / AHEAD_MS);
    const message = `The clock of the device of vehicle ${vehicleId} is ${days} days ahead: its snapshots and trips are dated in the future.`;
    this.#warn({ code: 'DEVICE_CLOCK', message, operation: 'getSnapshots' });
  }
}
