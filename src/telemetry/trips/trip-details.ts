// What is known of a trip beside its sums: who drove which part of it, what happened when, and what the vehicle's counters said at both ends.

import type { Located } from '../position-cleaner.js';
import { readNumber, readText } from '../readings.js';
import type { TripDetails, TripPosition, TripReadings, TripSnapshot } from './trip.js';
import { type TripGeofences, TripVisits } from './trip-visits.js';

/** A speed above the limit says nothing about what comes after a longer time without a snapshot. */
const UNSEEN_MS = 15 * 60_000;

/** What a trip knows of a snapshot. */
export interface ReadSnapshot {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly row: TripSnapshot;
  /** Kilometres per hour; null when it has none that is possible. */
  readonly speedKmh: number | null;
  /** Null when it has none that is valid. */
  readonly position: TripPosition | null;
}

interface DriverSince {
  readonly driverId: string;
  readonly time: number;
  /** Kilometres of the trip until then. */
  readonly km: number;
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
  readonly #visits: TripVisits;
  /** From when on it counts, and after how many kilometres. */
  #begin: { readonly time: number; readonly km: number };
  #timeZone: string | null = null;
  #first = NO_READINGS;
  #last = NO_READINGS;
  #drivers: DriverSince[] = [];
  #events: TripDetails['events'][number][] = [];
  #speeding: Speeding[] = [];
  /** The last of `speeding`, while no lower speed has ended it. */
  #goesOn: Speeding | null = null;

  constructor(start: number, limits: { readonly speedLimitKmh: number; readonly geofences: TripGeofences }) {
    this.#begin = { time: start, km: 0 };
    this.#limitKmh = limits.speedLimitKmh;
    this.#visits = new TripVisits(limits.geofences);
  }

  /** A position that is believed, in order of time. */
  takePosition(position: Located): void {
    this.#visits.takePosition(position);
  }

  /** A driver who was not the last one, and the kilometres of the trip until then. What nobody drove before counts as the first driver's. */
  takeDriver(driverId: string, time: number, km: number): void {
    this.#drivers.push(this.#drivers.length === 0 ? { driverId, ...this.#begin } : { driverId, time, km });
  }

  take(snapshot: ReadSnapshot): void {
    const { time, row, speedKmh, position } = snapshot;
    this.#timeZone ??= readText(row.locationTimeZone);
    const readings: TripReadings = {
      odometerKm: readNumber(row.canBus?.canDistance) ?? null,
      engineHours: readNumber(row.canBus?.engineWorkTime) ?? null,
      fuel: readNumber(row.fuel?.fuel) ?? null,
    };
    this.#first = firstOf(this.#first, readings);
    this.#last = firstOf(readings, this.#last);
    const type = readText(row.driverBehaviour?.driverBehaviourType);
    if (type !== null) {
      const value = readNumber(row.driverBehaviour?.driverBehaviourValue) ?? null;
      this.#events.push({ type, time: timeText(time), value, speedKmh, position, driverId: this.#driverId });
    }
    this.#takeSpeed(snapshot);
  }

  /** Leaves out what lies before this time, after so many kilometres. */
  countFrom(time: number, km: number): void {
    const driver = this.#drivers.at(-1);
    const goesOn = this.#goesOn;
    this.#begin = { time, km };
    this.#first = NO_READINGS;
    this.#last = NO_READINGS;
    this.#drivers = driver ? [{ driverId: driver.driverId, time, km }] : [];
    this.#events = [];
    this.#visits.countFromHere();
    this.#goesOn = goesOn && { ...goesOn, from: time, to: Math.max(goesOn.to, time) };
    this.#speeding = this.#goesOn ? [this.#goesOn] : [];
  }

  /** `end`: null while the trip is open. `km`: of the whole trip. */
  toDetails(end: number | null, km: number): TripDetails {
    const segments: readonly (Omit<DriverSince, 'driverId'> & { readonly driverId: string | null })[] =
      this.#drivers.length > 0 ? this.#drivers : [{ driverId: null, ...this.#begin }];
    // The source of the distance may change later, and then it is less than it seemed to be.
    const ends = segments.map((_, index) => Math.min(km, ...segments.slice(index + 1).map((later) => later.km)));
    return {
      timeZone: this.#timeZone,
      atStart: this.#first,
      atEnd: this.#last,
      drivers: segments.map(({ driverId, time }, index) => {
        const next = segments[index + 1];
        const endedAt = next ? timeText(next.time) : end === null ? null : timeText(end);
        const before = ends[index - 1] ?? this.#begin.km;
        const distanceKm = rounded(rounded(ends[index] ?? km) - rounded(before));
        return { driverId, startedAt: timeText(time), endedAt, distanceKm };
      }),
      events: this.#events,
      speeding: this.#speeding.map(({ from, to, topSpeedKmh, position, driverId }) => ({
        ...{ startedAt: timeText(from), endedAt: timeText(to), topSpeedKmh, position, driverId },
      })),
      visits: this.#visits.toVisits(),
    };
  }

  get #driverId(): string | null {
    return this.#drivers.at(-1)?.driverId ?? null;
  }

  #takeSpeed({ time, speedKmh, position }: ReadSnapshot): void {
    if (this.#goesOn && time - this.#goesOn.to > UNSEEN_MS) this.#goesOn = null;
    if (speedKmh === null) return;
    if (speedKmh <= this.#limitKmh) {
      this.#goesOn = null;
      return;
    }
    if (this.#goesOn) {
      this.#goesOn.to = time;
      this.#goesOn.topSpeedKmh = Math.max(this.#goesOn.topSpeedKmh, speedKmh);
      return;
    }
    this.#goesOn = { from: time, to: time, topSpeedKmh: speedKmh, position, driverId: this.#driverId };
    this.#speeding.push(this.#goesOn);
  }
}

/** Each reading of the one, or else of the other. */
function firstOf(one: TripReadings, other: TripReadings): TripReadings {
  return {
    odometerKm: one.odometerKm ?? other.odometerKm,
    engineHours: one.engineHours ?? other.engineHours,
    fuel: one.fuel ?? other.fuel,
  };
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}

function rounded(km: number): number {
  return Math.round(km * 1000) / 1000;
}
