// The journal of received requests, for tests. It holds names and numbers but no headers, variables
// or documents, so no tokens or passwords.

export interface JournaledRequest {
  /** RFC 3339, on the service's clock. */
  readonly at: string;
  /** User name of a GraphQL request; null for login endpoints and without a valid user. */
  readonly user: string | null;
  readonly path: string;
  readonly operations: readonly string[];
  /** Ignored unknown input members, such as `CreateGroupInput.colour`. */
  readonly ignoredMembers?: readonly string[];
  /** HTTP status; 0 when the connection was reset. */
  readonly status: number;
  /** Response time in milliseconds of real time. */
  readonly ms: number;
}

// Limits the memory of a long-running service.
const maxEntries = 10_000;

export class RequestJournal {
  #entries: JournaledRequest[] = [];

  add(entry: JournaledRequest): void {
    // Removing half at a time avoids moving the whole list with every request.
    if (this.#entries.length >= 2 * maxEntries) this.#entries = this.#entries.slice(-maxEntries);
    this.#entries.push(entry);
  }

  /** Returns the newest entries, oldest first. */
  list(): readonly JournaledRequest[] {
    return this.#entries.slice(-maxEntries);
  }

  clear(): void {
    this.#entries = [];
  }
}
