const LEAST_ROWS = 1e3;
const LEAST_SHARE = 0.1;
class ChangedRows {
  #rows = /* @__PURE__ */ new Map();
  add(table, rows) {
    this.#rows.set(table, (this.#rows.get(table) ?? 0) + rows);
  }
  /** The tables of which at least a tenth has changed since the database looked at them. `known`: the rows that they had then. */
  large(known) {
    return [...this.#rows].flatMap(
      ([table, rows]) => rows >= Math.max(LEAST_ROWS, LEAST_SHARE * (known.get(table) ?? 0)) ? [table] : []
    );
  }
}
export {
  ChangedRows
};
