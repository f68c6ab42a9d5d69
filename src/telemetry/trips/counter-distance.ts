// The increase of a counter of a vehicle, such as that of its fuel, in a trip: between the readings around it, or else between the
// first and the last one in it.

export class CounterDistance {
  /** The most it can go up in an hour. */
  readonly #maxPerHour: number;
  /** Whether it can start again from zero, as the counter of a trip does. */
  readonly #canReset: boolean;
  /** Number of readings. */
  readings = 0;
  /** How much it has gone up. */
  sum = 0;
  /** False once it has gone down, or up faster than possible. */
  isPlausible = true;
  #last: Reading | null = null;
  /** The last reading before the trip, as that of its start. */
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

  /** Takes a reading from before the trip. It counts as that of the start, if the first reading of the trip agrees with it. */
  addBefore(start: number, value: number): void {
    this.#before = { time: start, value };
  }

  /** Takes a reading from after the trip. It counts as that of the end, if there is none and it agrees with the last one. */
  addAfter(end: number, value: number): void {
    const reading = { time: end, value };
    this.#beginWith(reading);
    const last = this.#last;
    if (last === null || last.time >= end || value < last.value) return;
    const step = this.#stepTo(reading, last);
    if (step !== null) this.#take(reading, step);
  }

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

  /** Returns the increase since a reading; null when that is not possible. */
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
