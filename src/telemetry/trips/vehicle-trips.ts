// Finds the start and end of the trips of one vehicle, given its state: by ignition or movement.
import type { ActivityInProgress, Clip, DetectorOptions } from '../activities/activity.js';
import { Readings, readFlag } from '../readings.js';
import { NEAR_TRIP_MS, OpenTrip, speedOf, type TimedSnapshot } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

/** A vehicle this far away has left its place. A shorter trip by movement does not count. */
export const MIN_DEPARTURE_KM = 0.3;
/** The minimum of moving snapshots or distance with the ignition off: a receiver may jump. */
const MIN_MOVING_SNAPSHOTS = 4;
const MIN_FAR_KM = 2;

export interface VehicleTripsOptions extends Omit<DetectorOptions, 'beginsAt'> {
  readonly limits: TripLimits;
  readonly by: Trip['tripsBy'];
}

export class VehicleTrips {
  readonly #options: VehicleTripsOptions;
  readonly #limits: TripLimits;
  readonly #clip: Clip | null;
  #trip: OpenTrip | null = null;
  /** When the ignition went off, while the trip may continue. */
  #offSince: number | null = null;
  #lastTime: number | null = null;
  #hasSeenOff: boolean;
  /** Since then the snapshots show no trip in progress. */
  #parkedSince: number | null;
  #isWhole = false;
  /** The last snapshots with the vehicle off: the next trip starts with their counters. */
  #offBefore: TimedSnapshot[] = [];
  /** The snapshots of the current trip that move, and if one reports the ignition off. */
  #moves = 0;
  #isReportedOff = false;
  #nextAfterClip: TimedSnapshot | null = null;
  /** Snapshots after the clip with the ignition off, until the trip is known to have ended. */
  #offAfterClip: TimedSnapshot[] = [];
  /** The clipped part of a trip that is not confirmed yet. */
  #clippedPart: Trip | null = null;
  #isDone = false;

  constructor(options: VehicleTripsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#clip = options.clip;
    this.#hasSeenOff = options.isFreeBefore;
    this.#parkedSince = options.isFreeBefore ? Number.NEGATIVE_INFINITY : null;
  }

  get tripInProgress(): ActivityInProgress | null {
    if (this.#trip === null) return null;
    return { start: this.#trip.start, isWhole: this.#isWhole, offSince: this.#offSince, unchangedSince: null };
  }

  /** True when a trip is in progress, and its movement is not noise. */
  get isTripConfirmed(): boolean {
    return this.#trip !== null && this.#isConfirmed(this.#trip);
  }

  /** Returns true when no trip was in progress then. A short ignition-off does not prove that. */
  isParkedAt(time: number): boolean {
    return this.#trip === null && this.#hasEndedBefore(time);
  }

  #hasEndedBefore(time: number): boolean {
    return this.#parkedSince !== null && time - this.#parkedSince >= this.#limits.closeAfterMs;
  }

  /** Returns the trip that the next snapshot ends, or null. `isOn`: null when not reported. */
  take(time: number, row: TripSnapshot, isOn: boolean | null): Trip | null {
    if (this.#isDone) return null;
    const ended = this.#endIfOverBefore(time);
    this.#lastTime = time;
    if (isOn === false || (isOn === null && (this.#trip === null || this.#offSince !== null)))
      this.#bufferOff(time, row);
    if (this.#clip !== null) {
      if (time >= this.#clip.to) {
        this.#nextAfterClip ??= { time, row };
        // While the ignition is off, only a later snapshot shows if the trip ended.
        if (this.#offSince !== null && isOn !== true) {
          this.#offAfterClip.push({ time, row });
          return null;
        }
        const trip = this.#trip;
        if (trip !== null && !this.#hasLeft(trip))
          return ended ?? this.#holdUntilDeparture(trip, this.#clip, time, row, isOn);
        const inside = this.#cut(this.#clip, this.#nextAfterClip);
        return ended ?? inside;
      }
      if (time >= this.#clip.from) this.#trip?.countFrom(this.#clip.from, { time, row });
    }
    if (this.#trip === null) {
      if (isOn === false) {
        this.#hasSeenOff = true;
        this.#parkedSince ??= time;
      }
      if (isOn === true) this.#begin(time, row, this.#hasSeenOff || ended !== null);
      return ended;
    }
    this.#recordMovement(row, isOn);
    if (isOn === true) this.#offSince = null;
    if (isOn === false && this.#offSince === null) {
      this.#offSince = time;
      this.#trip.take(time, row, this.#options.by === 'movement');
      this.#hasSeenOff = true;
    } else if (this.#offSince === null) this.#trip.take(time, row, true);
    else this.#trip.takeOff(time, row);
    return ended;
  }

  #begin(time: number, row: TripSnapshot, isKnown: boolean): void {
    const { vehicleId, readings, by } = this.#options;
    this.#isWhole = this.#hasEndedBefore(time);
    this.#parkedSince = null;
    this.#trip = new OpenTrip({ vehicleId, time, isKnown, by }, this.#limits, readings);
    this.#takeCountersBefore(this.#trip, time);
    this.#trip.take(time, row, true);
    this.#offSince = null;
    this.#moves = 0;
    this.#isReportedOff = false;
    this.#recordMovement(row, true);
  }

  #bufferOff(time: number, row: TripSnapshot): void {
    const held = this.#offBefore;
    while (held[0] !== undefined && time - held[0].time > NEAR_TRIP_MS) held.shift();
    held.push({ time, row });
  }

  #takeCountersBefore(trip: OpenTrip, start: number): void {
    // Every reader has the snapshots of this time, whatever its look-back.
    const longest = Math.min(NEAR_TRIP_MS, this.#limits.closeAfterMs);
    const before = this.#offBefore.filter(({ time }) => start - time <= longest);
    const lastMoving = before.findLastIndex(({ row }) => this.#isMoving(row));
    for (const { row } of before.slice(lastMoving + 1)) trip.takeBefore(row);
    this.#offBefore = [];
  }

  #isMoving(row: TripSnapshot): boolean {
    const hasFix = readFlag(row.gps?.state) !== false;
    return (speedOf(row, hasFix, this.#limits.fastestKmh, new Readings()) ?? 0) >= this.#limits.movingKmh;
  }

  #endIfOverBefore(time: number): Trip | null {
    const trip = this.#trip;
    if (trip === null) return null;
    if (this.#offSince !== null) {
      const by = this.#options.by === 'movement' ? 'stop' : 'ignition';
      return time - this.#offSince < this.#limits.closeAfterMs ? null : this.#end(trip, this.#offSince, by);
    }
    if (this.#lastTime === null || time - this.#lastTime < this.#limits.silenceMs) return null;
    return this.#end(trip, this.#lastTime, 'silence');
  }

  /** Returns the part inside the clip of a trip that continues after it. */
  #cut({ from, to }: Clip, next: TimedSnapshot | null): Trip | null {
    const trip = this.#trip;
    this.#trip = null;
    this.#isDone = true;
    if (trip === null) return null;
    trip.countFrom(from, next);
    if (this.#clippedPart !== null) return this.#clippedPart;
    return this.#hasLeft(trip) ? trip.cutAt(to, next) : null;
  }

  /** Holds the clipped part of a trip by movement until later snapshots confirm the trip. */
  #holdUntilDeparture(
    trip: OpenTrip,
    { from, to }: Clip,
    time: number,
    row: TripSnapshot,
    isOn: boolean | null,
  ): Trip | null {
    if (this.#clippedPart === null) {
      trip.countFrom(from, this.#nextAfterClip);
      this.#clippedPart = trip.cutAt(to, this.#nextAfterClip);
    }
    this.#recordMovement(row, isOn);
    this.#offSince = isOn === false ? time : null;
    trip.take(time, row, true);
    if (!this.#hasLeft(trip)) return null;
    this.#trip = null;
    this.#isDone = true;
    return this.#clippedPart;
  }

  #end(trip: OpenTrip, time: number, by: NonNullable<Trip['endedBy']>): Trip | null {
    this.#trip = null;
    this.#offSince = null;
    this.#parkedSince = Number.NEGATIVE_INFINITY;
    if (this.#clippedPart !== null) this.#isDone = true;
    // Their counters are those of the end.
    for (const off of this.#offAfterClip) trip.takeOff(off.time, off.row);
    return this.#isConfirmed(trip) ? (this.#clippedPart ?? trip.toTrip({ time, by })) : null;
  }

  /** Counts the snapshots that confirm a trip by movement. */
  #recordMovement(row: TripSnapshot, isOn: boolean | null): void {
    if (this.#options.by === 'ignition') return;
    if (isOn === true) this.#moves++;
    this.#isReportedOff ||= readFlag(row.ignition?.engineStatus) === false;
  }

  /** Returns true for a trip that leaves its place, which noise does not. */
  #isConfirmed(trip: OpenTrip): boolean {
    return (
      this.#hasLeft(trip) && (!this.#isReportedOff || this.#moves >= MIN_MOVING_SNAPSHOTS || trip.reachKm >= MIN_FAR_KM)
    );
  }

  #hasLeft(trip: OpenTrip): boolean {
    return this.#options.by === 'ignition' || trip.reachKm >= MIN_DEPARTURE_KM;
  }

  /**
   * Returns the last trip; null without one. No snapshot follows before `until`; null at the end of
   * the data.
   */
  finish(until: number | null): Trip | null {
    if (this.#isDone) return null;
    const ended = until === null ? null : this.#endIfOverBefore(until);
    if (ended !== null) return ended;
    if (this.#clip !== null) {
      const { from, to } = this.#clip;
      if (this.#offSince !== null && this.#offSince < from) return null;
      if (until !== null && until >= to) return this.#cut(this.#clip, null);
      this.#trip?.countFrom(from, null);
    }
    return this.#trip !== null && this.#isConfirmed(this.#trip) ? this.#trip.toTrip(null) : null;
  }
}
