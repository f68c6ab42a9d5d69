// The roads of the last seven days for the heat map. They are read a day at a time, so that the service answers others in between, and only while
// somebody looks at them.
import { type Line, linesOf } from './lines.js';
import type { Source } from './source.js';

export const WEEK_DAYS = 7;

export class WeekRoads {
  readonly #source: Source;
  readonly #onDay: () => void;
  #lines: readonly Line[] = [];
  #days = 0;
  #reading: AbortController | null = null;

  /** `onDay`: another day is there. */
  constructor(source: Source, onDay: () => void) {
    this.#source = source;
    this.#onDay = onDay;
  }

  /** Of the days that have been read. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** How many that are. */
  get days(): number {
    return this.#days;
  }

  /** Goes on where it was stopped. Rejects with a ProblemError. */
  async read(): Promise<void> {
    if (this.#reading !== null) return;
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    try {
      while (this.#days < WEEK_DAYS) {
        const roads = await this.#source.roads(this.#days, signal);
        if (signal.aborted) return;
        this.#lines = [...this.#lines, ...linesOf(roads)];
        this.#days += 1;
        this.#onDay();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  /** Nobody looks any more. */
  stop(): void {
    this.#reading?.abort();
    this.#reading = null;
  }
}
