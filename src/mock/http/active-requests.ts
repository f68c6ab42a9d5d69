// The users that have an active GraphQL request. The contract allows one per user; a second one is answered with 429.

export class ActiveRequests {
  readonly #users = new Set<string>();

  /** Marks the user as active and returns the function that ends it, which may be called twice; null when already active. */
  begin(userId: string): (() => void) | null {
    if (this.#users.has(userId)) return null;
    this.#users.add(userId);
    let isActive = true;
    return () => {
      if (isActive) this.#users.delete(userId);
      isActive = false;
    };
  }
}
