// The increase of a counter, such as fuel, in a trip: between readings around it, else in it.

export class CounterDistance {
  readonly #maxPerHour: number;
  /** True for a counter that can restart from zero, such as a trip counter. */
  readonly #canReset: boolean;
  readings = 0;
  sum = 0;
  /** False after a decrease, or an impossibly fast increase. */
  isPlausible = true;
  #last: Reading | null = null;
  /** The last reading before the trip, dated at its start. */
  #before: Reading | null = null;

  constructor(maxPerHour: number, canReset: boolean) {
    this.#maxPerHour = maxPerHour;
    this.#canReset = canReset;
  }

  add(time: number, value: number): void {
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

  /**
   * Adds a reading from before the trip. It is the start if the first reading of the trip agrees.
   */
  addBefore(start: number, value: number): void {
    this.#before = { time: start, value };
  }

  /**
   * Adds a reading from after the trip. It is the end if it agrees with an earlier last reading.
   */
  addAfter(end: number, value: number): void {
    const reading = { time: end, value };
    this.#beginWith(reading);
    const last = this.#last;
    if (last === null || last.time >= end || value < last.value) return;
    const step = this.#stepTo(reading, last);
    if (step !== null) this.#take(reading, step);
  }

  /** Adds the reading from before the trip if the first reading of the trip agrees with it. */
  #beginWith(reading: Reading): void {
    const before = this.#before;
    this.#before = null;
    if (before === null || before.time >= reading.time || this.#stepTo(reading, before) === null) return;
    this.#take(before, 0);
  }

  #take(reading: Reading, step: number): void {
    this.sum += step;
    this.readings++;
    this.#last = reading;
  }

  /** Returns the increase since a reading; null for an impossible one. */
  #stepTo({ time, value }: Reading, from: Reading): number | null {
    const step = value - from.value;
    const maxStep = TOLERANCE + (this.#maxPerHour * (time - from.time)) / 3_600_000;
    if (step < 0 && this.#canReset) return value <= maxStep ? value : 0;
    return step >= 0 && step <= maxStep ? step : null;
  }
}

interface Reading {
  readonly time: number;
  readonly value: number;
}

/** Counters may have whole units only, such as whole kilometres. */
const TOLERANCE = 1;
