// Real time and real turns of the event loop, whatever a test has put in the place of timers. Fake timers of vitest, Jest and node:test replace
// functions of the global object and of Node's modules; what was taken from there before goes on working.
import * as timers from 'node:timers/promises';

const { setTimeout: wait, setImmediate: nextTurn } = timers;

/** The longest time that timers accept: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `run` after this much real time. It does not keep the process alive. The returned function cancels it. */
export function afterRealTime(ms: number, run: () => void): () => void {
  const cancelling = new AbortController();
  const waiting = wait(Math.min(Math.max(0, ms), MAX_TIMER_MS), undefined, { ref: false, signal: cancelling.signal });
  // It rejects only when it is cancelled.
  waiting.then(run, () => undefined);
  return () => cancelling.abort();
}

/** Resolves after a turn of the event loop, so that whatever else waits for one goes on first. */
export function turnOfEventLoop(): Promise<void> {
  return nextTurn();
}
