// The trips of a vehicle over a period: its snapshots as a stream, begun early enough that a trip under way at the beginning of
// the period is told whole.
import type { Period } from '../period.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { TripsReader, tripsRead } from './trips-from.js';

/** The snapshots between two times in milliseconds, both included. */
export type ReadSnapshots = (from: number, to: number) => AsyncIterable<TripSnapshot>;

/** What of a snapshot trips need. */
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
/** How far is looked back for the beginning of a trip. One that lasts longer is told with `isStartKnown: false`. */
const LOOKS_BACK = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR] as const;

export async function* tripsOver(
  { from, to }: Pick<Period, 'from' | 'to'>,
  rules: TripLimits,
  /** Asked when the snapshots have been read. */
  now: () => number,
  read: ReadSnapshots,
): AsyncGenerator<Trip, void, undefined> {
  const { begin, isOffBefore } = await beginningOf(from, rules, read);
  const reader = new TripsReader(rules, { isOffBefore });
  const overlaps = ({ endedAt }: Trip) => endedAt === null || Date.parse(endedAt) >= from;
  for await (const trip of tripsRead(read(begin, to), reader)) {
    if (overlaps(trip)) yield trip;
  }
  // What has not happened yet has not ended a trip.
  const last = reader.finish(Math.min(to, now())).filter(overlaps);
  const offSince = reader.underWay?.offSince ?? null;
  // Off since before the period, and not long enough to tell an end from a break: none of it is in the period.
  yield* offSince !== null && offSince < from ? last.filter(({ isOpen }) => !isOpen) : last;
}

interface Beginning {
  readonly begin: number;
  /** Whether it is known that no trip was under way just before. */
  readonly isOffBefore: boolean;
}

async function beginningOf(from: number, rules: TripLimits, read: ReadSnapshots): Promise<Beginning> {
  let begin = from;
  for (const span of LOOKS_BACK) {
    const reader = new TripsReader(rules, { isOffBefore: false });
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
    // Snapshots that say nothing of the ignition leave it as it was, on or off; a silence ends a trip.
    const isSilent = !hasRows && span >= rules.silenceMs;
    if (trip === null && (hasIgnition || isSilent)) return { begin: from, isOffBefore: true };
    begin = trip?.start ?? from;
  }
  return { begin, isOffBefore: false };
}
