// The active GraphQL requests by user or, in the variant `turns`, by login. The contract allows one
// per user; a second one is answered with 429.

export class ActiveRequests {
  readonly #active = new Map<string, object>();

  /** Marks the key as active. Returns an idempotent function that ends it; null if active. */
  begin(key: string): (() => void) | null {
    if (this.#active.has(key)) return null;
    const request = {};
    this.#active.set(key, request);
    return () => {
      // After a reset the key may belong to another request.
      if (this.#active.get(key) === request) this.#active.delete(key);
    };
  }

  reset(): void {
    this.#active.clear();
  }
}
