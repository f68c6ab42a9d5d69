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
import { completeTrip, type TripNeeds } from './complete.js';
import { tripProgress, withProgress } from './progress.js';

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
  readonly span: PeriodSpan;
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
  const seen = new Set<string>();
  let count = 0;
  let isInterrupted = false;
  const progress = tripProgress(context, period, vehicles.length);
  async function* read(some: readonly ChosenVehicle[]): AsyncGenerator<TripRow, void, undefined> {
    const trips = client.streamTrips(
      { vehicleIds: some.map(({ id }) => id), ...boundsOf(period, clip) },
      {
        ...options,
        clip,
        onError: (error) => {
          failed.addOfStream(error);
          progress.reach(error.vehicleId, period.end);
        },
        onComplete: (vehicleId) => progress.reach(vehicleId, period.end),
      },
    );
    try {
      for await (const trip of withProgress(progress, trips)) {
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
  const isGrouped = formatOf(context).forPeople && context.globals.sort === undefined;
  const atFirst = context.globals.limit === undefined ? vehicles.length : 1;
  return {
    span: period,
    rows: isGrouped ? grouped(vehicles, atFirst, read, () => isInterrupted) : read(vehicles),
    end: () => {
      failed.report(context.report);
      if (!isInterrupted) return;
      throw new CliError('ABORTED', 'Interrupted.', {
        hint: `${count} trips of ${seen.size} of ${vehicles.length} vehicles had arrived and are printed; the rest is missing.`,
      });
    },
  };
}

/**
 * A table is read from top to bottom: the vehicles in their order, each with its trips in the order of time. `atFirst`: how many vehicles are
 * read at first; twice as many follow each time that more rows are asked for.
 */
async function* grouped(
  vehicles: readonly ChosenVehicle[],
  atFirst: number,
  read: (some: readonly ChosenVehicle[]) => AsyncIterable<TripRow>,
  isOver: () => boolean,
): AsyncGenerator<TripRow, void, undefined> {
  let count = atFirst;
  for (let at = 0; at < vehicles.length && !isOver(); at += count, count *= 2) {
    const some = vehicles.slice(at, at + count);
    // The trips of one vehicle come in their order.
    if (some.length === 1) yield* read(some);
    else yield* inOrder(some, read(some));
  }
}

async function* inOrder(
  vehicles: readonly ChosenVehicle[],
  trips: AsyncIterable<TripRow>,
): AsyncGenerator<TripRow, void, undefined> {
  const byVehicle = new Map<string, TripRow[]>();
  for await (const trip of trips) {
    const own = byVehicle.get(trip.vehicleId);
    if (own) own.push(trip);
    else byVehicle.set(trip.vehicleId, [trip]);
  }
  for (const { id } of vehicles) {
    yield* (byVehicle.get(id) ?? []).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  }
}
