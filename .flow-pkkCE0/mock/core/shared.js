class Shared {
  /** `sizeOf` tells how much of the limit a value takes; without it, the limit is a number of values. */
  constructor(limit, sizeOf = () => 1) {
    this.limit = limit;
    this.sizeOf = sizeOf;
  }
  limit;
  sizeOf;
  #values = /* @__PURE__ */ new Map();
  #size = 0;
  get(key, make) {
    const kept = this.#values.get(key);
    const value = kept ?? make();
    if (kept === void 0) this.#size += this.sizeOf(value);
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const [oldest, old] of this.#values) {
      if (this.#size <= this.limit) break;
      this.#values.delete(oldest);
      this.#size -= this.sizeOf(old);
    }
    return value;
  }
}
export {
  Shared
};
