// Identifies the own Redis connection, and detects that another one has ended. Redis gives each
// connection an id that it does not reuse, and the system closes the connections of a process that
// dies. A connection may also break while its process lives, so its end alone proves nothing: a
// living process reports through its next connection.
import type { Connection } from './redis-client.js';

export class Presence {
  readonly #connection: Connection;
  /** Empty while unknown. */
  id = '';
  #asking: Promise<void> | null = null;
  #isRefused = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Requests the id of this connection again, because the client may have reconnected. Never
   * rejects.
   */
  refresh(): Promise<void> {
    if (this.#isRefused) return Promise.resolve();
    this.#asking ??= this.#ask(['ID']).then((id) => {
      this.id = id === null ? '' : String(id);
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Returns true when the connection has ended; false if unknown. Never rejects. */
  async hasEnded(id: string): Promise<boolean> {
    return (await this.#ask(['LIST', 'ID', id])) === '';
  }

  async #ask(words: readonly string[]): Promise<unknown> {
    if (this.#isRefused) return null;
    try {
      return await this.#connection.send('CLIENT', words);
    } catch (error) {
      // Some users or proxies of Redis lack this command: turns then end only with their leases.
      this.#isRefused = error instanceof Error && /^(NOPERM|ERR)\b/.test(error.message);
      return null;
    }
  }
}
