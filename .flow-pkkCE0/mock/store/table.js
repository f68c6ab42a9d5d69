const maxDeleted = 1e4;
class Table {
  #source;
  // Loaded on first use: most requests to a large fleet use few of its tables.
  #loadedRows = null;
  #selectors;
  // The newest deleted records, for services that keep showing them.
  #deleted;
  // Built on first use and kept up to date from then on.
  #indexes = /* @__PURE__ */ new Map();
  constructor(selectors, source, deleted = []) {
    this.#selectors = selectors;
    this.#source = source;
    this.#deleted = new Map(deleted.map((row) => [row.id, row]));
  }
  get #rows() {
    if (this.#loadedRows === null) {
      this.#loadedRows = /* @__PURE__ */ new Map();
      for (const row of this.#source()) this.#loadedRows.set(row.id, row);
    }
    return this.#loadedRows;
  }
  get size() {
    return this.#rows.size;
  }
  get(id) {
    return this.#rows.get(id);
  }
  values() {
    return this.#rows.values();
  }
  /** The records with this key in the index. */
  findBy(index, key) {
    const ids = this.#index(index).get(key);
    if (ids === void 0) return [];
    const found = [];
    for (const id of typeof ids === "string" ? [ids] : ids) {
      const row = this.#rows.get(id);
      if (row !== void 0) found.push(row);
    }
    return found;
  }
  /** The records that have been deleted, oldest first; at most 10,000. */
  deleted() {
    return this.#deleted.values();
  }
  /** Adds the record or replaces the one with its id. */
  put(row) {
    const previous = this.#rows.get(row.id);
    this.#rows.set(row.id, row);
    this.#deleted.delete(row.id);
    for (const [name, index] of this.#indexes) {
      if (previous !== void 0) this.#removeFromIndex(index, this.#selectors[name](previous), row.id);
      this.#addToIndex(index, this.#selectors[name](row), row.id);
    }
    return row;
  }
  delete(id) {
    const previous = this.#rows.get(id);
    if (previous === void 0) return false;
    this.#rows.delete(id);
    this.#deleted.set(id, previous);
    const [oldest] = this.#deleted.keys();
    if (this.#deleted.size > maxDeleted && oldest !== void 0) this.#deleted.delete(oldest);
    for (const [name, index] of this.#indexes) this.#removeFromIndex(index, this.#selectors[name](previous), id);
    return true;
  }
  #index(name) {
    const existing = this.#indexes.get(name);
    if (existing !== void 0) return existing;
    const index = /* @__PURE__ */ new Map();
    for (const row of this.#rows.values()) this.#addToIndex(index, this.#selectors[name](row), row.id);
    this.#indexes.set(name, index);
    return index;
  }
  #addToIndex(index, selectors, id) {
    for (const key of toList(selectors)) {
      const ids = index.get(key);
      if (ids === void 0) index.set(key, id);
      else if (typeof ids !== "string") ids.add(id);
      else if (ids !== id) index.set(key, /* @__PURE__ */ new Set([ids, id]));
    }
  }
  #removeFromIndex(index, selectors, id) {
    for (const key of toList(selectors)) {
      const ids = index.get(key);
      if (ids === id) index.delete(key);
      else if (ids instanceof Set) ids.delete(id);
    }
  }
}
function toList(selectors) {
  if (selectors === null) return [];
  return typeof selectors === "string" ? [selectors] : selectors;
}
export {
  Table
};
