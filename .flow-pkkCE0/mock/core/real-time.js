import * as timers from "node:timers/promises";
const { setTimeout: realTimeout, setImmediate: nextTurn } = timers;
class Waits {
  #ends = /* @__PURE__ */ new Set();
  /** Resolves when the time has passed, in reality or on the fake clock of a test, or when it was ended. */
  wait(ms) {
    const { setTimeout, clearTimeout } = globalThis;
    return new Promise((resolve) => {
      const stopWatching = new AbortController();
      const end = (how) => {
        this.#ends.delete(end);
        clearTimeout(timer);
        stopWatching.abort();
        resolve(how);
      };
      const isOver = () => end("over");
      const timer = setTimeout(isOver, ms);
      realTimeout(ms, void 0, { ref: false, signal: stopWatching.signal }).then(isOver, () => void 0);
      this.#ends.add(end);
    });
  }
  endAll(how) {
    for (const end of [...this.#ends]) end(how);
  }
}
function turnOfEventLoop() {
  return nextTurn();
}
export {
  Waits,
  turnOfEventLoop
};
