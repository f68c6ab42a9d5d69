// What the SDK needs from the world around it, as narrow types: whoever builds a part hands these in, so that no test
// waits on real time, rolls real dice or opens a real socket.

/** Wall-clock time of this machine, for token lifetimes. `Date` and the reference service's `clock` both fit. */
export interface Clock {
  /** Milliseconds since 1970. May jump, in either direction. */
  now(): number;
}

/** A number from 0 up to, not including, 1. */
export type Random = () => number;

/** Elapsed time, for deadlines and pauses. */
export interface Timers {
  /** Milliseconds since some fixed moment; never goes backwards. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** What the SDK reads of an HTTP answer. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  json(): Promise<unknown>;
}

/** What the SDK says of an HTTP request. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The part of fetch that the SDK calls. `globalThis.fetch` fits, and so does the reference service's `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** setTimeout takes no more than this; it is 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The process's own timers. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
