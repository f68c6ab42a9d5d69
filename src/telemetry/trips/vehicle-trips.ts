// Finds the start and the end of the trips of one vehicle in its ordered snapshots.
import type { Readings } from '../readings.js';
import { OpenTrip } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

export interface TripInProgress {
  readonly start: number;
  readonly isStartKnown: boolean;
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

  constructor(vehicleId: string, limits: TripLimits, readings: Readings, isOffBefore: boolean) {
    this.#vehicleId = vehicleId;
    this.#limits = limits;
    this.#readings = readings;
    this.#hasSeenOff = isOffBefore;
  }

  /** The trip in progress; null when there is none. */
  get tripInProgress(): TripInProgress | null {
    if (this.#trip === null) return null;
    const { start, isStartKnown } = this.#trip;
    return { start, isStartKnown, offSince: this.#offSince };
  }

  /** Takes the next snapshot and returns the trip that it ends, or null. */
  take(time: number, row: TripSnapshot): Trip | null {
    const ended = this.#endIfOverBefore(time);
    this.#lastTime = time;
    const engine = this.#readings.flag('ignition', row.ignition?.engineStatus);
    if (this.#trip === null) {
      if (engine === false) this.#hasSeenOff = true;
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

  #end(trip: OpenTrip, time: number, by: 'ignition' | 'silence'): Trip {
    this.#trip = null;
    this.#offSince = null;
    return trip.toTrip({ time, by });
  }

  /** The last trip, when there are no more snapshots before `until` (null: at all). It has ended by then or is open; or null. */
  finish(until: number | null): Trip | null {
    const ended = until === null ? null : this.#endIfOverBefore(until);
    return ended ?? this.#trip?.toTrip(null) ?? null;
  }
}
