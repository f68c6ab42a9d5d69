// The trips of a vehicle in a period. Reading begins before the period, so that a trip in progress at its start is complete.
import { FleetError, streamError } from '../../core/errors.js';
import type { WarningEvent } from '../../core/hooks.js';
import type { Explain } from '../../rows/row-iterator.js';
import type { Period } from '../period.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader, tripsRead } from './trips-from.js';

/** Reads the snapshots between two times in milliseconds, both included. */
export type ReadSnapshots = (from: number, to: number, explain: Explain) => AsyncIterable<TripSnapshot>;

/** The fields of a snapshot that trips are read from. */
export const tripSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true },
  canBus: { canDistance: true, canTripFuelUsed: true, canhrFuelUsed: true, canFuelUsed: true },
} as const;

/** The same with what the positions of a track are read from. */
const trackSelection = { ...tripSelection, gps: { ...tripSelection.gps, state: true } } as const;

/** What to select for trips with these limits. */
export function selectionFor({ withTrack }: TripLimits): typeof tripSelection {
  return withTrack ? trackSelection : tripSelection;
}

const operation = 'getSnapshots';
const HOUR = 3_600_000;
/** How far to look back for the start of a trip, step by step. A longer trip has `isStartKnown: false`. */
export const LOOK_BACK_MS = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR] as const;

export async function* tripsOver(
  vehicleId: string,
  period: Period,
  limits: TripLimits,
  /** Called when the snapshots have been read. */
  now: () => number,
  read: ReadSnapshots,
  warn: (event: WarningEvent) => void,
  clip: boolean,
): AsyncGenerator<Trip, void, undefined> {
  const { from } = period;
  const to = clip ? endOfClipped(period, limits, now()) : period.to;
  let given = 0;
  let restBegins = (_completeUntil: number) => from;
  /** Counts trips instead of snapshots. */
  const explain: Explain = (error, { completeUntil }) => {
    const rest = completeUntil === null ? from : Math.max(from, restBegins(Date.parse(completeUntil)));
    const message = `${error.message} ${given} trips were delivered before.`;
    return streamError(error, message, { rowsGiven: given, resumeFrom: period.text(rest) });
  };
  const { begin, isOffBefore } = await findBeginning(vehicleId, from, limits, read, explain);
  const reader = new TripsReader(limits, { vehicleId, isOffBefore, operation, clip: clip ? period : null });
  restBegins = (completeUntil) => reader.restBegins(completeUntil);
  const overlapsPeriod = ({ endedAt }: Trip) => endedAt === null || Date.parse(endedAt) >= from;
  for await (const trip of tripsRead(read(begin, to, explain), reader)) {
    if (!overlapsPeriod(trip)) continue;
    given++;
    yield trip;
  }
  // A trip cannot have ended in the future.
  const last = finish(reader, Math.min(to, now()), explain).filter(overlapsPeriod);
  for (const warning of reader.warnings()) warn({ ...warning, operation });
  const offSince = reader.underWay?.offSince ?? null;
  // The ignition went off before the period, so an open trip has nothing in the period.
  yield* offSince !== null && offSince < from ? last.filter(({ isOpen }) => !isOpen) : last;
}

/** Up to when snapshots are read: those after the period say whether its last trip went on. */
export function endOfClipped({ to }: Period, { silenceMs, closeAfterMs }: TripLimits, now: number): number {
  return Math.max(to, Math.min(to + Math.max(silenceMs, closeAfterMs), now));
}

function finish(reader: TripsReader, until: number, explain: Explain): readonly Trip[] {
  try {
    return reader.finish(until);
  } catch (error) {
    throw error instanceof FleetError ? explain(error, { delivered: 0, completeUntil: null, beginning: '' }) : error;
  }
}

interface TripBeginning {
  readonly begin: number;
  /** Whether it is known that no trip was in progress just before. */
  readonly isOffBefore: boolean;
}

/** Whether the snapshots before a period, which have been taken, say where its first trip begins. */
export function isBeginningKnown(reader: TripsReader, from: number): boolean {
  return reader.underWay?.isWhole ?? reader.isParkedAt(from);
}

async function findBeginning(
  vehicleId: string,
  from: number,
  limits: TripLimits,
  read: ReadSnapshots,
  explain: Explain,
): Promise<TripBeginning> {
  let begin = from;
  for (const span of LOOK_BACK_MS) {
    const reader = new TripsReader(limits, { vehicleId, isOffBefore: false, operation });
    let hasRows = false;
    for await (const row of read(from - span, from - 1, explain)) {
      hasRows = true;
      reader.take(row);
    }
    finish(reader, from, explain);
    // A service may answer with rows after the end of the period.
    begin = Math.min(reader.underWay?.start ?? from, from);
    const isSilence = !hasRows && span >= limits.silenceMs;
    if (isSilence || isBeginningKnown(reader, from)) return { begin, isOffBefore: true };
  }
  return { begin, isOffBefore: false };
}
