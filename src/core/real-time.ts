// Real time and real event-loop turns, even under fake timers. vitest, Jest and node:test replace
// the functions of globals and modules. References taken before that still work.
import * as timers from 'node:timers/promises';

const { setTimeout: wait, setImmediate: nextTurn } = timers;

/** The longest delay of a timer: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `run` after real time, unref'ed. The returned function cancels it. */
export function afterRealTime(ms: number, run: () => void): () => void {
  const cancelling = new AbortController();
  const waiting = wait(Math.min(Math.max(0, ms), MAX_TIMER_MS), undefined, { ref: false, signal: cancelling.signal });
  waiting.then(run, () => undefined);
  return () => cancelling.abort();
}

/** Resolves after one turn of the event loop, so that pending work runs first. */
export function turnOfEventLoop(): Promise<void> {
  return nextTurn();
}
