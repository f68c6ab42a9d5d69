// The inbox of a gate: a list in Redis, into which the script puts a message when a ticket of this gate gets the turn. A connection of
// its own waits there with a blocking pop, so nobody asks again and again.
import type { Timers } from '../core/ports.js';
import type { Connection } from './redis-client.js';

/** After a failure the next try comes after this time. */
const RETRY_MS = 200;

export interface InboxOptions {
  /** How long one blocking pop waits. */
  readonly blockMs: number;
  /** A connection that is silent for this much longer is given up. */
  readonly answerTimeoutMs: number;
  readonly timers: Timers;
  readonly onMessage: (message: string) => void;
  /** Whether anybody waits for a message. */
  readonly isWanted: () => boolean;
}

export class Inbox {
  readonly key: string;
  readonly #connection: Connection;
  readonly #options: InboxOptions;
  #second: Connection | null = null;
  #isReading = false;
  #isClosed = false;
  #wake = () => {};

  constructor(connection: Connection, key: string, options: InboxOptions) {
    this.#connection = connection;
    this.key = key;
    this.#options = options;
  }

  /** Reads messages as long as they are wanted. */
  read(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    void this.#readAll().finally(() => {
      this.#isReading = false;
      // Somebody may have begun to wait in the meantime.
      if (this.#options.isWanted()) this.read();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#second?.close();
    this.#second = null;
  }

  /** Never rejects: without messages the tickets still ask again from time to time. */
  async #readAll(): Promise<void> {
    while (!this.#isClosed && this.#options.isWanted()) {
      try {
        this.#second ??= this.#connection.open();
        await this.#readOne(this.#second);
      } catch {
        this.#second?.close();
        this.#second = null;
        await this.#pause();
      }
    }
  }

  async #readOne(connection: Connection): Promise<void> {
    const { blockMs, answerTimeoutMs, timers, onMessage } = this.#options;
    const cancel = timers.after(blockMs + answerTimeoutMs, () => connection.close());
    try {
      const found = await connection.send('BLPOP', [this.key, String(blockMs / 1000)]);
      if (Array.isArray(found)) onMessage(String(found[1]));
    } finally {
      cancel();
    }
  }

  #pause(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.timers.after(RETRY_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
