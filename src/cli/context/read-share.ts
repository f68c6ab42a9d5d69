// How much of a long read is done, for the line that shows its progress: how far each vehicle has come in the period.

export class ReadShare {
  readonly #from: number;
  readonly #to: number;
  readonly #vehicles: number;
  readonly #reached = new Map<string, number>();
  #readMs = 0;

  /** `to` is not later than now: there is nothing to read of the future. */
  constructor({ from, to, vehicles }: { readonly from: number; readonly to: number; readonly vehicles: number }) {
    this.#from = from;
    this.#to = Math.max(from, to);
    this.#vehicles = vehicles;
  }

  /** A vehicle has been read up to this moment; null when a row does not tell it. */
  reach(vehicleId: string, moment: number | null): void {
    const before = this.#reached.get(vehicleId) ?? this.#from;
    const after = Math.min(moment ?? before, this.#to);
    if (!(after > before)) return;
    this.#reached.set(vehicleId, after);
    this.#readMs += after - before;
  }

  /** `45 %`; 100 % once all has been read to its end. */
  get text(): string {
    const all = (this.#to - this.#from) * this.#vehicles;
    return `${all === 0 ? 0 : Math.floor((100 * this.#readMs) / all)} %`;
  }
}
