class ActiveRequests {
  #active = /* @__PURE__ */ new Map();
  /** Marks the key as active and returns the function that ends it, which may be called twice; null when already active. */
  begin(key) {
    if (this.#active.has(key)) return null;
    const request = {};
    this.#active.set(key, request);
    return () => {
      if (this.#active.get(key) === request) this.#active.delete(key);
    };
  }
  /** Forgets all requests, those too whose response nobody will read. */
  reset() {
    this.#active.clear();
  }
}
export {
  ActiveRequests
};
