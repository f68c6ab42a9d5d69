// The clock, random numbers, timers and fetch of the SDK. Tests pass their own, so they need no
// real time, chance or network.
import { afterRealTime, MAX_TIMER_MS } from './real-time.js';

/** Wall-clock time, for token lifetimes. `Date` and the reference service implement it. */
export interface Clock {
  /** Milliseconds since 1970. May jump in either direction. */
  now(): number;
}

/** Returns a number in [0, 1). */
export type Random = () => number;

/** The options of a timer under fake timers of a test. */
export interface AfterOptions {
  /** True when the timer also ends after its real time, even if the test's clock stands still. */
  readonly inRealTime?: boolean;
}

export interface Timers {
  /** Milliseconds since a fixed moment; never goes backwards. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void, options?: AfterOptions): () => void;
}

export interface ResponseHeaders extends Iterable<[name: string, value: string]> {
  /** Returns the value of a header, in any letter case; null without one. */
  get(name: string): string | null;
}

/** The part of an HTTP response that the SDK reads. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Pick<ResponseHeaders, 'get'> & Partial<ResponseHeaders>;
  /** True when the fetch followed a redirect, despite `redirect: 'manual'`. */
  readonly redirected?: boolean;
  readonly url?: string;
  /** A byte stream, as in the global fetch: its size is checked before it is in memory. */
  readonly body?: unknown;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Always set: a redirect must not send password or token to another address. */
  readonly redirect?: 'manual';
}

/** The part of fetch that the SDK calls. `globalThis.fetch` implements it. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The original, to detect fake timers of tests. */
const NATIVE_SET_TIMEOUT = globalThis.setTimeout;
/** Interval to check that the fake clock still exists, after the timer's real time. */
const CLOCK_CHECK_MS = 100;

/** The timers of the process, looked up at each start, so that fake timers of a test work. */
export const realTimers: Timers = {
  now: elapsed(),
  after(ms, run, { inRealTime = false } = {}) {
    const limited = Math.min(Math.max(0, ms), MAX_TIMER_MS);
    if (globalThis.setTimeout === NATIVE_SET_TIMEOUT && !inRealTime) return startTimer(limited, run);
    return startWatchedTimer(limited, run, inRealTime);
  },
};

function startTimer(ms: number, run: () => void): () => void {
  const { setTimeout, clearTimeout } = globalThis;
  const timer = setTimeout(run, ms);
  // A fake clock cannot cancel a timer of another clock.
  return () => clearTimeout(timer);
}

/**
 * Starts a timer that also ends in real time: always with `inRealTime`, otherwise when a test
 * removes its fake clock.
 */
function startWatchedTimer(ms: number, run: () => void, inRealTime: boolean): () => void {
  const { setTimeout: clock } = globalThis;
  const cancelTimer = startTimer(ms, end);
  let cancelCheck = afterRealTime(ms, checkClock);
  function checkClock() {
    if (inRealTime || globalThis.setTimeout !== clock) end();
    else cancelCheck = afterRealTime(CLOCK_CHECK_MS, checkClock);
  }
  function end() {
    cancel();
    run();
  }
  function cancel() {
    cancelTimer();
    cancelCheck();
  }
  return cancel;
}

/**
 * Returns elapsed milliseconds by the current clock of the process. Tests replace that clock and
 * restore it. Each clock has its own time, so the result continues from the last value when the
 * clock changes.
 */
function elapsed(): () => number {
  let clock: (() => number) | null = null;
  let last = 0;
  let ahead = 0;
  return () => {
    const current = performance.now();
    // A fake clock goes back when a test resets it.
    if (performance.now !== clock || current + ahead < last) {
      clock = performance.now;
      ahead = last - current;
    }
    last = current + ahead;
    return last;
  };
}
