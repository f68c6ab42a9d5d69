// The journal of the requests that the service received, for tests. It holds names and numbers but no headers, variables or
// documents, and so no tokens and no passwords.

export interface JournalEntry {
  /** RFC 3339, on the service's clock. */
  readonly at: string;
  /** Name of the user of a GraphQL request; null for the login endpoints and for requests without a valid user. */
  readonly user: string | null;
  readonly path: string;
  /** The requested root fields that exist. */
  readonly operations: readonly string[];
  /** Members of inputs that were unknown and ignored, such as `CreateGroupInput.colour`; left out when there are none. */
  readonly ignoredMembers?: readonly string[];
  /** HTTP status; 0 when the connection was reset. */
  readonly status: number;
  /** How long the response took, in real time. */
  readonly ms: number;
}

// Bounded, so that the memory of a long-running service does not grow.
const maxEntries = 10_000;

export class Journal {
  #entries: JournalEntry[] = [];

  add(entry: JournalEntry): void {
    // Removing half at a time avoids moving the whole list with every request.
    if (this.#entries.length >= 2 * maxEntries) this.#entries = this.#entries.slice(-maxEntries);
    this.#entries.push(entry);
  }

  /** The newest entries, oldest first. */
  list(): readonly JournalEntry[] {
    return this.#entries.slice(-maxEntries);
  }

  clear(): void {
    this.#entries = [];
  }
}
