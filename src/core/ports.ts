// What the SDK needs from its environment: clock, random numbers, timers, fetch. They are passed in, so that tests need no real time, no
// chance and no network.
import { afterRealTime, MAX_TIMER_MS } from './real-time.js';

/** Wall-clock time, for token lifetimes. `Date` is one, and so is the `clock` of the reference service. */
export interface Clock {
  /** Milliseconds since 1970. May jump, in either direction. */
  now(): number;
}

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

/** How a timer behaves in a test that has put a clock of its own in the place of the real one. */
export interface AfterOptions {
  /** It ends when so much real time has passed, even if the clock of the test stands still. For what nobody should wait for in vain. */
  readonly inRealTime?: boolean;
}

/** Elapsed time, for deadlines and pauses. */
export interface Timers {
  /** Milliseconds since a fixed moment; never goes backwards. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void, options?: AfterOptions): () => void;
}

/** The headers of a response, as the SDK hands them on. */
export interface ResponseHeaders extends Iterable<[name: string, value: string]> {
  /** Returns the value of a header, whose name may be in any letter case; null without one. */
  get(name: string): string | null;
}

/** The part of an HTTP response that the SDK reads. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Pick<ResponseHeaders, 'get'> & Partial<ResponseHeaders>;
  /** Whether the fetch followed a redirect, which it is asked not to. */
  readonly redirected?: boolean;
  /** Where the answer came from. */
  readonly url?: string;
  /** The body as a stream of bytes, as the global fetch gives it: with it, its size is known before it is in memory. */
  readonly body?: unknown;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

/** An HTTP request of the SDK. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Given with every request: a redirect must not take password or token to another address. */
  readonly redirect?: 'manual';
}

/** The part of fetch that the SDK calls. `globalThis.fetch` is one, and so is the `fetch` of the reference service. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Tests put another function in its place. */
const ORDINARY_TIMEOUT = globalThis.setTimeout;
/** How often a timer looks whether its clock is still there, once it would have ended in real time. */
const LOOK_MS = 100;

/** The timers of the process: those that are there when a timer starts, so that fake timers of a test work too. */
export const realTimers: Timers = {
  now: elapsed(),
  after(ms, run, { inRealTime = false } = {}) {
    const limited = Math.min(Math.max(0, ms), MAX_TIMER_MS);
    if (globalThis.setTimeout === ORDINARY_TIMEOUT && !inRealTime) return startTimer(limited, run);
    return startWatchedTimer(limited, run, inRealTime);
  },
};

function startTimer(ms: number, run: () => void): () => void {
  const { setTimeout, clearTimeout } = globalThis;
  const timer = setTimeout(run, ms);
  // A fake clock cannot stop a timer of another one.
  return () => clearTimeout(timer);
}

/** A timer that ends all the same when a test takes its clock away, and with it all timers that wait for that clock. */
function startWatchedTimer(ms: number, run: () => void, inRealTime: boolean): () => void {
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

/**
 * Milliseconds that pass on the clock of the process, whichever that is: a test puts another one in its place and takes it away again. Each
 * tells a time of its own, so time goes on from where it was, whether the other clock is behind or ahead.
 */
function elapsed(): () => number {
  let clock: (() => number) | null = null;
  let last = 0;
  let ahead = 0;
  return () => {
    const told = performance.now();
    // The same clock goes back when a test resets it.
    if (performance.now !== clock || told + ahead < last) {
      clock = performance.now;
      ahead = last - told;
    }
    last = told + ahead;
    return last;
  };
}
