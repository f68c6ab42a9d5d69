// The types that trips and stops share: both are found in the ordered snapshots of a vehicle, by a
// detector for each vehicle.
import type { Warning } from '../../core/hooks.js';
import type { Reading, Readings } from '../readings.js';
import type { Purpose } from '../streams/answer-sizes.js';
import type { TripSnapshot } from '../trips/trip.js';

/** A trip or a stop. */
export interface Activity {
  readonly endedAt: string | null;
  readonly isOpen: boolean;
}

/**
 * A part of a period in milliseconds since 1970: only what lies at `from` or later and before `to`
 * counts.
 */
export interface Clip {
  readonly from: number;
  readonly to: number;
}

export interface ActivityInProgress {
  readonly start: number;
  /** True when its start is known, so that no earlier snapshot belongs to it. */
  readonly isWhole: boolean;
  /** The time at which the ignition went off, if too recently to end the trip. */
  readonly offSince: number | null;
  /** The time since which nothing of a stop has changed but its length; null when something may. */
  readonly unchangedSince: number | null;
}

export interface DetectorOptions {
  readonly vehicleId: string;
  readonly readings: Readings;
  /** None was in progress before the first snapshot. */
  readonly isFreeBefore: boolean;
  readonly clip: Clip | null;
  /**
   * Earlier snapshots are context: an activity begins at this time or later, in milliseconds since
   * 1970.
   */
  readonly beginsAt: number;
}

/** Finds the activities of one vehicle in its snapshots, which come in order of time. */
export interface ActivityDetector<Found> {
  /** Takes the next snapshot and returns the activity that it ends, or null. */
  take(time: number, row: TripSnapshot): Found | null;
  /** Returns the last ones, when there are no more snapshots before `until` (null: at all). */
  finish(until: number | null): readonly Found[];
  readonly inProgress: ActivityInProgress | null;
  /** The time from which snapshots are needed to read what follows; null when none is. */
  readonly begins: number | null;
  /** The start of the first activity that has not been returned; null when there is none. */
  readonly restBegins: number | null;
  /** Returns true when none was in progress at this time, after the last snapshot. */
  isFreeAt(time: number): boolean;
  /** Returns what the caller must know about the activities. Call it after `finish`. */
  warning(): Pick<Warning, 'code' | 'message'> | null;
}

/** The rules by which one kind of activity is read. */
export interface ActivityKind<Found extends Activity> {
  /** As in "They are in no trip." */
  readonly noun: 'trip' | 'stop';
  /** Snapshots that are late by up to this many milliseconds are put in order. */
  readonly lateMs: number;
  /** Reading fails when no value of these could be read. */
  readonly requires: readonly Reading[];
  /**
   * An activity ends when the vehicle is silent for this many milliseconds; null when silence does
   * not end it.
   */
  readonly silenceMs: number | null;
  /**
   * The time before an activity whose snapshots belong to it, such as those of its counters, in
   * milliseconds.
   */
  readonly contextMs: number;
  /**
   * The time after a clipped period that is read, to know whether its last activity continued.
   */
  readonly readAheadMs: number;
  /** The fields of a snapshot that are read. */
  readonly select: object;
  readonly purpose: Purpose;
  /**
   * The steps back to the start of an activity in progress, in milliseconds. A longer one has
   * `isStartKnown: false`.
   */
  readonly lookBacksMs: readonly number[];
  /** Returns true when the activity in progress at the begin of the period is known. */
  continues?(vehicleId: string): boolean;
  detect(options: DetectorOptions): ActivityDetector<Found>;
}
