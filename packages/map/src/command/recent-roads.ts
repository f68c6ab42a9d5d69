// The roads of the last days. Each day is read by itself and only when a page asks for it: between two of them the service answers others, and a
// page that goes away ends the reading.
import { DAY_MS } from 'fleet-telematics/kit';
import type { Span } from 'fleet-telematics/kit/command';
import type { MapRoads } from '../shapes.js';

/** How many days back pages can ask for. */
const MAX_ROAD_DAYS = 7;

/** How long the roads are good for. */
const MAX_AGE_MS = 1_800_000;

export interface RecentRoadsModel {
  /** The time of the service. */
  readonly now: () => number;
  /** The vehicles whose roads are read: the one that reported last comes first. */
  readonly vehicleIds: (now: number) => readonly string[];
  readonly read: (vehicleIds: readonly string[], period: Span, signal: AbortSignal) => Promise<MapRoads>;
  /** Ends all reading. */
  readonly signal: AbortSignal;
}

/** All days of one reading end at the same time of day and are of the same vehicles. */
interface Reading {
  readonly at: number;
  readonly vehicleIds: readonly string[];
  /** The last 24 hours, which the map draws as its ground: all pages wait for one reading. */
  readonly lastDay: Promise<MapRoads>;
  /** By how many days ago. */
  readonly before: Map<number, MapRoads>;
}

export class RecentRoads {
  readonly #model: RecentRoadsModel;
  #reading: Reading | null = null;

  constructor(model: RecentRoadsModel) {
    this.#model = model;
  }

  /** Of the last 24 hours, or of those that ended `daysAgo` days ago. */
  async day(daysAgo: number, signal: AbortSignal): Promise<MapRoads> {
    const reading = this.#current();
    if (daysAgo === 0) return reading.lastDay;
    const known = reading.before.get(daysAgo);
    if (known !== undefined) return known;
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
    // A failure is told once, and the next page tries again.
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

/** How many days ago, as a page writes it; without it, or when it is none of them, the last 24 hours. */
export function daysAgoOf(text: string | null): number {
  const days = Number(text);
  return Number.isInteger(days) && days > 0 && days < MAX_ROAD_DAYS ? days : 0;
}
