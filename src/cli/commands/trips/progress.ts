// Shows how far a list of trips is, while no rows are visible yet.
import type { Run } from '../../context/context.js';
import { formatOf } from '../../context/print.js';
import { progressOn } from '../../context/progress.js';
import { localDate } from '../../time/local-time.js';
import type { TripRow } from '../../views/trip.js';

/** `vehicles`: how many the trips may be of; not given for one. */
export async function* withProgress(
  run: Run,
  trips: AsyncIterable<TripRow>,
  vehicles?: number,
): AsyncGenerator<TripRow, void, undefined> {
  const progress = run.io.stdout.isTTY === true && !formatOf(run).forPeople ? null : progressOn(run);
  const seen = new Set<string>();
  let count = 0;
  if (vehicles !== undefined) progress?.show(`reading ${vehicles} vehicles`);
  try {
    for await (const trip of trips) {
      count++;
      seen.add(trip.vehicleId);
      const of = vehicles === undefined ? '' : ` of ${seen.size} of ${vehicles} vehicles`;
      progress?.show(
        `${count} ${count === 1 ? 'trip' : 'trips'}${of}, until ${localDate(Date.parse(trip.lastSeenAt), run.zone.name)}`,
      );
      yield trip;
    }
  } finally {
    progress?.clear();
  }
}
