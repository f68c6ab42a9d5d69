// What the service was asked, for tests to look at. Holds names and numbers only: no header, no variable, no document, so no
// token and no password.

export interface JournalEntry {
  /** RFC 3339, on the service's clock. */
  readonly at: string;
  /** Name of the user a GraphQL request was for; null for the login endpoints and for requests without a valid user. */
  readonly user: string | null;
  readonly path: string;
  /** The root fields asked for, as far as they exist. */
  readonly operations: readonly string[];
  /** HTTP status; 0 when the connection was reset instead. */
  readonly status: number;
  /** How long the answer took, in real time. */
  readonly ms: number;
}

// A service that runs for weeks must not grow.
const mostEntries = 10_000;

export class Journal {
  #entries: JournalEntry[] = [];

  add(entry: JournalEntry): void {
    // Cut in halves: dropping one at a time would move the whole list on every request.
    if (this.#entries.length >= 2 * mostEntries) this.#entries = this.#entries.slice(-mostEntries);
    this.#entries.push(entry);
  }

  /** The newest entries, oldest first. */
  list(): readonly JournalEntry[] {
    return this.#entries.slice(-mostEntries);
  }

  clear(): void {
    this.#entries = [];
  }
}
