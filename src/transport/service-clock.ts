// Estimates by how much the service's clock is ahead of this machine's, from the Date headers of
// responses. A Date has whole seconds and is as old as the response took to arrive. Each one gives
// bounds, and several give closer bounds.
import type { Clock, FetchResponse } from '../core/ports.js';

/** Tolerance for equal clocks: a Date is not more precise. */
const SAME_MS = 1_000;
const SECOND_MS = 1_000;
/** Clocks drift by seconds; a larger change means a clock was set, or another server. */
const JUMP_MS = 300_000;

/** Bounds of the service clock's lead, in milliseconds. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A change of the service clock's lead over this machine's clock, in milliseconds. */
export interface ClockJump {
  readonly aheadMs: number;
  readonly beforeMs: number;
}

type Headers = FetchResponse['headers'];

export class ServiceClock {
  readonly #clock: Clock;
  readonly #onJump: (jump: ClockJump) => void;
  #bounds: Bounds | null = null;
  #expectedAheadMs: number | null = null;
  #reportedAheadMs: number | null = null;
  #assumedAheadMs = 0;
  #lastDate = '';
  #lastAt = 0;

  /** `clock`: this machine's. `onJump`: called once each time the clocks move apart by minutes. */
  constructor(clock: Clock, onJump: (jump: ClockJump) => void = () => undefined) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /** The service's time in ms since 1970; the local time before the first observation. */
  now(): number {
    return this.at(this.#clock.now());
  }

  /** Converts a local time to the service's time. */
  at(local: number): number {
    return local + (this.observedAheadMs ?? this.#assumedAheadMs);
  }

  /** Observed lead of the service's clock, 0 when they agree; null before the first response. */
  get observedAheadMs(): number | null {
    return this.#bounds === null ? null : aheadMs(this.#bounds);
  }

  /**
   * Uses the saved `aheadMs` until the first response. `expectedAheadMs`: the value at the login,
   * from which jumps are measured.
   */
  assume(aheadMs: number, expectedAheadMs = aheadMs): void {
    this.#assumedAheadMs = aheadMs;
    this.#expectedAheadMs ??= expectedAheadMs;
  }

  /** The lead at the login, if the clock has jumped since then; otherwise null. */
  get jumpedFromMs(): number | null {
    if (this.#bounds === null || this.#expectedAheadMs === null) return null;
    return this.#hasJumped(this.#bounds, this.#expectedAheadMs) ? this.#expectedAheadMs : null;
  }

  /** Takes the last observation as the new baseline of jumps, after a login. */
  accept(): void {
    this.#expectedAheadMs = this.observedAheadMs;
    this.#reportedAheadMs = null;
  }

  localNow(): number {
    return this.#clock.now();
  }

  /** Reads the Date of a successful response; a failure may come from a proxy. */
  observe({ ok, headers }: Pick<FetchResponse, 'ok' | 'headers'>, sentAt: number): void {
    // A custom fetch may leave headers out.
    if (ok && headers) this.observeHeaders(headers, sentAt);
  }

  /** Reads the Date of a response. `sentAt`: the request's time by this machine's clock. */
  observeHeaders(headers: Headers, sentAt: number): void {
    const date = headers.get('date');
    if (!date) return;
    const now = this.#clock.now();
    // Fast path within the same second. Later, the same Date means that the clock stands still.
    if (date === this.#lastDate && Math.abs(now - this.#lastAt) < SECOND_MS) return;
    const time = isFresh(headers) ? readDate(date) : null;
    if (time === null || now < sentAt) return;
    this.#lastDate = date;
    this.#lastAt = now;
    const observed = { least: time - now, most: time + SECOND_MS - sentAt };
    const common = this.#bounds === null ? observed : intersection(this.#bounds, observed);
    // No overlap: one of the clocks was changed, and only the newest response counts.
    this.#bounds = common.least <= common.most ? common : observed;
    this.#compare(this.#bounds);
  }

  /** Reports a jump of a clock once, and again only when the difference changes further. */
  #compare(bounds: Bounds): void {
    const expected = this.#expectedAheadMs;
    if (expected === null) this.#expectedAheadMs = aheadMs(bounds);
    else if (!this.#hasJumped(bounds, expected)) this.#reportedAheadMs = null;
    else if (this.#reportedAheadMs === null || isApart(bounds, this.#reportedAheadMs)) {
      this.#reportedAheadMs = aheadMs(bounds);
      this.#onJump({ aheadMs: this.#reportedAheadMs, beforeMs: expected });
    }
  }

  /** Clocks that agree are correct, whatever the baseline was. */
  #hasJumped(bounds: Bounds, expected: number): boolean {
    return isApart(bounds, expected) && isApart(bounds, 0);
  }
}

/** Returns true when `aheadMs` is outside of the bounds by more than JUMP_MS. */
function isApart({ least, most }: Bounds, aheadMs: number): boolean {
  return least > aheadMs + JUMP_MS || most < aheadMs - JUMP_MS;
}

function intersection(a: Bounds, b: Bounds): Bounds {
  return { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
}

function aheadMs({ least, most }: Bounds): number {
  return least <= SAME_MS && most >= -SAME_MS ? 0 : Math.round((least + most) / 2);
}

/** A cached response has the Date of when it was stored. */
function isFresh(headers: Headers): boolean {
  const age = headers.get('age');
  return !age || age.trim() === '0';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Parses `Mon, 02 Mar 2026 09:30:00 GMT`, the form of HTTP; returns null for others. */
export function readDate(text: string): number | null {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  if (!match) return null;
  const [, day, month = '', year, time] = match;
  // Not the text itself: Date.parse reads the year 0001 as 2001.
  const date = Date.parse(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}Z`);
  // Date.parse would accept 30 February.
  return !Number.isNaN(date) && new Date(date).toUTCString() === text ? date : null;
}
