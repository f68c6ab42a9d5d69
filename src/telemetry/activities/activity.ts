// The types that trips and stops share. A detector per vehicle finds both in ordered snapshots.
import type { Warning } from '../../core/hooks.js';
import type { Reading, Readings } from '../readings.js';
import type { Purpose } from '../streams/answer-sizes.js';
import type { TripSnapshot } from '../trips/trip.js';

export interface Activity {
  readonly endedAt: string | null;
  readonly isOpen: boolean;
}

/** A part of a period in milliseconds since 1970: from `from` until before `to`. */
export interface Clip {
  readonly from: number;
  readonly to: number;
}

export interface ActivityInProgress {
  readonly start: number;
  /** True when no earlier snapshot belongs to it. */
  readonly isWhole: boolean;
  /** When the ignition went off, if not yet long enough to end the trip. */
  readonly offSince: number | null;
  /** The time since which only the length of a stop has changed; null when more may change. */
  readonly unchangedSince: number | null;
}

export interface DetectorOptions {
  readonly vehicleId: string;
  readonly readings: Readings;
  /** No activity was in progress before the first snapshot. */
  readonly isFreeBefore: boolean;
  readonly clip: Clip | null;
  /** The earliest start in milliseconds since 1970; earlier snapshots are context. */
  readonly beginsAt: number;
}

export interface ActivityDetector<Found> {
  /** Returns the activity that the next snapshot ends, or null. */
  take(time: number, row: TripSnapshot): Found | null;
  /** Returns the last activities, when no snapshots follow before `until` (null: at all). */
  finish(until: number | null): readonly Found[];
  readonly inProgress: ActivityInProgress | null;
  /** The time from which snapshots are still needed; null for none. */
  readonly begins: number | null;
  /** The start of the first activity that was not returned yet; null for none. */
  readonly restBegins: number | null;
  /** Returns true when no activity was in progress at this time, after the last snapshot. */
  isFreeAt(time: number): boolean;
  /** Returns a warning about the quality of the activities. Call it after `finish`. */
  warning(): Pick<Warning, 'code' | 'message'> | null;
}

/** The rules by which a kind of activity is detected. */
export interface ActivityKind<Found extends Activity> {
  /** For messages: "They are in no trip." */
  readonly noun: 'trip' | 'stop';
  /** Snapshots late by up to this are sorted. */
  readonly lateMs: number;
  /** Reading fails when all values of one are unreadable. */
  readonly requires: readonly Reading[];
  /** The silence in milliseconds that ends an activity; null when silence does not end it. */
  readonly silenceMs: number | null;
  /** The context before an activity, such as for counters, in milliseconds. */
  readonly contextMs: number;
  /** The time to read after a clipped period, to see if its last activity continued. */
  readonly readAheadMs: number;
  readonly select: object;
  readonly purpose: Purpose;
  /** The look-backs in milliseconds. A longer activity has `isStartKnown: false`. */
  readonly lookBacksMs: readonly number[];
  /** Returns true when the activity in progress at the start of the period is known from before. */
  continues?(vehicleId: string): boolean;
  detect(options: DetectorOptions): ActivityDetector<Found>;
}
