// `fleet trips`: lists the trips of a vehicle, computed from its snapshots.
import type { FleetClient, Trip, TripOptions } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRows } from '../context/print.js';
import { progressOn } from '../context/progress.js';
import { CliError } from '../errors/cli-error.js';
import { vehicleKind } from '../find/kinds.js';
import { findId } from '../find/record.js';
import { parseDuration } from '../parse/duration.js';
import { nowExpression, PeriodExpression, readTime, timeHelp, timestamp } from '../parse/time.js';
import { listShape } from '../shape/list-shape.js';
import { fullName } from '../views/humanize.js';
import { type TripRow, tripView } from '../views/trip.js';

interface TripFlags {
  readonly from?: string;
  readonly to?: string;
  readonly closeAfter?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet trips list "Truck 07" --from -7d', ''],
      ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
    ),
  );
  noun
    .command('list')
    .description('list the trips of a vehicle over a period, computed from its snapshots (getSnapshots)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a unique part of one')
    .option('--from <time>', 'begin of the period; a trip under way at that time is listed completely')
    .option('--to <time>', 'end of the period (default: now); a trip under way at that time is listed as open')
    .option('--close-after <duration>', 'end a trip when the ignition is off for this long (default: 2m)')
    .addHelpText(
      'after',
      `${examples(
        ['fleet trips list "Truck 07" --from -7d', ''],
        ['fleet trips list "Truck 07" --from -7d --filter "distanceKm>10" --sort -topSpeedKmh', ''],
        ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
        ['fleet trips list "Truck 07" --from -7d -o ndjson', 'one object per trip, with a stable id'],
      )}\n${timeHelp}`,
    )
    .action((vehicle: string, flags: TripFlags) => list(open(), vehicle, flags));
};

async function list(context: Context, vehicle: string, flags: TripFlags): Promise<void> {
  const period = periodOf(context, flags);
  const options = tripOptions(flags);
  const shape = listShape<TripRow>(context, tripView, 'view');
  const client = await connect(context);
  const vehicleId = await findId(context, client, vehicleKind, vehicle, { substring: true });
  const { from, to } = await period.span(context, client);
  const trips = client.streamTrips(
    { vehicleId, from: timestamp(from), to: timestamp(to) },
    { ...options, partial: true, signal: context.io.signal },
  );
  const rows = formatOf(context).forPeople ? withDrivers(context, client, trips) : trips;
  await printRows(context, shape.rows(withProgress(context, rows)), shape.view, 'There is no trip in this period.');
}

function periodOf(context: Context, flags: TripFlags): PeriodExpression {
  if (flags.from === undefined) {
    throw new CliError('USAGE', '--from is missing. Nothing was sent.', {
      hint: 'For example --from yesterday, or --from -7d.',
    });
  }
  const from = readTime(context, flags.from, '--from');
  const to = flags.to === undefined ? nowExpression : readTime(context, flags.to, '--to');
  const refusal = () =>
    new CliError('USAGE', '--from is after --to. No trips were requested.', { hint: 'Swap --from and --to.' });
  return new PeriodExpression(context, from, to, refusal);
}

function tripOptions({ closeAfter }: TripFlags): TripOptions {
  if (closeAfter === undefined) return {};
  const closeAfterMs = parseDuration(closeAfter, 's');
  if (closeAfterMs !== null) return { closeAfterMs };
  throw new CliError('USAGE', `--close-after "${closeAfter}" is not a duration. Nothing was sent.`, {
    hint: 'Write it as 90s, 2m or 1h.',
  });
}

/** Adds the drivers' names for people; programs get the ids from the snapshots. */
async function* withDrivers(
  context: Context,
  client: FleetClient,
  trips: AsyncIterable<Trip>,
): AsyncGenerator<TripRow, void, undefined> {
  let names: ReadonlyMap<string, string> | null = null;
  for await (const trip of trips) {
    if (trip.driverIds.length > 0) names ??= await driverNames(context, client);
    yield { ...trip, drivers: trip.driverIds.map((id) => names?.get(id) ?? id) };
  }
}

async function driverNames(context: Context, client: FleetClient): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, firstName: true, lastName: true } as const;
  const people = await allowPartial(context, (options) => call(client, 'getPeople', {}, { ...options, select }));
  return new Map(people.flatMap((person) => (person?.id && fullName(person) ? [[person.id, fullName(person)]] : [])));
}

/** Shows the progress while no rows are visible yet. */
async function* withProgress(
  context: Context,
  trips: AsyncIterable<TripRow>,
): AsyncGenerator<TripRow, void, undefined> {
  const progress = context.io.stdout.isTTY === true && !formatOf(context).forPeople ? null : progressOn(context);
  let count = 0;
  try {
    for await (const trip of trips) {
      progress?.show(`${++count} trips, until ${trip.lastSeenAt.slice(0, 10)}`);
      yield trip;
    }
  } finally {
    progress?.clear();
  }
}
