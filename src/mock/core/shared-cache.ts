// Shares immutable values between the services of a process: tests create many similar services.

/** A least-recently-used cache that creates missing values. */
export class SharedCache<Value> {
  readonly #values = new Map<string, Value>();
  #size = 0;

  /** `sizeOf` returns a value's share of the limit; by default the limit counts values. */
  constructor(
    private readonly limit: number,
    private readonly sizeOf: (value: Value) => number = () => 1,
  ) {}

  get(key: string, make: () => Value): Value {
    const cached = this.#values.get(key);
    const value = cached ?? make();
    if (cached === undefined) this.#size += this.sizeOf(value);
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
