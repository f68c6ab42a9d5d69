// The status of a vehicle, derived from its last snapshot.
import type { Timestamp } from '../core/dates.js';
import { type Checks, checkOptions, demand } from '../core/option-checks.js';
import { isAhead } from './latest.js';
import { readFlag, readNumber } from './readings.js';
import { timestampMs } from './timestamps.js';

/** The values of `liveStatus`. */
export const liveStatuses = ['moving', 'idling', 'stopped', 'stale', 'offline', 'unknown'] as const;

/**
 * - `moving`: 2 km/h or faster, and the engine is on or unknown
 * - `idling`: the engine is on, and the speed is below 2 km/h or unknown
 * - `stopped`: the engine is off, or it is unknown and the speed is below 2 km/h
 * - `stale`: no data for 90 minutes
 * - `offline`: no data for 6 hours
 * - `unknown`: no snapshot, no readable timestamp, one from the future, or neither speed nor engine
 *   status
 */
export type LiveStatus = (typeof liveStatuses)[number];

/** The values without recent data. */
export const silentStatuses: readonly LiveStatus[] = ['stale', 'offline', 'unknown'];

/** The snapshot fields that the status depends on. `Snapshot` and `Vehicle.lastData` have them. */
export interface LiveSnapshot {
  readonly timestamp?: Timestamp | null | undefined;
  readonly gps?: { readonly speed?: number | null | undefined } | null | undefined;
  readonly ignition?: { readonly engineStatus?: boolean | null | undefined } | null | undefined;
  /** Used when `gps` has no speed. */
  readonly canBus?:
    | { readonly canSpeed?: number | null | undefined; readonly canWheelSpeed?: number | null | undefined }
    | null
    | undefined;
}

export interface LiveStatusOptions {
  /**
   * The present time: a Date, or milliseconds since 1970. Default: the local clock. Use
   * `fleet.serviceNow()` when the service's clock may differ.
   */
  readonly now?: number | Date | undefined;
  /** The age in milliseconds from which a snapshot is `stale`. Default 90 minutes. */
  readonly staleAfterMs?: number | undefined;
  /** The age in milliseconds from which a vehicle is `offline`. Default 6 hours. */
  readonly offlineAfterMs?: number | undefined;
}

/** Defaults of `LiveStatusOptions`, in milliseconds. */
export const staleAfterMs = 90 * 60_000;
export const offlineAfterMs = 6 * 3_600_000;

/** In km/h: below it, position noise looks like movement. */
const movingKmh = 2;

/**
 * Returns the status of a vehicle, from its last snapshot and the age of that snapshot. Sends no
 * request. An old snapshot is `offline` or `stale`, whatever its values. One more than five minutes
 * in the future is `unknown`.
 *
 * @param snapshot the last snapshot (`Vehicle.lastData`, a row of `getLatestSnapshots`), or null
 * when there is none.
 * @returns one of `moving`, `idling`, `stopped`, `stale`, `offline`, `unknown`.
 * @throws {InvalidInputError} when a threshold or `now` is not a number. A timestamp that cannot be
 * read is `unknown`.
 */
export function liveStatus(snapshot: LiveSnapshot | null | undefined, options: LiveStatusOptions = {}): LiveStatus {
  checkOptions(options, checks, 'liveStatus');
  const now = Number(options.now ?? Date.now());
  const stale = options.staleAfterMs ?? staleAfterMs;
  const offline = options.offlineAfterMs ?? offlineAfterMs;
  const seenAt = timestampMs(snapshot?.timestamp);
  if (seenAt === null) return 'unknown';
  if (isAhead(seenAt, now)) return 'unknown';
  const ageMs = now - seenAt;
  if (ageMs >= offline) return 'offline';
  if (ageMs >= stale) return 'stale';
  const { gps, canBus, ignition } = snapshot ?? {};
  const speed = readNumber(gps?.speed) ?? readNumber(canBus?.canSpeed) ?? readNumber(canBus?.canWheelSpeed);
  const engine = readFlag(ignition?.engineStatus);
  if (typeof speed === 'number' && speed >= movingKmh && engine !== false) return 'moving';
  if (engine === true) return 'idling';
  return engine === false || typeof speed === 'number' ? 'stopped' : 'unknown';
}

// Pure: the page of the map bundles only the lists of this module.
const time = /* @__PURE__ */ demand((value) => !Number.isNaN(Number(value)), 'a Date, or a number of milliseconds');
const age = /* @__PURE__ */ demand(
  (value) => typeof value === 'number' && !Number.isNaN(value),
  'a number of milliseconds',
);
const checks: Checks<keyof LiveStatusOptions> = { now: time, staleAfterMs: age, offlineAfterMs: age };
