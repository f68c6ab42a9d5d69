import { durationText } from "../core/durations.js";
import { isAhead } from "./latest.js";
import { timestampMs, timestampOf } from "./timestamps.js";
class DeviceClocks {
  #now;
  #warn;
  #reported = /* @__PURE__ */ new Set();
  /** `now`: the service's time. */
  constructor(now, warn) {
    this.#now = now;
    this.#warn = warn;
  }
  /** Takes the newest row of a vehicle; undefined when there is none. A vehicle is reported once, by its `name`. */
  take(operation, vehicleId, row, name = vehicleId) {
    const time = timestampMs(timestampOf(row));
    const now = this.#now();
    if (time === null || !isAhead(time, now) || this.#reported.has(vehicleId)) return;
    this.#reported.add(vehicleId);
    const message = `The clock of the device of vehicle ${name} is ${durationText(time - now, 1)} ahead: rows from the future are not its current state, and its trips are dated by that clock.`;
    this.#warn({ code: "DEVICE_CLOCK", message, operation });
  }
}
export {
  DeviceClocks
};
