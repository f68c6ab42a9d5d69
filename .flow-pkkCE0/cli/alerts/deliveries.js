import { errorCode } from "../../core/error-code.js";
import { pauseAfter } from "../../core/growing-pause.js";
const PARALLEL = 4;
const PAUSES = { firstMs: 1e3, longestMs: 5 * 6e4 };
class Deliveries {
  #parts;
  #lanes = /* @__PURE__ */ new Map();
  /** The vehicles whose first event can be delivered now. */
  #ready = [];
  #giveUp = new AbortController();
  #waits = /* @__PURE__ */ new Set();
  #size = 0;
  #underWay = 0;
  /** The number of failures in a row that were no fault of an event. */
  #unwell = 0;
  #isPausing = false;
  #isReported = false;
  #isEnding = false;
  #onChange = [];
  constructor(parts) {
    this.#parts = parts;
  }
  /** The number of events that the receiver has not taken. */
  get size() {
    return this.#size;
  }
  add(events) {
    for (const event of events) {
      const { vehicleId } = event;
      const lane = this.#lanes.get(vehicleId);
      this.#size++;
      if (lane) {
        lane.events.push(event);
        continue;
      }
      this.#lanes.set(vehicleId, { events: [event], failures: 0 });
      this.#ready.push(vehicleId);
    }
    this.#pump();
  }
  /** Resolves when at most `size` events are left. */
  async until(size, signal) {
    while (this.#size > size) {
      await new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        this.#onChange.push(() => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        });
      });
    }
  }
  /**
   * Ends: deliveries under way get `graceMs`, nothing is retried, and the rest stays for the next
   * watch.
   */
  async end(graceMs) {
    this.#isEnding = true;
    for (const cancel2 of this.#waits) cancel2();
    this.#waits.clear();
    const cancel = this.#parts.timers.after(graceMs, () => this.#giveUp.abort());
    while (this.#underWay > 0 || this.#ready.length > 0 && !this.#isPausing && !this.#giveUp.signal.aborted) {
      await new Promise((resolve) => this.#onChange.push(resolve));
    }
    cancel();
  }
  #pump() {
    while (this.#underWay < PARALLEL && !this.#isPausing && !this.#giveUp.signal.aborted) {
      const vehicleId = this.#ready.shift();
      if (vehicleId === void 0) return;
      const lane = this.#lanes.get(vehicleId);
      const [event] = lane?.events ?? [];
      if (lane && event) void this.#deliver(vehicleId, lane, event);
    }
  }
  async #deliver(vehicleId, lane, event) {
    this.#underWay++;
    const outcome = await this.#outcomeOf(event);
    this.#underWay--;
    try {
      this.#settle(vehicleId, lane, event, outcome);
      this.#pump();
    } catch (error) {
      this.#giveUp.abort();
      this.#parts.onBroken(error);
    }
    for (const tell of this.#onChange.splice(0)) tell();
  }
  async #outcomeOf(event) {
    try {
      return await this.#parts.receiver.deliver(event, this.#giveUp.signal);
    } catch (error) {
      const why = errorCode(error) ?? (error instanceof Error ? error.name : "unknown reason");
      return { kind: "failed", reason: `it could not be started (${why})`, isUnwell: false, retryAfterMs: null };
    }
  }
  #settle(vehicleId, lane, event, outcome) {
    const { now, giveUpAfterMs, onTaken, onRefused } = this.#parts;
    if (outcome.kind === "taken") {
      this.#well();
      onTaken(event);
      this.#done(vehicleId, lane);
    } else if (outcome.kind === "refused") {
      onRefused(event, outcome.reason);
      this.#done(vehicleId, lane);
    } else if (this.#giveUp.signal.aborted) {
    } else if (now() - Date.parse(event.foundAt) >= giveUpAfterMs) {
      onRefused(event, `${outcome.reason}, and the event is too old to be tried again`);
      this.#done(vehicleId, lane);
    } else {
      this.#later(vehicleId, lane, outcome);
    }
  }
  #done(vehicleId, lane) {
    lane.events.shift();
    lane.failures = 0;
    this.#size--;
    if (lane.events.length > 0) this.#ready.push(vehicleId);
    else this.#lanes.delete(vehicleId);
  }
  /**
   * Schedules a retry: of all vehicles while the receiver is unwell, else of the vehicle of the
   * event.
   */
  #later(vehicleId, lane, { reason, isUnwell, retryAfterMs }) {
    const tries = isUnwell ? this.#unwell + 1 : ++lane.failures;
    const asked = Math.min(retryAfterMs ?? 0, PAUSES.longestMs);
    const waitMs = Math.max(asked, this.#parts.random() * pauseAfter(tries, PAUSES));
    if (!isUnwell) {
      this.#trouble(reason, waitMs);
      this.#wait(waitMs, () => this.#ready.push(vehicleId));
      return;
    }
    this.#ready.push(vehicleId);
    if (this.#isPausing) return;
    this.#unwell = tries;
    this.#isPausing = true;
    this.#trouble(reason, waitMs);
    this.#wait(waitMs, () => {
      this.#isPausing = false;
    });
  }
  #wait(ms, then) {
    if (this.#isEnding) return;
    const cancel = this.#parts.timers.after(ms, () => {
      this.#waits.delete(cancel);
      then();
      this.#pump();
    });
    this.#waits.add(cancel);
  }
  #trouble(reason, waitMs) {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#parts.onTrouble(reason, waitMs);
  }
  #well() {
    this.#unwell = 0;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#parts.onWell();
  }
}
export {
  Deliveries
};
