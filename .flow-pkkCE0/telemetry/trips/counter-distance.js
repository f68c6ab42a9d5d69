class CounterDistance {
  /** The most it can go up in an hour. */
  #maxPerHour;
  /** Whether it can start again from zero, as the counter of a trip does. */
  #canReset;
  /** Number of readings. */
  readings = 0;
  /** How much it has gone up. */
  sum = 0;
  /** False once it has gone down, or up faster than possible. */
  isPlausible = true;
  #last = null;
  /** The last reading before the trip, as that of its start. */
  #before = null;
  constructor(maxPerHour, canReset) {
    this.#maxPerHour = maxPerHour;
    this.#canReset = canReset;
  }
  add(time, value) {
    if (!Number.isFinite(value) || value < 0) {
      this.isPlausible = false;
      return;
    }
    const reading = { time, value };
    this.#beginWith(reading);
    const step = this.#last === null ? 0 : this.#stepTo(reading, this.#last);
    if (step === null) this.isPlausible = false;
    this.#take(reading, step ?? 0);
  }
  /** Takes a reading from before the trip. It counts as that of the start, if the first reading of the trip agrees with it. */
  addBefore(start, value) {
    this.#before = { time: start, value };
  }
  /** Takes a reading from after the trip. It counts as that of the end, if there is none and it agrees with the last one. */
  addAfter(end, value) {
    const reading = { time: end, value };
    this.#beginWith(reading);
    const last = this.#last;
    if (last === null || last.time >= end || value < last.value) return;
    const step = this.#stepTo(reading, last);
    if (step !== null) this.#take(reading, step);
  }
  #beginWith(reading) {
    const before = this.#before;
    this.#before = null;
    if (before === null || before.time >= reading.time || this.#stepTo(reading, before) === null) return;
    this.#take(before, 0);
  }
  #take(reading, step) {
    this.sum += step;
    this.readings++;
    this.#last = reading;
  }
  /** Returns the increase since a reading; null when that is not possible. */
  #stepTo({ time, value }, from) {
    const step = value - from.value;
    const maxStep = TOLERANCE + this.#maxPerHour * (time - from.time) / 36e5;
    if (step < 0 && this.#canReset) return value <= maxStep ? value : 0;
    return step >= 0 && step <= maxStep ? step : null;
  }
}
const TOLERANCE = 1;
export {
  CounterDistance
};
