// Warns of devices whose clock is ahead: their rows and trips are dated in the future.
import { durationText } from '../core/durations.js';
import type { Warning } from '../core/hooks.js';
import { isAhead } from './latest.js';
import { timestampMs, timestampOf } from './timestamps.js';

export class DeviceClocks {
  readonly #now: () => number;
  readonly #warn: (event: Warning) => void;
  readonly #reported = new Set<string>();

  /** `now`: the time of the service. */
  constructor(now: () => number, warn: (event: Warning) => void) {
    this.#now = now;
    this.#warn = warn;
  }

  /** Checks the newest row of a vehicle, if any. Warns once per vehicle, by its `name`. */
  take(operation: string, vehicleId: string, row: unknown, name = vehicleId): void {
    const time = timestampMs(timestampOf(row));
    const now = this.#now();
    if (time === null || !isAhead(time, now) || this.#reported.has(vehicleId)) return;
    this.#reported.add(vehicleId);
    const message = `The clock of the device of vehicle ${name} is ${durationText(time - now, 1)} ahead: rows from the future are not its current state, and its trips are dated by that clock.`;
    this.#warn({ code: 'DEVICE_CLOCK', message, operation });
  }
}
