// The parts of a trip by driver and by local day, for sums by either.
import { canonicalZone, DAY_MS, momentAt, offsetAt } from '../../core/time-zone.js';
import { isoTime } from '../timestamps.js';
import type { TripSegment } from './trip.js';

const UTC = 'UTC';

/** The sums of a trip up to a time. */
export interface TripSums {
  /** Since the start. */
  readonly ms: number;
  readonly km: number;
  readonly movingMs: number;
  readonly idleMs: number;
}

interface Segment {
  driverId: string | null;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** The sums before this part. */
  readonly before: TripSums;
}

export class TripSegments {
  #zone = UTC;
  /** The next local midnight, in milliseconds since 1970. */
  nextDay: number;
  #segments: Segment[];

  constructor(start: number) {
    this.#segments = [{ driverId: null, from: start, before: { ms: 0, km: 0, movingMs: 0, idleMs: 0 } }];
    this.nextDay = dayAfter(start, UTC);
  }

  get driverId(): string | null {
    return this.#segments.at(-1)?.driverId ?? null;
  }

  /** Sets the zone of the days from now on; UTC if unknown. */
  takeZone(name: string, time: number): void {
    this.#zone = canonicalZone(name) ?? UTC;
    this.nextDay = dayAfter(time, this.#zone);
  }

  beginDay(before: TripSums): void {
    this.#segments.push({ driverId: this.driverId, from: this.nextDay, before });
    this.nextDay = dayAfter(this.nextDay, this.#zone);
  }

  /** Begins a part for another driver than the last. The first one also gets the time before. */
  takeDriver(driverId: string, time: number, before: TripSums): void {
    if (this.driverId !== null) this.#segments.push({ driverId, from: time, before });
    else for (const segment of this.#segments) segment.driverId = driverId;
  }

  countFrom(time: number, before: TripSums): void {
    this.#segments = [{ driverId: this.driverId, from: time, before }];
    this.nextDay = dayAfter(time, this.#zone);
  }

  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toSegments(end: number | null, sums: TripSums): readonly TripSegment[] {
    const segments = this.#segments.filter(({ from, driverId }, index) => {
      const before = this.#segments[index - 1];
      if (before === undefined || end === null || from < end) return true;
      // The ignition may have gone off before midnight; the last snapshot may name another driver.
      return from === end && driverId !== before.driverId;
    });
    const found: TripSegment[] = [];
    let [next, after] = [end, sums];
    for (const { driverId, from, before } of segments.reverse()) {
      // The distance may have decreased since, after a change of its source.
      const begin = segments.length === found.length + 1 ? before : leastSums(before, after);
      found.push({
        driverId,
        day: isoTime(from + offsetAt(from, this.#zone)).slice(0, 10),
        startedAt: isoTime(from),
        endedAt: next === null ? null : isoTime(next),
        durationSeconds: difference(after.ms / 1000, begin.ms / 1000, 10),
        distanceKm: difference(after.km, begin.km, 1000),
        movingSeconds: difference(after.movingMs / 1000, begin.movingMs / 1000, 10),
        idleSeconds: difference(after.idleMs / 1000, begin.idleMs / 1000, 10),
      });
      [next, after] = [from, begin];
    }
    return found.reverse();
  }
}

function leastSums(one: TripSums, other: TripSums): TripSums {
  return {
    ms: Math.min(one.ms, other.ms),
    km: Math.min(one.km, other.km),
    movingMs: Math.min(one.movingMs, other.movingMs),
    idleMs: Math.min(one.idleMs, other.idleMs),
  };
}

function dayAfter(time: number, zone: string): number {
  const wall = time + offsetAt(time, zone);
  return momentAt((Math.floor(wall / DAY_MS) + 1) * DAY_MS, zone);
}

/** Returns the rounded difference of two rounded numbers, so that the parts add up to the whole. */
export function difference(value: number, before: number, factor: number): number {
  return rounded(rounded(value, factor) - rounded(before, factor), factor);
}

export function rounded(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
