// What time the service has, as the Date of its answers tells it: how far its clock is from this machine's. A Date has whole seconds
// and is older than its answer by the way back, so each one gives bounds, and several give closer ones.
import type { Clock, FetchResponse } from '../core/ports.js';

/** Clocks that differ by less than this are taken for the same: a Date tells no better. */
const SAME_MS = 1_000;
/** An answer this soon after one with the same Date tells nothing new. */
const SECOND = 1_000;

/** What the service's clock is ahead of this machine's: at least and at most, in milliseconds. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

type Headers = FetchResponse['headers'];

export class ServiceClock {
  readonly #clock: Clock;
  #bounds: Bounds | null = null;
  /** As a session was kept with it; stands in until there is an answer. */
  #kept = 0;
  #lastDate = '';
  #lastAt = 0;

  /** `clock`: of this machine. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970 by the service's clock; by this machine's while nothing is known of the other. */
  now(): number {
    return this.at(this.#clock.now());
  }

  /** What the service's clock showed when this machine's showed `local`. */
  at(local: number): number {
    return local + (this.heardMs ?? this.#kept);
  }

  /** How far answers showed the service's clock to be ahead of this machine's, 0 when they agree; null while none has. */
  get heardMs(): number | null {
    return this.#bounds === null ? null : between(this.#bounds);
  }

  /** What was known when a session was kept: of use until an answer comes. */
  recall(aheadMs: number): void {
    this.#kept = aheadMs;
  }

  /** This machine's time, to be remembered of a request that leaves. */
  leaving(): number {
    return this.#clock.now();
  }

  /** Takes note of a good answer; another one may come from a proxy that has a clock of its own. */
  hear({ ok, headers }: Pick<FetchResponse, 'ok' | 'headers'>, leftAt: number): void {
    // A fetch that a program brings along may leave headers out.
    if (ok && headers) this.hearHeaders(headers, leftAt);
  }

  /** Takes note of an answer to a request that left at `leftAt` by this machine's clock. */
  hearHeaders(headers: Headers, leftAt: number): void {
    const date = headers.get('date');
    if (!date) return;
    const now = this.#clock.now();
    // The most frequent case by far, so nothing is parsed for it. A Date that stays the same for longer is of a clock that stands still.
    if (date === this.#lastDate && Math.abs(now - this.#lastAt) < SECOND) return;
    const moment = isFresh(headers) ? readDate(date) : null;
    if (moment === null || now < leftAt) return;
    this.#lastDate = date;
    this.#lastAt = now;
    const heard = { least: moment - now, most: moment + SECOND - leftAt };
    const both = this.#bounds === null ? heard : common(this.#bounds, heard);
    // Nothing in common: one of the clocks was moved, and only the newest answer counts.
    this.#bounds = both.least <= both.most ? both : heard;
  }
}

function common(one: Bounds, other: Bounds): Bounds {
  return { least: Math.max(one.least, other.least), most: Math.min(one.most, other.most) };
}

function between({ least, most }: Bounds): number {
  return least <= SAME_MS && most >= -SAME_MS ? 0 : Math.round((least + most) / 2);
}

/** An answer out of a cache carries the Date of when it was put there. */
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
  // Not the text itself: Date.parse takes the year 0001 for 2001.
  const moment = Date.parse(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`);
  // A 30th of February is taken for a day in March.
  return !Number.isNaN(moment) && new Date(moment).toUTCString() === text ? moment : null;
}
