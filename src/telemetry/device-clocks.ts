// Reports devices whose clock is ahead: their newest rows are not believed, and their trips are in the future.
import { durationText } from '../core/durations.js';
import type { Warning } from '../core/hooks.js';
import { isAhead } from './latest.js';
import { timestampMs, timestampOf } from './timestamps.js';

export class DeviceClocks {
  readonly #now: () => number;
  readonly #warn: (event: Warning) => void;
  readonly #reported = new Set<string>();

  /** `now`: the service's time. */
  constructor(now: () => number, warn: (event: Warning) => void) {
    this.#now = now;
    this.#warn = warn;
  }

  /** Takes the newest row of a vehicle; undefined when there is none. A vehicle is reported once, by its `name`. */
  take(operation: string, vehicleId: string, row: unknown, name = vehicleId): void {
    const time = timestampMs(timestampOf(row));
    const now = this.#now();
    if (time === null || !isAhead(time, now) || this.#reported.has(vehicleId)) return;
    this.#reported.add(vehicleId);
    const message = `The clock of the device of vehicle ${name} is ${durationText(time - now, 1)} ahead: rows from the future are not its current state, and its trips are dated by that clock.`;
    this.#warn({ code: 'DEVICE_CLOCK', message, operation });
  }
}
