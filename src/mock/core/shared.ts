// What the services of one process share, because nothing ever changes it: tests make many services that are alike.

/** Values by key, each made on first use. The ones that were used last are kept, up to `limit` together. */
export class Shared<Value> {
  readonly #values = new Map<string, Value>();
  #size = 0;

  /** `sizeOf` tells how much of the limit a value takes; without it, the limit is a number of values. */
  constructor(
    private readonly limit: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  get(key: string, make: () => Value): Value {
    const kept = this.#values.get(key);
    const value = kept ?? make();
    if (kept === undefined) this.#size += this.sizeOf(value);
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const [oldest, old] of this.#values) {
      if (this.#size <= this.limit) break;
      this.#values.delete(oldest);
      this.#size -= this.sizeOf(old);
    }
    return value;
  }
}
