// Who has a GraphQL request under way. The contract allows each user one: a second one is answered 429 while it lasts.

export class ActiveRequests {
  readonly #users = new Set<string>();

  /** Takes the user's turn and returns how to give it back, or null when it is taken. Giving back twice does no harm. */
  begin(userId: string): (() => void) | null {
    if (this.#users.has(userId)) return null;
    this.#users.add(userId);
    let held = true;
    return () => {
      if (held) this.#users.delete(userId);
      held = false;
    };
  }
}
