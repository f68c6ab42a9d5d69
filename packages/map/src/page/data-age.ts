// How old the data of the service is, by a clock of the page that only goes forward, and what that means for what is on the screen.
import type { Connection } from './source.js';

/** `late`: something new should have come. `old`: what is on the screen is no longer the present. */
export type Freshness = 'fresh' | 'late' | 'old';

/** Milliseconds that only go forward. */
export interface PageClock {
  now(): number;
}

export class DataAge {
  readonly #clock: PageClock;
  #last: { readonly at: number; readonly ageMs: number; readonly arrivedAt: number } | null = null;

  constructor(clock: PageClock) {
    this.#clock = clock;
  }

  /** `at`: the time of the service when it answered. `ageMs`: how old the answer was when it arrived here. */
  take(at: number, ageMs: number): void {
    this.#last = { at, ageMs, arrivedAt: this.#clock.now() };
  }

  /** Null before the first answer. */
  get ms(): number | null {
    return this.#last === null ? null : this.#last.ageMs + this.#clock.now() - this.#last.arrivedAt;
  }

  /** The time of the service; null before its first answer. */
  get serviceNow(): number | null {
    return this.#last === null || this.ms === null ? null : this.#last.at + this.ms;
  }
}

export interface LiveState {
  readonly connection: Connection;
  readonly ageMs: number | null;
  /** The service is known not to answer. */
  readonly isOutage: boolean;
  /** The pause between two answers. */
  readonly everyMs: number;
}

export function freshnessOf({ connection, ageMs, isOutage, everyMs }: LiveState): Freshness {
  if (connection === 'ended') return 'old';
  if (ageMs !== null && ageMs >= Math.max(120_000, 12 * everyMs)) return 'old';
  const isLate = ageMs === null || ageMs >= Math.max(20_000, 3 * everyMs);
  return isLate || isOutage || connection === 'lost' ? 'late' : 'fresh';
}
