import { DAY_MS, offsetAt } from "../../core/time-zone.js";
const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MINUTE_MS = 6e4;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const FIRST_MINUTE = 3 * DAY_MINUTES;
class WeeklyHours {
  /** 1 for each minute of the week that is open, from Monday 00:00 on. */
  #open;
  /** The last closed times that `firstOpen` has passed over, by zone. */
  #closed = /* @__PURE__ */ new Map();
  constructor(open) {
    this.#open = open;
  }
  static of(periods) {
    const open = new Uint8Array(WEEK_MINUTES);
    for (const { day, begin, minutes } of periods) {
      const first = weekdays.indexOf(day) * DAY_MINUTES + begin;
      for (let minute = first; minute < first + minutes; minute++) open[minute % WEEK_MINUTES] = 1;
    }
    return new WeeklyHours(open);
  }
  /** Returns the rest of the week. */
  outside() {
    return new WeeklyHours(this.#open.map((isOpen) => 1 - isOpen));
  }
  /** Returns the hours in which both are open. */
  and(other) {
    return new WeeklyHours(this.#open.map((isOpen, minute) => isOpen & (other.#open[minute] ?? 0)));
  }
  get isEmpty() {
    return !this.#open.includes(1);
  }
  /** `zone`: an IANA name; undefined for the zone of the machine. */
  isOpenAt(time, zone) {
    return this.#isOpenMinute(Math.floor((time + offsetAt(time, zone)) / MINUTE_MS));
  }
  /**
   * Returns the first open moment from a time on: the time itself, or the next opening; Infinity
   * when there is none.
   */
  firstOpen(time, zone) {
    const closed = this.#closed.get(zone);
    if (closed !== void 0 && time >= closed.from && time < closed.to) return closed.to;
    const first = this.isEmpty ? Number.POSITIVE_INFINITY : this.#search(time, zone);
    if (first > time && (first < Number.POSITIVE_INFINITY || this.isEmpty)) {
      this.#closed.set(zone, { from: time, to: first });
    }
    return first;
  }
  #search(time, zone) {
    for (let from = time; from < time + 15 * DAY_MS; ) {
      const offset = offsetAt(from, zone);
      const until = endOfOffset(from, from + DAY_MS, offset, zone);
      const first = this.#firstOpenWall(from + offset) - offset;
      if (first < until) return first;
      from = until;
    }
    return Number.POSITIVE_INFINITY;
  }
  /** `wall`: local time written as if it were UTC, in milliseconds. */
  #firstOpenWall(wall) {
    const now = Math.floor(wall / MINUTE_MS);
    if (this.#isOpenMinute(now)) return wall;
    for (let minute = now + 1; minute <= now + WEEK_MINUTES; minute++) {
      if (this.#isOpenMinute(minute)) return minute * MINUTE_MS;
    }
    return Number.POSITIVE_INFINITY;
  }
  #isOpenMinute(wallMinute) {
    const minute = ((wallMinute + FIRST_MINUTE) % WEEK_MINUTES + WEEK_MINUTES) % WEEK_MINUTES;
    return this.#open[minute] === 1;
  }
}
function endOfOffset(from, to, offset, zone) {
  if (offsetAt(to, zone) === offset) return to;
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}
function minuteOfDay(text) {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= DAY_MINUTES ? minute : null;
}
function parseBetween(text) {
  const [begin, end] = text.split("-").map(minuteOfDay);
  const hasTwo = text.split("-").length === 2;
  if (!hasTwo || begin === void 0 || begin === null || end === void 0 || end === null) return null;
  if (begin === end || begin === DAY_MINUTES) return null;
  return { begin, minutes: (end - begin + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES };
}
export {
  DAY_MINUTES,
  WeeklyHours,
  minuteOfDay,
  parseBetween,
  weekdays
};
