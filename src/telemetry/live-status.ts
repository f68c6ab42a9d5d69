// What a vehicle is doing now, as far as its last snapshot can tell.

import { toDate } from '../core/dates.js';
import { InvalidInputError } from '../core/errors.js';

/** From the freshest to the least known; what `liveStatus` says. */
export const liveStatuses = ['moving', 'idling', 'stopped', 'stale', 'offline', 'unknown'] as const;

/**
 * - `moving`: faster than a position jitters, and the engine is not known to be off
 * - `idling`: not known to be faster than that, engine on
 * - `stopped`: standing, engine off or not known
 * - `stale`: no data for 90 minutes
 * - `offline`: no data for 6 hours
 * - `unknown`: no snapshot, no readable time in it, or neither speed nor engine
 */
export type LiveStatus = (typeof liveStatuses)[number];

/** What is read of a snapshot: `Snapshot` fits, and so do `Vehicle.lastData` and a selection with these fields. */
export interface LiveSnapshot {
  readonly timestamp?: string | number | null | undefined;
  readonly gps?: { readonly speed?: number | null | undefined } | null | undefined;
  readonly ignition?: { readonly engineStatus?: boolean | null | undefined } | null | undefined;
  /** Stands in for a snapshot without a position. */
  readonly canBus?:
    | { readonly canSpeed?: number | null | undefined; readonly canWheelSpeed?: number | null | undefined }
    | null
    | undefined;
}

export interface LiveStatusOptions {
  /**
   * The moment to judge from: a Date, or milliseconds since 1970. `fleet.serviceNow()` is right where the service's clock is not this
   * machine's. Default: now, by the local clock.
   */
  readonly now?: number | Date | undefined;
  /** From this age on a snapshot is stale, in milliseconds. Default 90 minutes. */
  readonly staleAfterMs?: number | undefined;
  /** From this age on a snapshot means offline, in milliseconds. Default 6 hours. */
  readonly offlineAfterMs?: number | undefined;
}

/** Defaults of `LiveStatusOptions`, in milliseconds. */
export const staleAfterMs = 90 * 60_000;
export const offlineAfterMs = 6 * 3_600_000;

/** Below this, in km/h, a standing vehicle's position is only jitter. */
const movingKmh = 2;

/**
 * Says what a vehicle is doing, judged by its last snapshot and the age of that snapshot. Pure: asks nothing of the service.
 * An old snapshot is `offline` or `stale` whatever it says; one from the future, as of a clock that runs ahead, is fresh.
 *
 * @param snapshot the last snapshot (`Vehicle.lastData`, a row of `getLatestSnapshots`), or null when there is none.
 * @returns one of `moving`, `idling`, `stopped`, `stale`, `offline`, `unknown`.
 * @throws {InvalidInputError} when a threshold or `now` is no number. A timestamp that cannot be read is `unknown`.
 */
export function liveStatus(snapshot: LiveSnapshot | null | undefined, options: LiveStatusOptions = {}): LiveStatus {
  checkNames(options);
  const now = checked('now', Number(options.now ?? Date.now()));
  const stale = checked('staleAfterMs', options.staleAfterMs ?? staleAfterMs);
  const offline = checked('offlineAfterMs', options.offlineAfterMs ?? offlineAfterMs);
  const seenAt = momentOf(snapshot?.timestamp);
  if (seenAt === null) return 'unknown';
  const age = now - seenAt;
  if (age >= offline) return 'offline';
  if (age >= stale) return 'stale';
  const speed = snapshot?.gps?.speed ?? snapshot?.canBus?.canSpeed ?? snapshot?.canBus?.canWheelSpeed;
  const engine = snapshot?.ignition?.engineStatus;
  if (typeof speed === 'number' && speed >= movingKmh && engine !== false) return 'moving';
  if (engine === true) return 'idling';
  return engine === false || typeof speed === 'number' ? 'stopped' : 'unknown';
}

function momentOf(timestamp: string | number | null | undefined): number | null {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}

const optionNames: readonly string[] = ['now', 'staleAfterMs', 'offlineAfterMs'] satisfies (keyof LiveStatusOptions)[];

function checkNames(options: LiveStatusOptions): void {
  if (Object.keys(options).every((name) => optionNames.includes(name))) return;
  throw new InvalidInputError(`liveStatus has no option of this name; there are ${optionNames.join(', ')}.`);
}

function checked(name: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  throw new InvalidInputError(`${name} of liveStatus must be a number of milliseconds.`);
}
