// What the SDK needs from its environment: clock, random numbers, timers, fetch. They are passed in, so that tests need no real time, no
// chance and no network.

/** Wall-clock time, for token lifetimes. `Date` is one, and so is the `clock` of the reference service. */
export interface Clock {
  /** Milliseconds since 1970. May jump, in either direction. */
  now(): number;
}

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Elapsed time, for deadlines and pauses. */
export interface Timers {
  /** Milliseconds since a fixed moment; never goes backwards. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The part of an HTTP response that the SDK reads. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
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

/** The longest time that setTimeout accepts: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The timers of the process. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
