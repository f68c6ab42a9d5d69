// The status of a vehicle by its last snapshot.
import { InvalidInputError } from '../core/errors.js';
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
 * - `unknown`: no snapshot, no readable timestamp, or neither speed nor engine status
 */
export type LiveStatus = (typeof liveStatuses)[number];

/** The parts of a snapshot that decide the status. `Snapshot`, `Vehicle.lastData` and selections with these fields fit. */
export interface LiveSnapshot {
  readonly timestamp?: string | number | null | undefined;
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
   * The present time: a Date, or milliseconds since 1970. Use `fleet.serviceNow()` when the service's clock may differ from the
   * local one. Default: the local clock.
   */
  readonly now?: number | Date | undefined;
  /** Age in milliseconds from which a snapshot is `stale`. Default 90 minutes. */
  readonly staleAfterMs?: number | undefined;
  /** Age in milliseconds from which a vehicle is `offline`. Default 6 hours. */
  readonly offlineAfterMs?: number | undefined;
}

/** Defaults of `LiveStatusOptions`, in milliseconds. */
export const staleAfterMs = 90 * 60_000;
export const offlineAfterMs = 6 * 3_600_000;

/** Below this speed in km/h a position may only jitter. */
const movingKmh = 2;

/**
 * The status of a vehicle, by its last snapshot and the age of that snapshot. Sends nothing to the service.
 * An old snapshot is `offline` or `stale`, whatever its values; one from the future counts as new.
 *
 * @param snapshot the last snapshot (`Vehicle.lastData`, a row of `getLatestSnapshots`), or null when there is none.
 * @returns one of `moving`, `idling`, `stopped`, `stale`, `offline`, `unknown`.
 * @throws {InvalidInputError} when a threshold or `now` is not a number. A timestamp that cannot be read is `unknown`.
 */
export function liveStatus(snapshot: LiveSnapshot | null | undefined, options: LiveStatusOptions = {}): LiveStatus {
  checkOptionNames(options);
  const now = requireNumber('now', Number(options.now ?? Date.now()));
  const stale = requireNumber('staleAfterMs', options.staleAfterMs ?? staleAfterMs);
  const offline = requireNumber('offlineAfterMs', options.offlineAfterMs ?? offlineAfterMs);
  const seenAt = timestampMs(snapshot?.timestamp);
  if (seenAt === null) return 'unknown';
  const age = now - seenAt;
  if (age >= offline) return 'offline';
  if (age >= stale) return 'stale';
  const { gps, canBus, ignition } = snapshot ?? {};
  const speed = readNumber(gps?.speed) ?? readNumber(canBus?.canSpeed) ?? readNumber(canBus?.canWheelSpeed);
  const engine = readFlag(ignition?.engineStatus);
  if (typeof speed === 'number' && speed >= movingKmh && engine !== false) return 'moving';
  if (engine === true) return 'idling';
  return engine === false || typeof speed === 'number' ? 'stopped' : 'unknown';
}

const optionNames: readonly string[] = ['now', 'staleAfterMs', 'offlineAfterMs'] satisfies (keyof LiveStatusOptions)[];

function checkOptionNames(options: LiveStatusOptions): void {
  if (Object.keys(options).every((name) => optionNames.includes(name))) return;
  throw new InvalidInputError(`liveStatus has an unknown option; there are ${optionNames.join(', ')}.`);
}

function requireNumber(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw new InvalidInputError(`${name} of liveStatus must be a number of milliseconds.`);
}
