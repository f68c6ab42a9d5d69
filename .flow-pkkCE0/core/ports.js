import { afterRealTime, MAX_TIMER_MS } from "./real-time.js";
const ORDINARY_TIMEOUT = globalThis.setTimeout;
const LOOK_MS = 100;
const realTimers = {
  now: elapsed(),
  after(ms, run, { inRealTime = false } = {}) {
    const limited = Math.min(Math.max(0, ms), MAX_TIMER_MS);
    if (globalThis.setTimeout === ORDINARY_TIMEOUT && !inRealTime) return startTimer(limited, run);
    return startWatchedTimer(limited, run, inRealTime);
  }
};
function startTimer(ms, run) {
  const { setTimeout, clearTimeout } = globalThis;
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
function startWatchedTimer(ms, run, inRealTime) {
  const { setTimeout: clock } = globalThis;
  const cancelTimer = startTimer(ms, end);
  let stopLooking = afterRealTime(ms, look);
  function look() {
    if (inRealTime || globalThis.setTimeout !== clock) end();
    else stopLooking = afterRealTime(LOOK_MS, look);
  }
  function end() {
    cancel();
    run();
  }
  function cancel() {
    cancelTimer();
    stopLooking();
  }
  return cancel;
}
function elapsed() {
  let clock = null;
  let last = 0;
  let ahead = 0;
  return () => {
    const told = performance.now();
    if (performance.now !== clock || told + ahead < last) {
      clock = performance.now;
      ahead = last - told;
    }
    last = told + ahead;
    return last;
  };
}
export {
  realTimers
};
