// The trips of one vehicle from its snapshots in order: when one begins, and when it has ended.
import { OpenTrip } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

export interface UnderWay {
  readonly start: number;
  readonly isStartKnown: boolean;
  /** When the ignition went off, not long enough ago to end the trip. */
  readonly offSince: number | null;
}

export class VehicleTrips {
  readonly #vehicleId: string;
  readonly #rules: TripLimits;
  #trip: OpenTrip | null = null;
  /** When the ignition went off, while the trip may still go on. */
  #offSince: number | null = null;
  #lastTime: number | null = null;
  #hasSeenOff: boolean;

  constructor(vehicleId: string, rules: TripLimits, isOffBefore: boolean) {
    this.#vehicleId = vehicleId;
    this.#rules = rules;
    this.#hasSeenOff = isOffBefore;
  }

  /** Whether a trip is under way, and if so since when as far as is known. */
  get underWay(): UnderWay | null {
    if (this.#trip === null) return null;
    const { start, isStartKnown } = this.#trip;
    return { start, isStartKnown, offSince: this.#offSince };
  }

  /** A snapshot after the ones before. The trip that it ends, or null. */
  take(time: number, row: TripSnapshot): Trip | null {
    const ended = this.#endedBefore(time);
    this.#lastTime = time;
    const engine = row.ignition?.engineStatus;
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
    this.#trip = new OpenTrip(this.#vehicleId, time, isStartKnown, this.#rules);
    this.#trip.take(time, row, true);
    this.#offSince = null;
  }

  #endedBefore(time: number): Trip | null {
    const trip = this.#trip;
    if (trip === null) return null;
    if (this.#offSince !== null) {
      return time - this.#offSince < this.#rules.closeAfterMs ? null : this.#end(trip, this.#offSince, 'ignition');
    }
    if (this.#lastTime === null || time - this.#lastTime < this.#rules.silenceMs) return null;
    return this.#end(trip, this.#lastTime, 'silence');
  }

  #end(trip: OpenTrip, time: number, by: 'ignition' | 'silence'): Trip {
    this.#trip = null;
    this.#offSince = null;
    return trip.told({ time, by });
  }

  /** No more snapshots come before this time, when it is known: the trip that has ended by then, or is still open; or null. */
  finish(until: number | null): Trip | null {
    const ended = until === null ? null : this.#endedBefore(until);
    return ended ?? this.#trip?.told(null) ?? null;
  }
}
