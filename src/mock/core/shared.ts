// What the services of one process share, because nothing ever changes it: tests make many services that are alike.

/** Values by key, each made on first use. The ones that were used last are kept. */
export class Shared<Value> {
  readonly #values = new Map<string, Value>();

  constructor(private readonly limit: number) {}

  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.limit) break;
      this.#values.delete(oldest);
    }
    return value;
  }
}
