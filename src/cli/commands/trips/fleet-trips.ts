// The trips of several vehicles, from one stream of all of them.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { FleetClient, TripOptions } from '../../../index.js';
import type { Context } from '../../context/context.js';
import { formatOf } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import type { ChosenVehicle } from '../../find/vehicles.js';
import { type PeriodSpan, timestamp } from '../../parse/time.js';
import { readDriversAndPlaces } from '../../places/drivers-and-places.js';
import type { TripRow } from '../../views/trip.js';
import { withWarning } from './beyond-period.js';
import { completeTrip, type TripNeeds } from './complete.js';
import { withProgress } from './progress.js';

export interface FleetTrips {
  readonly choose: (client: FleetClient, select?: SelectionTree) => Promise<readonly ChosenVehicle[]>;
  readonly needs: TripNeeds;
  readonly span: () => Promise<PeriodSpan>;
  readonly options: TripOptions & { readonly partial: boolean; readonly signal: AbortSignal };
  readonly clip: boolean;
}

/** The bounds for the service; those of clipped trips meet the next day's without a gap. */
export function boundsOf(
  { from, to, end }: Pick<PeriodSpan, 'from' | 'to' | 'end'>,
  clip: boolean,
): { readonly from: string; readonly to: string } {
  return { from: timestamp(from), to: timestamp(clip ? end : to) };
}

export interface TripRows {
  readonly rows: AsyncIterable<TripRow>;
  /** Call it when the rows have been printed. @throws CliError ABORTED when the user interrupted the reading. */
  readonly end: () => void;
}

/** Null when no vehicle is chosen. */
export async function fleetTrips(
  context: Context,
  client: FleetClient,
  { choose, needs: asked, span, options, clip }: FleetTrips,
): Promise<TripRows | null> {
  const needs = { ...asked, vehicle: context.globals.fields === undefined || asked.vehicle };
  // The lists become one request.
  const [vehicles, known] = await Promise.all([choose(client), readDriversAndPlaces(context, client, needs)]);
  if (vehicles.length === 0) return null;
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => nameById.get(id) ?? id;
  const period = await span();
  const failed = new FailedVehicles('getSnapshots', nameOf);
  const read = client.streamTrips(
    { vehicleIds: vehicles.map(({ id }) => id), ...boundsOf(period, clip) },
    { ...options, clip, onError: (error) => failed.addOfStream(error) },
  );
  const trips = clip ? read : withWarning(context, read, period);
  const seen = new Set<string>();
  let count = 0;
  let isInterrupted = false;
  async function* rows(): AsyncGenerator<TripRow, void, undefined> {
    try {
      for await (const trip of trips) {
        count++;
        seen.add(trip.vehicleId);
        yield completeTrip(trip, known, needs, nameOf);
      }
    } catch (error) {
      if (!context.io.signal.aborted) throw error;
      // What has been read is printed first.
      isInterrupted = true;
    }
  }
  const told = withProgress(context, rows(), vehicles.length);
  const isGrouped = formatOf(context).forPeople && context.globals.sort === undefined;
  return {
    rows: isGrouped ? grouped(told, vehicles) : told,
    end: () => {
      failed.report(context.report);
      if (!isInterrupted) return;
      throw new CliError('ABORTED', 'Interrupted.', {
        hint: `${count} trips of ${seen.size} of ${vehicles.length} vehicles had arrived and are printed; the rest is missing.`,
      });
    },
  };
}

/** A table is read from top to bottom: the vehicles in their order, each with its trips in the order of time. */
async function* grouped(
  trips: AsyncIterable<TripRow>,
  vehicles: readonly ChosenVehicle[],
): AsyncGenerator<TripRow, void, undefined> {
  const byVehicle = new Map<string, TripRow[]>();
  for await (const trip of trips) {
    const rows = byVehicle.get(trip.vehicleId);
    if (rows) rows.push(trip);
    else byVehicle.set(trip.vehicleId, [trip]);
  }
  for (const { id } of vehicles) {
    for (const trip of (byVehicle.get(id) ?? []).sort((a, b) => a.startedAt.localeCompare(b.startedAt))) yield trip;
  }
}
