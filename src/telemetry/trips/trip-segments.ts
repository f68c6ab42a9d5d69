// The parts of a trip by driver and by local day, so that both can be summed up.
import { DAY_MS, momentAt, offsetAt, zoneNamed } from '../../core/time-zone.js';
import type { TripSegment } from './trip.js';

const UTC = 'UTC';

/** What a trip has come to. */
export interface TripSums {
  /** Since its start. */
  readonly ms: number;
  readonly km: number;
  readonly movingMs: number;
  readonly idleMs: number;
}

interface Segment {
  driverId: string | null;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Those of the trip until then. */
  readonly before: TripSums;
}

export class TripSegments {
  #zone = UTC;
  #nextDay: number;
  #segments: Segment[];

  constructor(start: number) {
    this.#segments = [{ driverId: null, from: start, before: { ms: 0, km: 0, movingMs: 0, idleMs: 0 } }];
    this.#nextDay = dayAfter(start, UTC);
  }

  get driverId(): string | null {
    return this.#segments.at(-1)?.driverId ?? null;
  }

  /** The next local midnight, in milliseconds since 1970. */
  get nextDay(): number {
    return this.#nextDay;
  }

  /** Days are those of this zone from now on, if there is such a zone. */
  takeZone(name: string, time: number): void {
    this.#zone = zoneNamed(name) ?? UTC;
    this.#nextDay = dayAfter(time, this.#zone);
  }

  /** The trip goes on after midnight. */
  beginDay(before: TripSums): void {
    this.#segments.push({ driverId: this.driverId, from: this.#nextDay, before });
    this.#nextDay = dayAfter(this.#nextDay, this.#zone);
  }

  /** A driver who was not the last one. What nobody drove before counts as the first driver's. */
  takeDriver(driverId: string, time: number, before: TripSums): void {
    if (this.driverId !== null) this.#segments.push({ driverId, from: time, before });
    else for (const segment of this.#segments) segment.driverId = driverId;
  }

  /** Leaves out what lies before this time. */
  countFrom(time: number, before: TripSums): void {
    this.#segments = [{ driverId: this.driverId, from: time, before }];
    this.#nextDay = dayAfter(time, this.#zone);
  }

  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toSegments(end: number | null, sums: TripSums): readonly TripSegment[] {
    const segments = this.#segments.filter(({ from, driverId }, index) => {
      const before = this.#segments[index - 1];
      if (before === undefined || end === null || from < end) return true;
      // The ignition may have gone off before midnight, and not on again. The last snapshot may identify another driver.
      return from === end && driverId !== before.driverId;
    });
    const found: TripSegment[] = [];
    let [next, after] = [end, sums];
    for (const { driverId, from, before } of segments.reverse()) {
      // The source of the distance may have changed later, so that it is less than it seemed to be.
      const begin = segments.length === found.length + 1 ? before : least(before, after);
      found.push({
        driverId,
        day: timeText(from + offsetAt(from, this.#zone)).slice(0, 10),
        startedAt: timeText(from),
        endedAt: next === null ? null : timeText(next),
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

function least(one: TripSums, other: TripSums): TripSums {
  return {
    ms: Math.min(one.ms, other.ms),
    km: Math.min(one.km, other.km),
    movingMs: Math.min(one.movingMs, other.movingMs),
    idleMs: Math.min(one.idleMs, other.idleMs),
  };
}

/** The first local midnight after a time. */
function dayAfter(time: number, zone: string): number {
  const wall = time + offsetAt(time, zone);
  return momentAt((Math.floor(wall / DAY_MS) + 1) * DAY_MS, zone);
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}

/** Of two rounded numbers, itself rounded: so the parts add up to the whole. */
export function difference(value: number, before: number, factor: number): number {
  return rounded(rounded(value, factor) - rounded(before, factor), factor);
}

export function rounded(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
