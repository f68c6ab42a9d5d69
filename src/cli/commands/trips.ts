// `fleet trips`: the drives of a vehicle, rebuilt from its snapshots.
import type { FleetClient, Trip, TripOptions } from '../../index.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import { fullName, vehicleKind } from '../find/kinds.js';
import { findId } from '../find/record.js';
import { progressOn } from '../output/progress.js';
import { parseDuration } from '../parse/duration.js';
import { readTime, SaidPeriod, saidNow, timeHelp, timestamp } from '../parse/time.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, formatOf, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
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
    .description('list the trips of a vehicle over a period, rebuilt from its snapshots (getSnapshots)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .option('--from <time>', 'begin of the period; a trip under way then is told whole')
    .option('--to <time>', 'end of the period (default: now); a trip under way then is told as open')
    .option('--close-after <duration>', 'ignition off for so long ends a trip (default: 2m)')
    .addHelpText(
      'after',
      `${examples(
        ['fleet trips list "Truck 07" --from -7d', ''],
        ['fleet trips list "Truck 07" --from -7d --filter "distanceKm>10" --sort -topSpeedKmh', ''],
        ['fleet trips list "Truck 07" --from -7d -o csv > trips.csv', ''],
        ['fleet trips list "Truck 07" --from -7d -o ndjson', 'one object per trip; the id is the same in every run'],
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
  const rows = formatOf(context) === 'table' ? withDrivers(context, client, trips) : trips;
  await printRows(context, shape.rows(watched(context, rows)), shape.view, 'No trip in this period.');
}

function periodOf(context: Context, flags: TripFlags): SaidPeriod {
  if (flags.from === undefined) {
    throw new CliError('USAGE', 'Say from when: --from is missing. Nothing was sent.', {
      hint: 'For example --from yesterday, or --from -7d.',
    });
  }
  const from = readTime(context, flags.from, '--from');
  const to = flags.to === undefined ? saidNow : readTime(context, flags.to, '--to');
  const refusal = () => new CliError('USAGE', '--from is after --to. No trips were asked for.', { hint: 'Swap them.' });
  return new SaidPeriod(context, from, to, refusal);
}

function tripOptions({ closeAfter }: TripFlags): TripOptions {
  if (closeAfter === undefined) return {};
  const closeAfterMs = parseDuration(closeAfter, 's');
  if (closeAfterMs !== null) return { closeAfterMs };
  throw new CliError('USAGE', `--close-after "${closeAfter}" is no duration. Nothing was sent.`, {
    hint: 'Write it as 90s, 2m or 1h.',
  });
}

/** People are shown names; programs the ids that the snapshots carry. */
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
  const people = await tolerate(context, (options) => call(client, 'getPeople', {}, { ...options, select }));
  return new Map(people.flatMap((person) => (person?.id && fullName(person) ? [[person.id, fullName(person)]] : [])));
}

/** Says how far it is while nothing can be printed yet. */
async function* watched(context: Context, trips: AsyncIterable<TripRow>): AsyncGenerator<TripRow, void, undefined> {
  const progress = context.io.stdout.isTTY === true && formatOf(context) !== 'table' ? null : progressOn(context);
  let count = 0;
  try {
    for await (const trip of trips) {
      progress?.say(`${++count} trips, until ${trip.lastSeenAt.slice(0, 10)}`);
      yield trip;
    }
  } finally {
    progress?.clear();
  }
}
