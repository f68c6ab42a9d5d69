const HOUR_MS = 36e5;
const SHORTEST_PARKING_MS = 18e4;
class DayParts {
  #day;
  #drivenMs;
  #timesParked = 0;
  /** When the trip before ended; null while one is open. */
  #parkedAt = null;
  constructor(day) {
    this.#day = day;
    this.#drivenMs = Array.from({ length: Math.ceil((day.end - day.from) / HOUR_MS) }, () => 0);
  }
  /** The trips of one vehicle, in their order. */
  add({ startedAt, endedAt, lastSeenAt, endedBy }) {
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt ?? lastSeenAt)];
    for (const [index, ms] of this.#drivenMs.entries()) {
      const hour = this.#day.from + index * HOUR_MS;
      this.#drivenMs[index] = ms + Math.max(0, Math.min(end, hour + HOUR_MS) - Math.max(start, hour));
    }
    if (this.#parkedAt !== null && start - this.#parkedAt < SHORTEST_PARKING_MS) this.#timesParked--;
    this.#parkedAt = endedAt === null || endedBy === "period" ? null : end;
    if (this.#parkedAt !== null) this.#timesParked++;
  }
  /** The number of times it parked, until now. */
  get timesParked() {
    return this.#timesParked;
  }
  /** From midnight to midnight; null for hours to come. */
  hours(now) {
    return this.#drivenMs.map((ms, index) => {
      return this.#day.from + index * HOUR_MS > now ? null : Math.round(ms / HOUR_MS * 1e3) / 1e3;
    });
  }
}
export {
  DayParts
};
