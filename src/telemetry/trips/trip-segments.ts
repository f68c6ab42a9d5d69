// The parts of a trip by driver and by local day, each with the values of a trip.
import { canonicalZone, DAY_MS, momentAt, offsetAt } from '../../core/time-zone.js';
import { isoTime } from '../timestamps.js';
import type { Trip, TripPosition, TripSegment } from './trip.js';
import type { FuelSums } from './trip-fuel.js';
import type { Times } from './trip-times.js';

export const UTC = 'UTC';

/** The sums of a trip from its start up to a time. */
export interface TripSums {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The last position until then. */
  readonly position: TripPosition | null;
  /** The last reading until then. */
  readonly odometerKm: number | null;
  readonly km: number;
  /** Kilometres in times without snapshots. */
  readonly unseenKm: number;
  readonly times: Times;
  readonly snapshots: number;
  readonly fuel: FuelSums;
  readonly harshEvents: ReadonlyMap<string, number>;
}

/** The values of a part of a trip that come from sums. */
type PartValues = Omit<TripSegment, 'driverId' | 'day' | 'startedAt' | 'endedAt' | `odometer${'Start' | 'End'}Km`>;

/** The facts about a whole trip that its parts depend on. */
export interface PartContext {
  /** The start of the trip, in milliseconds since 1970. */
  readonly start: number;
  readonly fuelBy: Trip['fuelBy'];
  /** The first position of the trip. */
  readonly first: TripPosition | null;
  /** The first reading of the trip. */
  readonly odometerStartKm: number | null;
  readonly movingKmh: number;
  readonly fastestKmh: number;
}

interface Segment {
  driverId: string | null;
  readonly before: TripSums;
  /** In km/h. */
  topSpeed: number | null;
}

export class TripSegments {
  /** Undefined for the zone of the machine. */
  #zone: string | undefined;
  /** The next local midnight, in milliseconds since 1970. */
  nextDay: number;
  #segments: Segment[];

  constructor(before: TripSums, zone: string | undefined) {
    this.#zone = zone;
    this.#segments = [segmentFrom(before, null)];
    this.nextDay = dayAfter(before.time, zone);
  }

  get driverId(): string | null {
    return this.#segments.at(-1)?.driverId ?? null;
  }

  /** Sets the zone of the days from now on; UTC if unknown. */
  takeZone(name: string, time: number): void {
    this.#zone = canonicalZone(name) ?? UTC;
    this.nextDay = dayAfter(time, this.#zone);
  }

  takeSpeed(speedKmh: number | null): void {
    const segment = this.#segments.at(-1);
    if (segment && speedKmh !== null) segment.topSpeed = Math.max(segment.topSpeed ?? 0, speedKmh);
  }

  /** Begins the part of the next local day. */
  beginDay(before: TripSums): void {
    this.#segments.push(segmentFrom(before, this.driverId));
    this.nextDay = dayAfter(this.nextDay, this.#zone);
  }

  /** Begins a part for another driver than the last. The first one also gets the time before. */
  takeDriver(driverId: string, before: TripSums): void {
    if (this.driverId !== null) this.#segments.push(segmentFrom(before, driverId));
    else for (const segment of this.#segments) segment.driverId = driverId;
  }

  /** Excludes the part before these sums. */
  countFrom(before: TripSums): void {
    this.#segments = [segmentFrom(before, this.driverId)];
    this.nextDay = dayAfter(before.time, this.#zone);
  }

  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toSegments(end: number | null, sums: TripSums, context: PartContext): readonly TripSegment[] {
    const segments = this.#segments.filter(({ driverId, before }, index) => {
      const previous = this.#segments[index - 1];
      if (previous === undefined || end === null || before.time < end) return true;
      // The ignition may go off at midnight, and the last snapshot may name another driver.
      return before.time === end && (driverId !== previous.driverId || before.km < sums.km);
    });
    const found: TripSegment[] = [];
    let [next, after] = [end, sums];
    for (const { driverId, before, topSpeed } of segments.reverse()) {
      // The distance may have decreased since, after a change of its source.
      const km = segments.length === found.length + 1 ? before.km : Math.min(before.km, after.km);
      const begin = { ...before, km };
      const from = before.time;
      found.push({
        driverId,
        day: isoTime(from + offsetAt(from, this.#zone)).slice(0, 10),
        startedAt: isoTime(from),
        endedAt: next === null ? null : isoTime(next),
        ...valuesBetween(begin, after, topSpeed, context),
        odometerStartKm: before.odometerKm ?? context.odometerStartKm,
        odometerEndKm: after.odometerKm,
      });
      [next, after] = [from, begin];
    }
    return found.reverse();
  }
}

function segmentFrom(before: TripSums, driverId: string | null): Segment {
  return { driverId, before, topSpeed: null };
}

/** Returns the values of the part between two times of a trip. `highest`: its reported speed. */
export function valuesBetween(
  before: TripSums,
  after: TripSums,
  highest: number | null,
  { start, fuelBy, first, movingKmh, fastestKmh }: PartContext,
): PartValues {
  const movingHours = (after.times.movingMs - before.times.movingMs) / 3_600_000;
  const mean = (after.km - before.km - (after.unseenKm - before.unseenKm)) / movingHours;
  // A device that reports 0 while the vehicle moves reports no speed.
  const topSpeed = highest !== null && highest < movingKmh && movingHours > 0 ? null : highest;
  // Sparse snapshots may miss moving time, which makes the mean too high.
  const fastest = topSpeed ?? fastestKmh;
  // Each part is the difference of two rounded numbers, so that the parts add up to the whole.
  return {
    durationSeconds: seconds(after.time - start, before.time - start),
    distanceKm: difference(after.km, before.km, 1000),
    movingSeconds: seconds(after.times.movingMs, before.times.movingMs),
    idleSeconds: seconds(after.times.idleMs, before.times.idleMs),
    unseenSeconds: seconds(after.times.unseenMs, before.times.unseenMs),
    topSpeedKmh: topSpeed,
    meanSpeedKmh: Number.isFinite(mean) && mean > 0 ? Math.min(fastest, rounded(mean, 10)) : null,
    fuelUsed: fuelBy === null ? null : difference(after.fuel[fuelBy], before.fuel[fuelBy], 1000),
    harshEvents: harshBetween(before.harshEvents, after.harshEvents),
    startPosition: plainPosition(before.position ?? first),
    endPosition: plainPosition(after.position),
    snapshots: after.snapshots - before.snapshots,
  };
}

function harshBetween(before: TripSums['harshEvents'], after: TripSums['harshEvents']): Trip['harshEvents'] {
  const counts = [...after].map(([type, count]) => [type, count - (before.get(type) ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export function plainPosition(position: TripPosition | null): TripPosition | null {
  return position === null ? null : { latitude: position.latitude, longitude: position.longitude };
}

function dayAfter(time: number, zone: string | undefined): number {
  const wall = time + offsetAt(time, zone);
  return momentAt((Math.floor(wall / DAY_MS) + 1) * DAY_MS, zone);
}

function seconds(ms: number, msBefore: number): number {
  return difference(ms / 1000, msBefore / 1000, 10);
}

/** Returns the rounded difference of two rounded numbers, so that the parts add up to the whole. */
function difference(value: number, before: number, factor: number): number {
  return rounded(rounded(value, factor) - rounded(before, factor), factor);
}

export function rounded(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
