// The trips of a vehicle in a period. Reading begins before the period, so that a trip in progress at its start is complete.
import type { Period } from '../period.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader, tripsRead } from './trips-from.js';

/** Reads the snapshots between two times in milliseconds, both included. */
export type ReadSnapshots = (from: number, to: number) => AsyncIterable<TripSnapshot>;

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

const HOUR = 3_600_000;
/** How far to look back for the start of a trip, step by step. A longer trip has `isStartKnown: false`. */
const LOOK_BACK_MS = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR] as const;

export async function* tripsOver(
  { from, to }: Pick<Period, 'from' | 'to'>,
  limits: TripLimits,
  /** Called when the snapshots have been read. */
  now: () => number,
  read: ReadSnapshots,
): AsyncGenerator<Trip, void, undefined> {
  const { begin, isOffBefore } = await findBeginning(from, limits, read);
  const reader = new TripsReader(limits, { isOffBefore });
  const overlapsPeriod = ({ endedAt }: Trip) => endedAt === null || Date.parse(endedAt) >= from;
  for await (const trip of tripsRead(read(begin, to), reader)) {
    if (overlapsPeriod(trip)) yield trip;
  }
  // A trip cannot have ended in the future.
  const last = reader.finish(Math.min(to, now())).filter(overlapsPeriod);
  const offSince = reader.underWay?.offSince ?? null;
  // The ignition went off before the period, so an open trip has nothing in the period.
  yield* offSince !== null && offSince < from ? last.filter(({ isOpen }) => !isOpen) : last;
}

interface TripBeginning {
  readonly begin: number;
  /** Whether it is known that no trip was in progress just before. */
  readonly isOffBefore: boolean;
}

async function findBeginning(from: number, limits: TripLimits, read: ReadSnapshots): Promise<TripBeginning> {
  let begin = from;
  for (const span of LOOK_BACK_MS) {
    const reader = new TripsReader(limits, { isOffBefore: false });
    let hasIgnition = false;
    let hasRows = false;
    for await (const row of read(from - span, from - 1)) {
      hasRows = true;
      if (typeof row.ignition?.engineStatus === 'boolean') hasIgnition = true;
      reader.take(row);
    }
    reader.finish(from);
    const trip = reader.underWay;
    if (trip?.isStartKnown) return { begin: trip.start, isOffBefore: true };
    // Without ignition in the snapshots it is unknown whether a trip is in progress; a silence ends a trip.
    const isSilence = !hasRows && span >= limits.silenceMs;
    if (trip === null && (hasIgnition || isSilence)) return { begin: from, isOffBefore: true };
    begin = trip?.start ?? from;
  }
  return { begin, isOffBefore: false };
}
