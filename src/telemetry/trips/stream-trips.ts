// The trips of a vehicle in a period. Reading begins before the period, so that a trip in progress at its start is complete.
import { FleetError, streamError } from '../../core/errors.js';
import type { WarningEvent } from '../../core/hooks.js';
import type { Explain } from '../../rows/row-iterator.js';
import type { Period } from '../period.js';
import { readFlag } from '../readings.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader, tripsRead } from './trips-from.js';
import type { TripInProgress } from './vehicle-trips.js';

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
  period: Period,
  limits: TripLimits,
  /** Called when the snapshots have been read. */
  now: () => number,
  read: ReadSnapshots,
  warn: (event: WarningEvent) => void,
): AsyncGenerator<Trip, void, undefined> {
  const { from, to } = period;
  let given = 0;
  let restBegins = (_completeUntil: number) => from;
  /** Counts trips instead of snapshots. */
  const explain: Explain = (error, { completeUntil }) => {
    const rest = completeUntil === null ? from : Math.max(from, restBegins(Date.parse(completeUntil)));
    const message = `${error.message} ${given} trips were delivered before.`;
    return streamError(error, message, { rowsGiven: given, resumeFrom: period.text(rest) });
  };
  const { begin, isOffBefore } = await findBeginning(from, limits, read, explain);
  const reader = new TripsReader(limits, { isOffBefore, operation });
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

/**
 * Whether the snapshots before a period say where its first trip begins. Without ignition in them it is unknown whether a trip is in
 * progress; `isOff`: they have ignition, or a silence long enough to end a trip.
 */
export function isBeginningKnown(trip: TripInProgress | null, isOff: boolean): boolean {
  return trip === null ? isOff : trip.isStartKnown;
}

async function findBeginning(
  from: number,
  limits: TripLimits,
  read: ReadSnapshots,
  explain: Explain,
): Promise<TripBeginning> {
  let begin = from;
  for (const span of LOOK_BACK_MS) {
    const reader = new TripsReader(limits, { isOffBefore: false, operation });
    let hasIgnition = false;
    let hasRows = false;
    for await (const row of read(from - span, from - 1, explain)) {
      hasRows = true;
      if (typeof readFlag(row.ignition?.engineStatus) === 'boolean') hasIgnition = true;
      reader.take(row);
    }
    finish(reader, from, explain);
    const trip = reader.underWay;
    // A service may answer with rows after the end of the period.
    begin = Math.min(trip?.start ?? from, from);
    const isSilence = !hasRows && span >= limits.silenceMs;
    if (isBeginningKnown(trip, hasIgnition || isSilence)) return { begin, isOffBefore: true };
  }
  return { begin, isOffBefore: false };
}
