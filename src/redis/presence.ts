// Which connection to Redis is this process's own, and whether another one has ended. Redis knows each connection by a number that it does
// not use again, and the system closes the connections of a process that dies. A connection may also be cut while its process lives, so
// its end alone proves nothing: whoever lives reports through the next one.
import type { Connection } from './redis-client.js';

export class Presence {
  readonly #connection: Connection;
  #id = '';
  #asking: Promise<void> | null = null;
  #isRefused = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The number of the own connection as it was last known; '' when unknown. */
  get id(): string {
    return this.#id;
  }

  /** Asks for the own number again: the client may have another connection by now. Never rejects. */
  refresh(): Promise<void> {
    if (this.#isRefused) return Promise.resolve();
    this.#asking ??= this.#ask(['ID']).then((id) => {
      this.#id = id === null ? '' : String(id);
      this.#asking = null;
    });
    return this.#asking;
  }

  /** False also when Redis does not tell. Never rejects. */
  async hasEnded(id: string): Promise<boolean> {
    return (await this.#ask(['LIST', 'ID', id])) === '';
  }

  /** Null when there is no answer. */
  async #ask(words: readonly string[]): Promise<unknown> {
    if (this.#isRefused) return null;
    try {
      return await this.#connection.send('CLIENT', words);
    } catch (error) {
      // Some users of Redis may not send this command, and some proxies do not know it: then turns end with their leases only.
      this.#isRefused = error instanceof Error && /^(NOPERM|ERR)\b/.test(error.message);
      return null;
    }
  }
}
