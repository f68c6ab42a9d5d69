// The roads of the last seven days for the heat map, read day by day to leave the service free.
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
  /** End of the latest day; null until a day is read. */
  #end: number | null = null;
  #reading: AbortController | null = null;

  constructor(source: Source, onDay: () => void) {
    this.#source = source;
    this.#onDay = onDay;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  get days(): number {
    return this.#days;
  }

  /** Null until a day has been read. */
  get end(): number | null {
    return this.#end;
  }

  /**
   * Resumes a stopped read. Rejects with a ProblemError. Restarts when the server has refreshed the
   * roads: a mixed week would count hours twice.
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

  stop(): void {
    this.#reading?.abort();
    this.#reading = null;
  }
}
