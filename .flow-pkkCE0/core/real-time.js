import * as timers from "node:timers/promises";
const { setTimeout: wait, setImmediate: nextTurn } = timers;
const MAX_TIMER_MS = 2 ** 31 - 1;
function afterRealTime(ms, run) {
  const cancelling = new AbortController();
  const waiting = wait(Math.min(Math.max(0, ms), MAX_TIMER_MS), void 0, { ref: false, signal: cancelling.signal });
  waiting.then(run, () => void 0);
  return () => cancelling.abort();
}
function turnOfEventLoop() {
  return nextTurn();
}
export {
  MAX_TIMER_MS,
  afterRealTime,
  turnOfEventLoop
};
