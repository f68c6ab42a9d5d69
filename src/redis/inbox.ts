// The inbox of a gate: a Redis list into which the script puts a message when a ticket of this gate
// gets the turn. A separate connection waits there with a blocking pop, so polling is not needed.
import type { Timers } from '../core/ports.js';
import type { Connection } from './redis-client.js';

const RETRY_MS = 200;

export interface InboxOptions {
  readonly blockMs: number;
  readonly answerTimeoutMs: number;
  readonly timers: Timers;
  readonly onMessage: (message: string) => void;
  readonly isWanted: () => boolean;
}

export class Inbox {
  readonly key: string;
  readonly #connection: Connection;
  readonly #options: InboxOptions;
  /** The connection of the blocking pop. */
  #blockingConnection: Connection | null = null;
  #isReading = false;
  #isClosed = false;
  #wake = () => {};

  constructor(connection: Connection, key: string, options: InboxOptions) {
    this.#connection = connection;
    this.key = key;
    this.#options = options;
  }

  read(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    void this.#readAll().finally(() => {
      this.#isReading = false;
      if (this.#options.isWanted()) this.read();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#blockingConnection?.close();
    this.#blockingConnection = null;
  }

  /** Never rejects: without messages the tickets still poll from time to time. */
  async #readAll(): Promise<void> {
    while (!this.#isClosed && this.#options.isWanted()) {
      try {
        this.#blockingConnection ??= this.#connection.open();
        await this.#readOne(this.#blockingConnection);
      } catch {
        this.#blockingConnection?.close();
        this.#blockingConnection = null;
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
