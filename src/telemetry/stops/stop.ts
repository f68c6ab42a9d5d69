// The types of stops, and the options with their checks. docs/telemetry.md defines them.
import { isObject } from '../../core/json.js';
import { type Checks, demand, flag, numberFrom } from '../../core/option-checks.js';
import { timestampMs } from '../timestamps.js';
import type { TripPosition } from '../trips/trip.js';

export const SHORTEST_STOP_MS = 5 * 60_000;

/** A time of at least five minutes in which a vehicle stood in one place, engine on or off. */
export interface Stop {
  /** Made of vehicle and start: stable across periods. The parts of a clipped stop share it. */
  readonly id: string;
  readonly vehicleId: string;
  /** RFC 3339, UTC: the first snapshot of the stop. */
  readonly startedAt: string;
  /** RFC 3339, UTC: the last snapshot; for a parked vehicle, the one after it. Null while open. */
  readonly endedAt: string | null;
  /** RFC 3339, UTC: the last snapshot of the stop. */
  readonly lastSeenAt: string;
  /** True when not ended at the last snapshot; values reach to the end of the period or now. */
  readonly isOpen: boolean;
  /** The reason of the end: the vehicle left, or the period ended (`clip`). Null while open. */
  readonly endedBy: 'departure' | 'period' | null;
  /** False when the stop may have begun before the first snapshot. */
  readonly isStartKnown: boolean;
  /** The driver who arrived with the vehicle, then those identified during the stop, in order. */
  readonly driverIds: readonly string[];
  /** From the start to the end, or to the end of reading. */
  readonly durationSeconds: number;
  /** The time with the engine on, so far while open. Null when the engine is unknown. */
  readonly idleSeconds: number | null;
  /** The time with the engine on but no snapshot for over 15 minutes; not part of the idle time. */
  readonly unseenSeconds: number;
  /** The first position of the stop; null without one. */
  readonly position: TripPosition | null;
  /** By driver, in order; only with `withSegments: true`. Empty without any identified driver. */
  readonly segments?: readonly StopSegment[];
}

/** The part of a stop from the arrival or identification of a driver to that of the next one. */
export interface StopSegment {
  readonly driverId: string;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  /** RFC 3339, UTC; null in the last part of an open stop. */
  readonly endedAt: string | null;
  readonly durationSeconds: number;
  readonly idleSeconds: number | null;
  readonly unseenSeconds: number;
}

/** An open stop of an earlier call, and the time since which only its length has changed. */
export interface ContinuedStop {
  readonly stop: Stop;
  /** RFC 3339, UTC: the `unchangedSince` of the event `complete`. */
  readonly unchangedSince: string;
}

/** The options of `streamStops`. */
export interface StopOptions {
  /** The minimum length. Default and minimum 300000: five minutes. */
  readonly minMs?: number | undefined;
  /** Snapshots that are late by up to this many milliseconds are sorted. Default 60000. */
  readonly lateMs?: number | undefined;
  /**
   * True cuts a stop to its part in the period: from `from` on and before `to`. The parts in
   * consecutive periods add up to the stop, unless the vehicle is silent for more than an hour
   * after `to`. Default false: a stop in progress at `from` is complete, and one in progress at
   * `to` is open.
   */
  readonly clip?: boolean | undefined;
  /** True adds the parts by driver as `segments`; not with `continued`. Default false. */
  readonly withSegments?: boolean | undefined;
  /**
   * Open stops of an earlier call, to be continued: nothing before `from` of their vehicles is
   * read. `from` must not be before `unchangedSince`.
   */
  readonly continued?: readonly ContinuedStop[] | undefined;
}

export const stopChecks: Checks<keyof StopOptions> = {
  minMs: numberFrom(SHORTEST_STOP_MS),
  lateMs: numberFrom(0),
  clip: flag,
  withSegments: flag,
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
