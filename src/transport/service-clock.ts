// The service's clock, as the Date headers of its responses show it: how far it is ahead of this machine's clock. A Date has whole
// seconds and is as old as its response's way back, so each one gives bounds, and several give closer ones.
import type { Clock, FetchResponse } from '../core/ports.js';

/** Clocks that differ by no more than this count as the same: a Date is not more precise. */
const SAME_MS = 1_000;
const SECOND_MS = 1_000;
/** Clocks move apart by seconds; a clock that moves by more than this was set, or is not the one that answered before. */
const JUMP_MS = 300_000;

/** How far the service's clock is ahead of this machine's, in milliseconds. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** How far the service's clock is ahead of this machine's now, and how far it was before. Milliseconds. */
export interface ClockJump {
  readonly aheadMs: number;
  readonly beforeMs: number;
}

type Headers = FetchResponse['headers'];

export class ServiceClock {
  readonly #clock: Clock;
  readonly #onJump: (jump: ClockJump) => void;
  #bounds: Bounds | null = null;
  /** What jumps are measured against; null while nothing is known. */
  #expectedAheadMs: number | null = null;
  /** The jump that was reported last. */
  #toldAheadMs: number | null = null;
  #assumedAheadMs = 0;
  #lastDate = '';
  #lastAt = 0;

  /** `clock`: this machine's. `onJump` is called when the clocks have moved apart by minutes, once for each time that they move. */
  constructor(clock: Clock, onJump: (jump: ClockJump) => void = () => undefined) {
    this.#clock = clock;
    this.#onJump = onJump;
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

  /** Holds until the first response: what was observed when the session was saved. `expectedAheadMs`: when somebody logged in. */
  assume(aheadMs: number, expectedAheadMs = aheadMs): void {
    this.#assumedAheadMs = aheadMs;
    this.#expectedAheadMs ??= expectedAheadMs;
  }

  /** How far the service's clock was ahead when somebody logged in, if it has jumped since then; null when it has not. */
  get jumpedFromMs(): number | null {
    if (this.#bounds === null || this.#expectedAheadMs === null) return null;
    return this.#hasJumped(this.#bounds, this.#expectedAheadMs) ? this.#expectedAheadMs : null;
  }

  /** From now on jumps are measured against what was observed last: somebody has logged in, and knows the clocks. */
  accept(): void {
    this.#expectedAheadMs = this.observedAheadMs;
    this.#toldAheadMs = null;
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
    this.#compare(this.#bounds);
  }

  #compare(bounds: Bounds): void {
    const expected = this.#expectedAheadMs;
    if (expected === null) this.#expectedAheadMs = aheadMs(bounds);
    else if (!this.#hasJumped(bounds, expected)) this.#toldAheadMs = null;
    else if (this.#toldAheadMs === null || isApart(bounds, this.#toldAheadMs)) {
      this.#toldAheadMs = aheadMs(bounds);
      this.#onJump({ aheadMs: this.#toldAheadMs, beforeMs: expected });
    }
  }

  /** Two clocks that agree are right, whatever was before. */
  #hasJumped(bounds: Bounds, expected: number): boolean {
    return isApart(bounds, expected) && isApart(bounds, 0);
  }
}

/** However slow the response was. */
function isApart({ least, most }: Bounds, aheadMs: number): boolean {
  return least > aheadMs + JUMP_MS || most < aheadMs - JUMP_MS;
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

/** Reads `Mon, 02 Mar 2026 09:30:00 GMT`, the form of HTTP; null for anything else. */
export function readDate(text: string): number | null {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  if (!match) return null;
  const [, day, month = '', year, time] = match;
  // Not the text itself: Date.parse reads the year 0001 as 2001.
  const date = Date.parse(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`);
  // A 30th of February would be read as a day in March.
  return !Number.isNaN(date) && new Date(date).toUTCString() === text ? date : null;
}
