// Reads trips from snapshots of one or several vehicles. Late snapshots are sorted; only those
// within `lateMs` are held in memory.
import type { Warning } from '../../core/hooks.js';
import { quietly } from '../../core/safe-read.js';
import { RowIterator } from '../../rows/row-iterator.js';
import { ActivityReader } from '../activities/activity-reader.js';
import { inTimeOrder } from '../time-order.js';
import { timestampMs } from '../timestamps.js';
import type { Trip, TripOf, TripOptions, TripSnapshot } from './trip.js';
import { tripLimits } from './trip-limits.js';
import { tripKind } from './vehicle-drives.js';

interface OwnTripOptions<Track extends boolean = boolean, Details extends boolean | 'parts' = boolean | 'parts'>
  extends TripOptions<Track, Details> {
  readonly onWarning?: ((warning: Warning) => void) | undefined;
}

/**
 * Reads trips from snapshots and yields each as soon as it has ended; open trips come last, with
 * `isOpen`. A trip begins when the ignition is switched on and ends after `closeAfterMs` with the
 * ignition off. A vehicle that moves although its ignition is never on has trips by its movement,
 * all at the end, and the warning NO_IGNITION. Memory does not grow with the snapshots; `withTrack`
 * holds the positions of trips that were not yielded yet.
 *
 * @param snapshots Rows of `getSnapshots`, `streamSnapshots` or your own source, of one or several
 * vehicles: an array in any order, or rows in order of time except for late ones. Rows without
 * vehicle or time and repeated rows are ignored.
 * @param options `onWarning` is called with the number of late snapshots and of unreadable values,
 * and with vehicles without ignition.
 * @returns Trips, for each vehicle in the order of their ends.
 * @throws {InvalidInputError} when an option is invalid; and any error of `snapshots`.
 * @throws {ProtocolError} at the end, when the ignition of no snapshot could be read, or most
 * snapshots came too late.
 */
export function tripsFrom<Track extends boolean = false, Details extends boolean | 'parts' = false>(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options?: OwnTripOptions<Track, Details>,
): AsyncGenerator<TripOf<Track, Details>, void, undefined> {
  // Safe cast: `withTrack` gives every trip its track, and `withDetails` its details.
  return readTrips(snapshots, options) as AsyncGenerator<TripOf<Track, Details>, void, undefined>;
}

async function* readTrips(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  options: OwnTripOptions | undefined,
): AsyncGenerator<Trip, void, undefined> {
  const { onWarning, ...limits } = options ?? {};
  const reader = new ActivityReader(tripKind(tripLimits(limits)), { isFreeBefore: false });
  const rows = Array.isArray(snapshots) ? inTimeOrder(snapshots, timeOfSnapshot) : snapshots;
  yield* readEndedTrips(rows, reader);
  yield* reader.finish(null);
  for (const warning of reader.warnings()) quietly(onWarning)(warning);
}

function timeOfSnapshot({ timestamp }: TripSnapshot): number | null {
  return timestampMs(timestamp);
}

/** Yields the trips that end with these snapshots. */
async function* readEndedTrips(
  snapshots: AsyncIterable<TripSnapshot> | Iterable<TripSnapshot>,
  reader: ActivityReader<Trip>,
): AsyncGenerator<Trip, void, undefined> {
  if (snapshots instanceof RowIterator) {
    for await (const rows of snapshots.batches()) yield* reader.takeAll(rows);
    return;
  }
  for await (const row of snapshots) {
    const ended = reader.take(row);
    if (ended.length > 0) yield* ended;
  }
}
