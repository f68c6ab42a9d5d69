// Reads trips and tracks of vehicles in a period. Trips are read as in `fleet trips list --clip`.

import { type FleetClient, type FleetError, ProtocolError } from 'fleet-telematics';
import { despiteFailures, type TripWithDetails, type Warning } from 'fleet-telematics/kit';
import { type DaySnapshot, trackSelection } from '../day.js';
import type { MapProblem } from '../shapes.js';

export interface ReadDay {
  readonly trips: readonly TripWithDetails[];
  readonly rows: readonly DaySnapshot[];
  /** Data that is missing because snapshots have an unexpected form. */
  readonly notes: readonly MapProblem[];
  readonly error: FleetError | null;
  /** Start of the next read: the start of a trip in progress. */
  readonly until: number;
}

/** Times of `from` or later and before `end`. */
export interface DayPeriod {
  readonly from: number;
  readonly end: number;
}

export interface DaysOptions {
  readonly signal: AbortSignal;
  /** Receives warnings about trips, in place of the command's report. */
  readonly onWarning?: (warning: Warning) => void;
}

export async function readDays(
  client: FleetClient,
  vehicleIds: readonly string[],
  { from, end }: DayPeriod,
  { signal, onWarning }: DaysOptions,
): Promise<ReadonlyMap<string, ReadDay>> {
  const days = new Map(vehicleIds.map((id) => [id, new Reading(from)]));
  if (vehicleIds.length === 0) return days;
  const priority = 'normal' as const;
  const trips = client.streamTrips(
    { vehicleIds, from: new Date(from), to: new Date(end) },
    {
      clip: true,
      withDetails: true,
      signal,
      priority,
      ...(onWarning === undefined ? {} : { onWarning }),
      onEvent(event) {
        const day = days.get(event.vehicleId);
        if (event.type === 'error') day?.failTrips(event.error);
        if (event.type === 'complete') day?.complete(event.until);
      },
    },
  );
  const rows = client.streamSnapshots(
    { vehicleIds, from: new Date(from), to: new Date(end - 1) },
    {
      select: trackSelection,
      signal,
      priority,
      onEvent: (event) => event.type === 'error' && days.get(event.vehicleId)?.fail(event.error),
    },
  );
  await Promise.all([
    each(trips, (trip) => days.get(trip.vehicleId)?.trips.push(trip)),
    each(rows, (row) => days.get(row.vehicleId)?.rows.push(row)),
  ]);
  return days;
}

async function each<Item>(items: AsyncIterable<Item>, take: (item: Item) => void): Promise<void> {
  for await (const item of despiteFailures(items)) take(item);
}

class Reading implements ReadDay {
  readonly trips: TripWithDetails[] = [];
  readonly rows: DaySnapshot[] = [];
  readonly notes: MapProblem[] = [];
  error: FleetError | null = null;
  until: number;

  constructor(from: number) {
    this.until = from;
  }

  complete(until: string): void {
    this.until = Date.parse(until);
  }

  fail(error: FleetError): void {
    this.error ??= error;
  }

  /** Keeps the track when only the trips cannot be read. */
  failTrips(error: FleetError): void {
    if (!(error instanceof ProtocolError)) {
      this.fail(error);
      return;
    }
    const message = `The trips are missing. ${error.message}`;
    this.notes.push({ kind: 'tripsMissing', values: {}, details: [error.message], message, hint: null });
  }
}
