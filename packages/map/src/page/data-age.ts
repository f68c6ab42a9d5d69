// Measures the age of the service's data by a monotonic page clock, and classifies it.
import type { ConnectionState } from './source.js';

/** `late`: an update is overdue. `old`: the screen no longer shows the present. */
export type Freshness = 'fresh' | 'late' | 'old';

/** A monotonic clock in milliseconds. */
export interface PageClock {
  now(): number;
}

export class DataAge {
  readonly #clock: PageClock;
  #last: { readonly at: number; readonly ageMs: number; readonly arrivedAt: number } | null = null;

  constructor(clock: PageClock) {
    this.#clock = clock;
  }

  /** `at`: the service's time of the answer. `ageMs`: age of the answer on arrival. */
  take(at: number, ageMs: number): void {
    this.#last = { at, ageMs, arrivedAt: this.#clock.now() };
  }

  get ms(): number | null {
    return this.#last === null ? null : this.#last.ageMs + this.#clock.now() - this.#last.arrivedAt;
  }

  /** Null before the first answer. */
  get serviceNow(): number | null {
    return this.#last === null || this.ms === null ? null : this.#last.at + this.ms;
  }
}

export interface LiveState {
  readonly connection: ConnectionState;
  readonly ageMs: number | null;
  readonly isOutage: boolean;
  readonly everyMs: number;
}

export function freshnessOf({ connection, ageMs, isOutage, everyMs }: LiveState): Freshness {
  if (connection === 'ended') return 'old';
  if (ageMs !== null && ageMs >= Math.max(120_000, 12 * everyMs)) return 'old';
  const isLate = ageMs === null || ageMs >= Math.max(20_000, 3 * everyMs);
  return isLate || isOutage || connection === 'lost' ? 'late' : 'fresh';
}
