// The roads of the last days. Each day is read separately and on request: the service can answer
// others in between, and a page that closes stops the read.
import { DAY_MS } from 'fleet-telematics/kit';
import type { Span } from 'fleet-telematics/kit/command';
import type { MapRoads } from '../shapes.js';

const MAX_ROAD_DAYS = 7;

const MAX_AGE_MS = 1_800_000;

export interface RecentRoadsModel {
  readonly now: () => number;
  /** The vehicles whose roads are read, latest report first. */
  readonly vehicleIds: (now: number) => readonly string[];
  readonly read: (vehicleIds: readonly string[], period: Span, signal: AbortSignal) => Promise<MapRoads>;
  readonly signal: AbortSignal;
}

/** All days of one reading end at the same time of day and cover the same vehicles. */
interface Reading {
  readonly at: number;
  readonly vehicleIds: readonly string[];
  /** The last 24 hours, drawn under the map. All pages share one read. */
  readonly lastDay: Promise<MapRoads>;
  readonly before: Map<number, MapRoads>;
}

export class RecentRoads {
  readonly #model: RecentRoadsModel;
  #reading: Reading | null = null;

  constructor(model: RecentRoadsModel) {
    this.#model = model;
  }

  /** Returns the roads of the 24 hours that ended `daysAgo` days ago. */
  async day(daysAgo: number, signal: AbortSignal): Promise<MapRoads> {
    const reading = this.#current();
    if (daysAgo === 0) return reading.lastDay;
    const cachedRoads = reading.before.get(daysAgo);
    if (cachedRoads !== undefined) return cachedRoads;
    const roads = await this.#model.read(reading.vehicleIds, spanOf(reading.at, daysAgo), signal);
    reading.before.set(daysAgo, roads);
    return roads;
  }

  #current(): Reading {
    const { now, vehicleIds, read, signal } = this.#model;
    const at = now();
    if (this.#reading !== null && at - this.#reading.at <= MAX_AGE_MS) return this.#reading;
    const ids = vehicleIds(at);
    const reading = { at, vehicleIds: ids, lastDay: read(ids, spanOf(at, 0), signal), before: new Map() };
    this.#reading = reading;
    reading.lastDay.catch(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }
}

function spanOf(at: number, daysAgo: number): Span {
  const to = at - daysAgo * DAY_MS;
  return { from: to - DAY_MS, to };
}

/** Returns 0 (the last 24 hours) when the number is missing or invalid. */
export function daysAgoOf(text: string | null): number {
  const days = Number(text);
  return Number.isInteger(days) && days > 0 && days < MAX_ROAD_DAYS ? days : 0;
}
