class Presence {
  #connection;
  #id = "";
  #asking = null;
  #isRefused = false;
  constructor(connection) {
    this.#connection = connection;
  }
  /** The number of the own connection as it was last known; '' when unknown. */
  get id() {
    return this.#id;
  }
  /** Asks for the own number again: the client may have another connection by now. Never rejects. */
  refresh() {
    if (this.#isRefused) return Promise.resolve();
    this.#asking ??= this.#ask(["ID"]).then((id) => {
      this.#id = id === null ? "" : String(id);
      this.#asking = null;
    });
    return this.#asking;
  }
  /** False also when Redis does not tell. Never rejects. */
  async hasEnded(id) {
    return await this.#ask(["LIST", "ID", id]) === "";
  }
  /** Null when there is no answer. */
  async #ask(words) {
    if (this.#isRefused) return null;
    try {
      return await this.#connection.send("CLIENT", words);
    } catch (error) {
      this.#isRefused = error instanceof Error && /^(NOPERM|ERR)\b/.test(error.message);
      return null;
    }
  }
}
export {
  Presence
};
