function memoryTokenStore() {
  const sessions = /* @__PURE__ */ new Map();
  const tails = /* @__PURE__ */ new Map();
  return {
    async load(key) {
      return sessions.get(key) ?? null;
    },
    async save(key, session) {
      sessions.set(key, session);
    },
    async clear(key, ifCurrent) {
      if (ifCurrent === void 0 || sessions.get(key)?.accessToken === ifCurrent) sessions.delete(key);
    },
    withLock(key, task, { signal } = {}) {
      return new Promise((resolve, reject) => {
        const leave = () => reject(signal?.reason);
        if (signal?.aborted) return leave();
        signal?.addEventListener("abort", leave, { once: true });
        const turn = async () => {
          if (signal?.aborted) return;
          signal?.removeEventListener("abort", leave);
          try {
            resolve(await task());
          } catch (error) {
            reject(error);
          }
        };
        const tail = (tails.get(key) ?? Promise.resolve()).then(turn).then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
        tails.set(key, tail);
      });
    },
    async keys() {
      return [...sessions.keys()];
    }
  };
}
export {
  memoryTokenStore
};
