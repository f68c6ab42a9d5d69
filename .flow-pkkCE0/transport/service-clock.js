const SAME_MS = 1e3;
const SECOND_MS = 1e3;
const JUMP_MS = 3e5;
class ServiceClock {
  #clock;
  #onJump;
  #bounds = null;
  /** What jumps are measured against; null while nothing is known. */
  #expectedAheadMs = null;
  /** The jump that was reported last. */
  #toldAheadMs = null;
  #assumedAheadMs = 0;
  #lastDate = "";
  #lastAt = 0;
  /** `clock`: this machine's. `onJump` is called when the clocks have moved apart by minutes, once for each time that they move. */
  constructor(clock, onJump = () => void 0) {
    this.#clock = clock;
    this.#onJump = onJump;
  }
  /** Milliseconds since 1970 by the service's clock; by this machine's while nothing is known of the service's. */
  now() {
    return this.at(this.#clock.now());
  }
  /** What the service's clock showed when this machine's showed `local`. */
  at(local) {
    return local + (this.observedAheadMs ?? this.#assumedAheadMs);
  }
  /** How far responses showed the service's clock to be ahead, 0 when the clocks agree; null before the first response. */
  get observedAheadMs() {
    return this.#bounds === null ? null : aheadMs(this.#bounds);
  }
  /** Holds until the first response: what was observed when the session was saved. `expectedAheadMs`: when somebody logged in. */
  assume(aheadMs2, expectedAheadMs = aheadMs2) {
    this.#assumedAheadMs = aheadMs2;
    this.#expectedAheadMs ??= expectedAheadMs;
  }
  /** How far the service's clock was ahead when somebody logged in, if it has jumped since then; null when it has not. */
  get jumpedFromMs() {
    if (this.#bounds === null || this.#expectedAheadMs === null) return null;
    return this.#hasJumped(this.#bounds, this.#expectedAheadMs) ? this.#expectedAheadMs : null;
  }
  /** From now on jumps are measured against what was observed last: somebody has logged in, and knows the clocks. */
  accept() {
    this.#expectedAheadMs = this.observedAheadMs;
    this.#toldAheadMs = null;
  }
  /** This machine's time. */
  localNow() {
    return this.#clock.now();
  }
  /** Reads the Date of a successful response; one of a failure may come from a proxy with a clock of its own. */
  observe({ ok, headers }, sentAt) {
    if (ok && headers) this.observeHeaders(headers, sentAt);
  }
  /** Reads the Date of a response to a request that was sent at `sentAt` by this machine's clock. */
  observeHeaders(headers, sentAt) {
    const date = headers.get("date");
    if (!date) return;
    const now = this.#clock.now();
    if (date === this.#lastDate && Math.abs(now - this.#lastAt) < SECOND_MS) return;
    const time = isFresh(headers) ? readDate(date) : null;
    if (time === null || now < sentAt) return;
    this.#lastDate = date;
    this.#lastAt = now;
    const observed = { least: time - now, most: time + SECOND_MS - sentAt };
    const common = this.#bounds === null ? observed : intersection(this.#bounds, observed);
    this.#bounds = common.least <= common.most ? common : observed;
    this.#compare(this.#bounds);
  }
  #compare(bounds) {
    const expected = this.#expectedAheadMs;
    if (expected === null) this.#expectedAheadMs = aheadMs(bounds);
    else if (!this.#hasJumped(bounds, expected)) this.#toldAheadMs = null;
    else if (this.#toldAheadMs === null || isApart(bounds, this.#toldAheadMs)) {
      this.#toldAheadMs = aheadMs(bounds);
      this.#onJump({ aheadMs: this.#toldAheadMs, beforeMs: expected });
    }
  }
  /** Two clocks that agree are right, whatever was before. */
  #hasJumped(bounds, expected) {
    return isApart(bounds, expected) && isApart(bounds, 0);
  }
}
function isApart({ least, most }, aheadMs2) {
  return least > aheadMs2 + JUMP_MS || most < aheadMs2 - JUMP_MS;
}
function intersection(a, b) {
  return { least: Math.max(a.least, b.least), most: Math.min(a.most, b.most) };
}
function aheadMs({ least, most }) {
  return least <= SAME_MS && most >= -SAME_MS ? 0 : Math.round((least + most) / 2);
}
function isFresh(headers) {
  const age = headers.get("age");
  return !age || age.trim() === "0";
}
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
function readDate(text) {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/.exec(text);
  if (!match) return null;
  const [, day, month = "", year, time] = match;
  const date = Date.parse(`${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, "0")}-${day}T${time}Z`);
  return !Number.isNaN(date) && new Date(date).toUTCString() === text ? date : null;
}
export {
  ServiceClock,
  readDate
};
