const RETRY_MS = 200;
class Inbox {
  key;
  #connection;
  #options;
  #second = null;
  #isReading = false;
  #isClosed = false;
  #wake = () => {
  };
  constructor(connection, key, options) {
    this.#connection = connection;
    this.key = key;
    this.#options = options;
  }
  /** Reads messages as long as they are wanted. */
  read() {
    if (this.#isReading || this.#isClosed) return;
    this.#isReading = true;
    void this.#readAll().finally(() => {
      this.#isReading = false;
      if (this.#options.isWanted()) this.read();
    });
  }
  close() {
    this.#isClosed = true;
    this.#wake();
    this.#second?.close();
    this.#second = null;
  }
  /** Never rejects: without messages the tickets still ask again from time to time. */
  async #readAll() {
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
  async #readOne(connection) {
    const { blockMs, answerTimeoutMs, timers, onMessage } = this.#options;
    const cancel = timers.after(blockMs + answerTimeoutMs, () => connection.close());
    try {
      const found = await connection.send("BLPOP", [this.key, String(blockMs / 1e3)]);
      if (Array.isArray(found)) onMessage(String(found[1]));
    } finally {
      cancel();
    }
  }
  #pause() {
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
export {
  Inbox
};
