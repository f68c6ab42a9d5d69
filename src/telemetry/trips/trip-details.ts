// The details of a trip: drivers and times, driving events, and the readings at both ends.

import { readNumber, readText } from '../readings.js';
import { isoTime } from '../timestamps.js';
import { GeofenceVisits, type ShapesById } from '../visits/visit-detector.js';
import { nextSpeeding } from './speeding.js';
import type { TripDetails, TripPosition, TripReadings, TripSnapshot } from './trip.js';
import { type PartContext, rounded, TripSegments, type TripSums, UTC } from './trip-segments.js';

/** The values of a snapshot that a trip uses. */
export interface ReadSnapshot {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly row: TripSnapshot;
  /** In km/h; null without a possible one. */
  readonly speedKmh: number | null;
  /** Null without a valid one. */
  readonly position: TripPosition | null;
}

interface Speeding {
  readonly from: number;
  to: number;
  topSpeedKmh: number;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

const NO_READINGS: TripReadings = { odometerKm: null, engineHours: null, fuel: null };

export class TripDetailsReader {
  readonly #limitKmh: number;
  readonly segments: TripSegments;
  readonly visits: GeofenceVisits;
  #timeZone: string | null = null;
  readonly #hasOwnZone: boolean;
  #first = NO_READINGS;
  #last = NO_READINGS;
  #events: TripDetails['events'][number][] = [];
  #speeding: Speeding[] = [];
  /** The last item of `speeding`, while it continues. */
  #current: Speeding | null = null;

  /** `start`: the sums at the start of the trip. */
  constructor(
    start: TripSums,
    limits: { readonly speedLimitKmh: number; readonly geofences: ShapesById; readonly timeZone: string | null },
  ) {
    this.#hasOwnZone = limits.timeZone !== null;
    const { timeZone } = limits;
    this.segments = new TripSegments(start, timeZone === 'local' ? undefined : (timeZone ?? UTC));
    this.#limitKmh = limits.speedLimitKmh;
    this.visits = new GeofenceVisits(limits.geofences);
  }

  take(snapshot: ReadSnapshot): void {
    const { time, row, speedKmh, position } = snapshot;
    if (this.#timeZone === null) {
      this.#timeZone = readText(row.locationTimeZone);
      if (this.#timeZone !== null && !this.#hasOwnZone) this.segments.takeZone(this.#timeZone, time);
    }
    const readings: TripReadings = {
      odometerKm: readNumber(row.canBus?.canDistance) ?? null,
      engineHours: readNumber(row.canBus?.engineWorkTime) ?? null,
      fuel: readNumber(row.fuel?.fuel) ?? null,
    };
    this.#first = mergeReadings(this.#first, readings);
    this.#last = mergeReadings(readings, this.#last);
    this.segments.takeSpeed(speedKmh);
    const type = readText(row.driverBehaviour?.driverBehaviourType);
    if (type !== null) {
      const value = readNumber(row.driverBehaviour?.driverBehaviourValue) ?? null;
      this.#events.push({ type, time: isoTime(time), value, speedKmh, position, driverId: this.segments.driverId });
    }
    this.#takeSpeed(snapshot);
  }

  /** Excludes the part before these sums. */
  countFrom(sums: TripSums): void {
    const { time } = sums;
    const current = this.#current;
    this.segments.countFrom(sums);
    this.#first = NO_READINGS;
    this.#last = NO_READINGS;
    this.#events = [];
    this.visits.restart();
    this.#current = current && { ...current, from: time, to: Math.max(current.to, time) };
    this.#speeding = this.#current ? [this.#current] : [];
  }

  /** `end`: null while the trip is open. `sums`: of the whole trip. */
  toDetails(end: number | null, sums: TripSums, context: PartContext): TripDetails {
    return {
      timeZone: this.#timeZone,
      atStart: this.#first,
      atEnd: this.#last,
      segments: this.segments.toSegments(end, sums, context),
      events: this.#events,
      speeding: this.#speeding.map(({ from, to, topSpeedKmh, position, driverId }) => ({
        startedAt: isoTime(from),
        endedAt: isoTime(to),
        durationSeconds: rounded((to - from) / 1000, 10),
        topSpeedKmh,
        position,
        driverId,
      })),
      visits: this.visits.stays.map(({ geofenceId, entered, left }) => ({
        geofenceId,
        enteredAt: entered === null ? null : isoTime(entered),
        leftAt: left === null ? null : isoTime(left),
      })),
    };
  }

  #takeSpeed({ time, speedKmh, position }: ReadSnapshot): void {
    const before = this.#current;
    const after = nextSpeeding(before, { time, speedKmh }, this.#limitKmh);
    if (after !== null && before?.from === after.from) {
      before.to = after.to;
      before.topSpeedKmh = after.topSpeedKmh;
      return;
    }
    this.#current = after && { ...after, position, driverId: this.segments.driverId };
    if (this.#current) this.#speeding.push(this.#current);
  }
}

/** Returns the readings of `one`, completed from `other`. */
function mergeReadings(one: TripReadings, other: TripReadings): TripReadings {
  return {
    odometerKm: one.odometerKm ?? other.odometerKm,
    engineHours: one.engineHours ?? other.engineHours,
    fuel: one.fuel ?? other.fuel,
  };
}
