// How much a counter of a vehicle, such as that of its fuel, has gone up between its first and its last reading.

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
  #value = 0;
  #time = 0;

  constructor(maxPerHour: number, canReset: boolean) {
    this.#maxPerHour = maxPerHour;
    this.#canReset = canReset;
  }

  add(time: number, value: number): void {
    if (!Number.isFinite(value) || value < 0) {
      this.isPlausible = false;
      return;
    }
    if (this.readings > 0) {
      const step = value - this.#value;
      const maxStep = TOLERANCE + (this.#maxPerHour * (time - this.#time)) / 3_600_000;
      if (step >= 0 && step <= maxStep) this.sum += step;
      else if (step < 0 && this.#canReset) this.sum += value <= maxStep ? value : 0;
      else this.isPlausible = false;
    }
    this.readings++;
    this.#value = value;
    this.#time = time;
  }
}

/** Counters may have whole units only, such as whole kilometres. */
const TOLERANCE = 1;
