const maxEntries = 1e4;
class Journal {
  #entries = [];
  add(entry) {
    if (this.#entries.length >= 2 * maxEntries) this.#entries = this.#entries.slice(-maxEntries);
    this.#entries.push(entry);
  }
  /** The newest entries, oldest first. */
  list() {
    return this.#entries.slice(-maxEntries);
  }
  clear() {
    this.#entries = [];
  }
}
export {
  Journal
};
