// Computes the share of each hour on a trip, and the number of parkings, for a vehicle's day.
import type { Trip } from '../../../index.js';

const HOUR_MS = 3_600_000;
/** A shorter time between two trips is an engine pause, not a parking. */
const SHORTEST_PARKING_MS = 180_000;

interface LocalDay {
  readonly from: number;
  /** The next midnight. */
  readonly end: number;
}

type DayTrip = Pick<Trip, 'startedAt' | 'endedAt' | 'lastSeenAt' | 'endedBy'>;

export class DayParts {
  readonly #day: LocalDay;
  readonly #drivenMs: number[];
  #timesParked = 0;
  /** End of the previous trip; null while a trip is open. */
  #parkedAt: number | null = null;

  constructor(day: LocalDay) {
    this.#day = day;
    // A day has 23 or 25 hours when clocks change.
    this.#drivenMs = Array.from({ length: Math.ceil((day.end - day.from) / HOUR_MS) }, () => 0);
  }

  /** Adds a trip. Trips must come in order of time. */
  add({ startedAt, endedAt, lastSeenAt, endedBy }: DayTrip): void {
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt ?? lastSeenAt)];
    for (const [index, ms] of this.#drivenMs.entries()) {
      const hour = this.#day.from + index * HOUR_MS;
      this.#drivenMs[index] = ms + Math.max(0, Math.min(end, hour + HOUR_MS) - Math.max(start, hour));
    }
    if (this.#parkedAt !== null && start - this.#parkedAt < SHORTEST_PARKING_MS) this.#timesParked--;
    this.#parkedAt = endedAt === null || endedBy === 'period' ? null : end;
    if (this.#parkedAt !== null) this.#timesParked++;
  }

  get timesParked(): number {
    return this.#timesParked;
  }

  /** Returns the share of each hour on a trip, from midnight; null for future hours. */
  hours(now: number): readonly (number | null)[] {
    return this.#drivenMs.map((ms, index) => {
      return this.#day.from + index * HOUR_MS > now ? null : Math.round((ms / HOUR_MS) * 1000) / 1000;
    });
  }
}
