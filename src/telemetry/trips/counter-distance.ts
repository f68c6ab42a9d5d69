// A number that a vehicle counts up, such as its odometer: how far it has gone between the first and the last reading.

export class CounterDistance {
  /** By how much it may go up in an hour. */
  readonly #mostPerHour: number;
  /** Whether it may begin anew, as a counter of one trip does. */
  readonly #mayReset: boolean;
  /** How often it was read. */
  readings = 0;
  /** How much it has gone up. */
  sum = 0;
  /** False as soon as it has gone back, or up faster than can be. */
  isSane = true;
  #value = 0;
  #time = 0;

  constructor(mostPerHour: number, mayReset: boolean) {
    this.#mostPerHour = mostPerHour;
    this.#mayReset = mayReset;
  }

  add(time: number, value: number): void {
    if (!Number.isFinite(value) || value < 0) {
      this.isSane = false;
      return;
    }
    if (this.readings > 0) {
      const step = value - this.#value;
      const most = NOISE + (this.#mostPerHour * (time - this.#time)) / 3_600_000;
      if (step >= 0 && step <= most) this.sum += step;
      else if (step < 0 && this.#mayReset) this.sum += value <= most ? value : 0;
      else this.isSane = false;
    }
    this.readings++;
    this.#value = value;
    this.#time = time;
  }
}

/** Counters step in whole units, such as whole kilometres. */
const NOISE = 1;
