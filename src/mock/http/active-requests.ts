// Who has an active GraphQL request: users, or logins with the variant `turns`. The contract allows one per user; a second one is
// answered with 429.

export class ActiveRequests {
  readonly #active = new Map<string, object>();

  /** Marks the key as active and returns the function that ends it, which may be called twice; null when already active. */
  begin(key: string): (() => void) | null {
    if (this.#active.has(key)) return null;
    const request = {};
    this.#active.set(key, request);
    return () => {
      // After a reset the key may belong to another request.
      if (this.#active.get(key) === request) this.#active.delete(key);
    };
  }

  /** Forgets all requests, those too whose response nobody will read. */
  reset(): void {
    this.#active.clear();
  }
}
