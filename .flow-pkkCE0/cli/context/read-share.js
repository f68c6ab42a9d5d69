import { timestampMs } from "../../telemetry/timestamps.js";
const PROGRESS_EVERY_ROWS = 500;
class ReadShare {
  #from;
  #to;
  #vehicles;
  #reached = /* @__PURE__ */ new Map();
  /** Since the share was last asked for. */
  #newest = /* @__PURE__ */ new Map();
  #readMs = 0;
  /** `to` is not later than now: there is nothing to read of the future. */
  constructor({ from, to, vehicles }) {
    this.#from = from;
    this.#to = Math.max(from, to);
    this.#vehicles = vehicles;
  }
  /** A row has arrived. Its time is not read before the share is asked for: there are very many rows. */
  take(vehicleId, timestamp) {
    this.#newest.set(vehicleId, timestamp);
  }
  /** A vehicle has been read up to this moment; null when a row does not tell it. */
  reach(vehicleId, moment) {
    const before = this.#reached.get(vehicleId) ?? this.#from;
    const after = Math.min(moment ?? before, this.#to);
    if (!(after > before)) return;
    this.#reached.set(vehicleId, after);
    this.#readMs += after - before;
  }
  /** `45 %`; 100 % once all has been read to its end. */
  get text() {
    for (const [vehicleId, newest] of this.#newest) this.reach(vehicleId, timestampMs(newest));
    this.#newest.clear();
    const all = (this.#to - this.#from) * this.#vehicles;
    return `${all === 0 ? 0 : Math.floor(100 * this.#readMs / all)} %`;
  }
}
export {
  PROGRESS_EVERY_ROWS,
  ReadShare
};
