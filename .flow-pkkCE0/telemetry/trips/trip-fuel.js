import { readNumber } from "../readings.js";
import { CounterDistance } from "./counter-distance.js";
const counters = ["canTripFuelUsed", "canhrFuelUsed", "canFuelUsed"];
const MAX_PER_HOUR = 500;
const MISSED_SHARE = 0.2;
const WITHOUT_RISE_KM = 10;
const WHOLE_UNITS = 1.5;
class FuelCount {
  counter;
  rises = 0;
  /** The rises of each other counter while this one stood still: the most so far, and how many there were when it last rose. */
  #missed = /* @__PURE__ */ new Map();
  #risesBefore = /* @__PURE__ */ new Map();
  constructor(canReset) {
    this.counter = new CounterDistance(MAX_PER_HOUR, canReset);
  }
  /** `isAfter`: the reading is from after the trip, whose end is at `time`. */
  add(time, value, all, isAfter) {
    const before = this.counter.sum;
    if (isAfter) this.counter.addAfter(time, value);
    else this.counter.add(time, value);
    if (this.counter.sum === before) return;
    this.rises++;
    for (const other of all) {
      if (other === this || other.rises === 0) continue;
      this.#missed.set(other, this.#missedOf(other));
      this.#risesBefore.set(other, other.rises);
    }
  }
  isFrozenBeside(other) {
    if (other === this) return false;
    const missed = this.#missedOf(other);
    if (missed < 2) return false;
    if (this.rises === 0) return other.counter.sum >= WHOLE_UNITS;
    return missed / other.rises > Math.max(MISSED_SHARE, 2 / (this.rises + 1));
  }
  isUsable(km) {
    return this.counter.readings > 1 && this.counter.isPlausible && (this.rises > 0 || km <= WITHOUT_RISE_KM);
  }
  #missedOf(other) {
    return Math.max(this.#missed.get(other) ?? 0, other.rises - (this.#risesBefore.get(other) ?? 0));
  }
}
class TripFuel {
  #counts = {
    canTripFuelUsed: new FuelCount(true),
    canhrFuelUsed: new FuelCount(false),
    canFuelUsed: new FuelCount(false)
  };
  #all = Object.values(this.#counts);
  /** Takes the readings of a snapshot in the trip, or after it: then `time` is the end. */
  take(time, canBus, isAfter = false) {
    for (const name of counters) {
      const value = readNumber(canBus[name]) ?? null;
      if (value !== null) this.#counts[name].add(time, value, this.#all, isAfter);
    }
  }
  /** Takes the readings of a snapshot before the trip. */
  takeBefore(start, canBus) {
    for (const name of counters) {
      const value = readNumber(canBus[name]) ?? null;
      if (value !== null) this.#counts[name].counter.addBefore(start, value);
    }
  }
  get sums() {
    const { canTripFuelUsed, canhrFuelUsed, canFuelUsed } = this.#counts;
    return {
      canTripFuelUsed: canTripFuelUsed.counter.sum,
      canhrFuelUsed: canhrFuelUsed.counter.sum,
      canFuelUsed: canFuelUsed.counter.sum
    };
  }
  /** The counter to believe after a way of so many kilometres; null when there is none. */
  by(km) {
    const usable = counters.filter((name) => this.#counts[name].isUsable(km));
    const isFrozen = (name) => usable.some((other) => this.#counts[name].isFrozenBeside(this.#counts[other]));
    return usable.find((name) => !isFrozen(name)) ?? usable[0] ?? null;
  }
}
export {
  TripFuel
};
