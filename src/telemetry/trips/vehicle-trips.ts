// Finds the start and the end of the trips of one vehicle in its ordered snapshots.
import type { Readings } from '../readings.js';
import { OpenTrip } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

/** Milliseconds since 1970: of trips, only what lies at `from` or later and before `to` counts. */
export interface Clip {
  readonly from: number;
  readonly to: number;
}

export interface TripInProgress {
  readonly start: number;
  /** Whether the vehicle was parked before it, so that no earlier snapshot belongs to it. */
  readonly isWhole: boolean;
  /** When the ignition went off, if too recently to end the trip. */
  readonly offSince: number | null;
}

export class VehicleTrips {
  readonly #vehicleId: string;
  readonly #limits: TripLimits;
  readonly #readings: Readings;
  #trip: OpenTrip | null = null;
  /** When the ignition went off, while the trip may still continue. */
  #offSince: number | null = null;
  #lastTime: number | null = null;
  #hasSeenOff: boolean;
  /** Since when no trip has been in progress, as far as the snapshots say. */
  #parkedSince: number | null;
  #isWhole = false;
  readonly #clip: Clip | null;
  /** The end of the clip has been reached. */
  #isDone = false;

  constructor(vehicleId: string, limits: TripLimits, readings: Readings, isOffBefore: boolean, clip: Clip | null) {
    this.#clip = clip;
    this.#vehicleId = vehicleId;
    this.#limits = limits;
    this.#readings = readings;
    this.#hasSeenOff = isOffBefore;
    this.#parkedSince = isOffBefore ? Number.NEGATIVE_INFINITY : null;
  }

  /** The trip in progress; null when there is none. */
  get tripInProgress(): TripInProgress | null {
    if (this.#trip === null) return null;
    return { start: this.#trip.start, isWhole: this.#isWhole, offSince: this.#offSince };
  }

  /** Whether no trip was in progress at this time, after the last snapshot. A short ignition-off alone does not say so. */
  isParkedAt(time: number): boolean {
    return this.#trip === null && this.#hasEndedBefore(time);
  }

  #hasEndedBefore(time: number): boolean {
    return this.#parkedSince !== null && time - this.#parkedSince >= this.#limits.closeAfterMs;
  }

  /** Takes the next snapshot and returns the trip that it ends, or null. */
  take(time: number, row: TripSnapshot): Trip | null {
    if (this.#isDone) return null;
    const ended = this.#endIfOverBefore(time);
    this.#lastTime = time;
    const engine = this.#readings.flag('ignition', row.ignition?.engineStatus);
    if (this.#clip !== null) {
      if (time >= this.#clip.to) {
        // While the ignition is off, only a later snapshot tells whether the trip ended with it.
        if (this.#offSince !== null && engine !== true) return null;
        const inside = this.#cut(this.#clip);
        return ended ?? inside;
      }
      if (time >= this.#clip.from) this.#trip?.countFrom(this.#clip.from);
    }
    if (this.#trip === null) {
      if (engine === false) {
        this.#hasSeenOff = true;
        this.#parkedSince ??= time;
      }
      if (engine === true) this.#begin(time, row, this.#hasSeenOff || ended !== null);
      return ended;
    }
    if (engine === true) this.#offSince = null;
    if (engine === false && this.#offSince === null) {
      this.#offSince = time;
      this.#trip.take(time, row, false);
      this.#hasSeenOff = true;
    } else if (this.#offSince === null) this.#trip.take(time, row, true);
    return ended;
  }

  #begin(time: number, row: TripSnapshot, isStartKnown: boolean): void {
    this.#isWhole = this.#hasEndedBefore(time);
    this.#parkedSince = null;
    this.#trip = new OpenTrip(this.#vehicleId, time, isStartKnown, this.#limits, this.#readings);
    this.#trip.take(time, row, true);
    this.#offSince = null;
  }

  #endIfOverBefore(time: number): Trip | null {
    const trip = this.#trip;
    if (trip === null) return null;
    if (this.#offSince !== null) {
      return time - this.#offSince < this.#limits.closeAfterMs ? null : this.#end(trip, this.#offSince, 'ignition');
    }
    if (this.#lastTime === null || time - this.#lastTime < this.#limits.silenceMs) return null;
    return this.#end(trip, this.#lastTime, 'silence');
  }

  /** The trip goes on beyond the clip: what lies inside of it. */
  #cut({ from, to }: Clip): Trip | null {
    const trip = this.#trip;
    this.#trip = null;
    this.#isDone = true;
    if (trip === null) return null;
    trip.countFrom(from);
    return trip.cutAt(to);
  }

  #end(trip: OpenTrip, time: number, by: 'ignition' | 'silence'): Trip {
    this.#trip = null;
    this.#offSince = null;
    this.#parkedSince = Number.NEGATIVE_INFINITY;
    return trip.toTrip({ time, by });
  }

  /** The last trip, when there are no more snapshots before `until` (null: at all). It has ended by then or is open; or null. */
  finish(until: number | null): Trip | null {
    if (this.#isDone) return null;
    const ended = until === null ? null : this.#endIfOverBefore(until);
    if (ended !== null) return ended;
    if (this.#clip !== null) {
      const { from, to } = this.#clip;
      if (this.#offSince !== null && this.#offSince < from) return null;
      if (until !== null && until >= to) return this.#cut(this.#clip);
      this.#trip?.countFrom(from);
    }
    return this.#trip?.toTrip(null) ?? null;
  }
}
