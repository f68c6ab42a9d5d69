// Shows the progress of a list of trips or stops while no rows are visible.
import type { Trip } from '../../../index.js';
import { type ServiceRun, serviceNow } from '../../context/context.js';
import { formatOf } from '../../context/print.js';
import { progressOn } from '../../context/progress.js';
import { ReadShare } from '../../context/read-share.js';
import type { PeriodSpan } from '../../parse/time.js';
import { localDate } from '../../time/format-time.js';

interface TripProgress {
  take(trip: Pick<Trip, 'vehicleId' | 'lastSeenAt'>): void;
  /** Marks a vehicle as read, or failed, up to this moment. */
  reach(vehicleId: string, moment: number): void;
  clear(): void;
}

/** `vehicles`: number of vehicles in the list; omitted for one. */
export function tripProgress(
  run: ServiceRun,
  { from, end }: PeriodSpan,
  noun: 'trip' | 'stop',
  vehicles?: number,
): TripProgress {
  const progress = run.io.stdout.isTTY === true && !formatOf(run).forPeople ? null : progressOn(run);
  const share = new ReadShare({ from, to: Math.min(end, serviceNow(run)), vehicles: vehicles ?? 1 });
  const seen = new Set<string>();
  let count = 0;
  if (vehicles !== undefined) progress?.show(`reading ${vehicles} vehicles`);
  return {
    take({ vehicleId, lastSeenAt }) {
      count++;
      seen.add(vehicleId);
      const until = Date.parse(lastSeenAt);
      share.reach(vehicleId, until);
      const of = vehicles === undefined ? '' : ` of ${seen.size} of ${vehicles} vehicles`;
      progress?.show(
        `${count} ${count === 1 ? noun : `${noun}s`}${of}, until ${localDate(until, run.zone.name)}, ${share.text}`,
      );
    },
    reach: (vehicleId, moment) => share.reach(vehicleId, moment),
    clear: () => progress?.clear(),
  };
}

export async function* withProgress<Row extends Pick<Trip, 'vehicleId' | 'lastSeenAt'>>(
  progress: TripProgress,
  trips: AsyncIterable<Row>,
): AsyncGenerator<Row, void, undefined> {
  try {
    for await (const trip of trips) {
      progress.take(trip);
      yield trip;
    }
  } finally {
    progress.clear();
  }
}
