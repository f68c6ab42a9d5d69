// The types of stops and of their options, and the options' check. docs/telemetry.md defines them.
import { isObject } from '../../core/json.js';
import { type Checks, demand, flag, numberFrom } from '../../core/option-checks.js';
import { timestampMs } from '../timestamps.js';
import type { TripPosition } from '../trips/trip.js';

/** The shortest stop. */
export const SHORTEST_STOP_MS = 5 * 60_000;

/**
 * A time of at least five minutes in which one vehicle stood in one place, with the engine on or
 * off.
 */
export interface Stop {
  /**
   * Made of vehicle and start, so that a stop has the same id in every period. The parts of a
   * clipped stop share it.
   */
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339, UTC: the first snapshot in which it stands there. */
  readonly startedAt: string;
  /**
   * RFC 3339, UTC: the last snapshot in which it stands there; of a parked vehicle the next one.
   * Null while open.
   */
  readonly endedAt: string | null;
  /** RFC 3339, UTC: the last snapshot in which it stands there. */
  readonly lastSeenAt: string;
  /**
   * True when it had not ended at the end of the snapshots. Its values are those up to the end of
   * the period, or to now.
   */
  readonly isOpen: boolean;
  /**
   * The reason of the end: the vehicle left, or with `clip` the end of the period. Null while open.
   */
  readonly endedBy: 'departure' | 'period' | null;
  /** False when no earlier snapshot shows where it began, so that it may have begun before. */
  readonly isStartKnown: boolean;
  /**
   * The driver who came with the vehicle, and those identified while it stood there; in that order.
   */
  readonly driverIds: readonly string[];
  /** From the start to the end, or to the end of what was read. */
  readonly durationSeconds: number;
  /**
   * The part with the engine on; of an open stop up to the last snapshot. Null when no snapshot of
   * the stop tells the state of the engine.
   */
  readonly idleSeconds: number | null;
  /**
   * Times with the engine on and without a snapshot for more than 15 minutes: they are not part of
   * the idle time.
   */
  readonly unseenSeconds: number;
  /** The place: the first position of the stop. Null when no snapshot of it had one. */
  readonly position: TripPosition | null;
}

/** An open stop of an earlier call, and the time since which only its length has changed. */
export interface ContinuedStop {
  readonly stop: Stop;
  /** RFC 3339, UTC: the `unchangedSince` of the event `complete`. */
  readonly unchangedSince: string;
}

/** The options of `streamStops`. */
export interface StopOptions {
  /** Shorter stops are left out. Default, and the least, 300000: five minutes. */
  readonly minMs?: number | undefined;
  /** Snapshots that are late by up to this many milliseconds are put in order. Default 60000. */
  readonly lateMs?: number | undefined;
  /**
   * True cuts a stop that goes beyond the period to the part from `from` on and before `to`. The
   * parts of a stop in periods that follow each other add up to the stop, unless the vehicle is
   * silent for more than an hour after `to`. Default false: a stop in progress at `from` is
   * complete, one in progress at `to` is open.
   */
  readonly clip?: boolean | undefined;
  /**
   * Open stops of an earlier call. Each continues, so that nothing before `from` of its vehicle is
   * read; that is not before `unchangedSince`.
   */
  readonly continued?: readonly ContinuedStop[] | undefined;
}

export const stopChecks: Checks<keyof StopOptions> = {
  minMs: numberFrom(SHORTEST_STOP_MS),
  lateMs: numberFrom(0),
  clip: flag,
  continued: demand(
    (value) => Array.isArray(value) && value.every(isContinued),
    'a list of { stop, unchangedSince } with open stops',
  ),
};

function isContinued(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { stop, unchangedSince }: { [Name in keyof ContinuedStop]?: unknown } = value;
  if (!isObject(stop)) return false;
  const { vehicleId, startedAt, lastSeenAt, isOpen, driverIds }: { [Name in keyof Stop]?: unknown } = stop;
  const areTimes = [startedAt, lastSeenAt, unchangedSince].every(
    (time) => typeof time === 'string' && timestampMs(time) !== null,
  );
  return areTimes && typeof vehicleId === 'string' && isOpen === true && Array.isArray(driverIds);
}
