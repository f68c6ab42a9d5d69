// The roads of the last seven days for the heat map. They are read a day at a time, so that the service answers others in between, and only while
// somebody looks at them.
import { DAY_MS } from 'fleet-telematics/kit';
import type { MapRoads } from '../shapes.js';
import { type Line, linesOf } from './lines.js';
import type { Source } from './source.js';

export const WEEK_DAYS = 7;

export class WeekRoads {
  readonly #source: Source;
  readonly #onDay: () => void;
  #lines: readonly Line[] = [];
  #days = 0;
  /** When the last of the days ends; null while none has been read. */
  #end: number | null = null;
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

  /** When the week ends; null while no day has been read. */
  get end(): number | null {
    return this.#end;
  }

  /**
   * Goes on where it was stopped; begins anew when the program has read the roads again meanwhile, because a week that is put together from both would
   * have some hours twice. Rejects with a ProblemError.
   */
  async read(): Promise<void> {
    if (this.#reading !== null) return;
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    try {
      for (let daysAgo = 0; daysAgo < WEEK_DAYS; daysAgo = this.#days) {
        const roads = await this.#source.roads(daysAgo, signal);
        if (signal.aborted) return;
        this.#take(roads, daysAgo);
        this.#onDay();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (this.#reading === reading) this.#reading = null;
    }
  }

  #take(roads: MapRoads, daysAgo: number): void {
    const end = roads.to + daysAgo * DAY_MS;
    if (end !== this.#end) {
      this.#end = end;
      this.#days = 0;
      this.#lines = [];
    }
    if (daysAgo !== this.#days) return;
    this.#lines = [...this.#lines, ...linesOf(roads)];
    this.#days += 1;
  }

  /** Nobody looks any more. */
  stop(): void {
    this.#reading?.abort();
    this.#reading = null;
  }
}
