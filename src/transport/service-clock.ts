// The service's clock, as the Date headers of its responses show it: how far it is ahead of this machine's clock. A Date has whole
// seconds and is as old as its response's way back, so each one gives bounds, and several give closer ones.
import type { Clock, FetchResponse } from '../core/ports.js';

/** Clocks that differ by no more than this count as the same: a Date is not more precise. */
const SAME_MS = 1_000;
const SECOND_MS = 1_000;

/** How far the service's clock is ahead of this machine's, in milliseconds. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

type Headers = FetchResponse['headers'];

export class ServiceClock {
  readonly #clock: Clock;
  #bounds: Bounds | null = null;
  #assumedAheadMs = 0;
  #lastDate = '';
  #lastAt = 0;

  /** `clock`: this machine's. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970 by the service's clock; by this machine's while nothing is known of the service's. */
  now(): number {
    return this.at(this.#clock.now());
  }

  /** What the service's clock showed when this machine's showed `local`. */
  at(local: number): number {
    return local + (this.observedAheadMs ?? this.#assumedAheadMs);
  }

  /** How far responses showed the service's clock to be ahead, 0 when the clocks agree; null before the first response. */
  get observedAheadMs(): number | null {
    return this.#bounds === null ? null : aheadMs(this.#bounds);
  }

  /** Holds until the first response: what was observed when the session was saved. */
  assume(aheadMs: number): void {
    this.#assumedAheadMs = aheadMs;
  }

  /** This machine's time. */
  localNow(): number {
    return this.#clock.now();
  }

  /** Reads the Date of a successful response; one of a failure may come from a proxy with a clock of its own. */
  observe({ ok, headers }: Pick<FetchResponse, 'ok' | 'headers'>, sentAt: number): void {
    // The fetch of a program may leave headers out.
    if (ok && headers) this.observeHeaders(headers, sentAt);
  }

  /** Reads the Date of a response to a request that was sent at `sentAt` by this machine's clock. */
  observeHeaders(headers: Headers, sentAt: number): void {
    const date = headers.get('date');
    if (!date) return;
    const now = this.#clock.now();
    // By far the most frequent case: nothing new within the same second. After that, the same Date shows a clock that stands still.
    if (date === this.#lastDate && Math.abs(now - this.#lastAt) < SECOND_MS) return;
    const time = isFresh(headers) ? readDate(date) : null;
    if (time === null || now < sentAt) return;
    this.#lastDate = date;
    this.#lastAt = now;
    const observed = { least: time - now, most: time + SECOND_MS - sentAt };
    const common = this.#bounds === null ? observed : intersection(this.#bounds, observed);
    // Nothing in common: one of the clocks was changed, and only the newest response counts.
    this.#bounds = common.least <= common.most ? common : observed;
  }
}

function intersection(a: Bounds, b: Bounds): Bounds {
  return { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
}

function aheadMs({ least, most }: Bounds): number {
  return least <= SAME_MS && most >= -SAME_MS ? 0 : Math.round((least + most) / 2);
}

/** A response from a cache has the Date of when it was stored. */
function isFresh(headers: Headers): boolean {
  const age = headers.get('age');
  return !age || age.trim() === '0';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Mon, 02 Mar 2026 09:30:00 GMT`, the only form that HTTP allows to be sent; null for anything else. */
function readDate(text: string): number | null {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  if (!match) return null;
  const [, day, month = '', year, time] = match;
  // Not the text itself: Date.parse reads the year 0001 as 2001.
  const date = Date.parse(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`);
  // A 30th of February would be read as a day in March.
  return !Number.isNaN(date) && new Date(date).toUTCString() === text ? date : null;
}
