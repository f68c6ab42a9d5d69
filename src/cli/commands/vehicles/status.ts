// `fleet vehicles status`: shows the live status of each vehicle, once or with --watch.
import type { Command } from 'commander';
import { liveStatus, offlineAfterMs, staleAfterMs } from '../../../telemetry/live-status.js';
import { readFlag, readNumber } from '../../../telemetry/readings.js';
import { positionSelection } from '../../../telemetry/visits/past-positions.js';
import { Board } from '../../../telemetry/watch/board.js';
import { connect } from '../../connection/connect.js';
import { type Context, note, type Run, serviceNow } from '../../context/context.js';
import { examples, type OpenContext } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { addMemberFlags, hasMemberFlags, type MemberFlags } from '../../find/membership.js';
import { onlyVehicle, vehicleChoice, vehiclesArgument } from '../../find/vehicles.js';
import { addWatchFlags, duration, refuseWordOfWatch, type WatchFlags, watchPause } from '../../live/flags.js';
import { type StatusAnswer, statusRequest, statusRows } from '../../live/fleet-status.js';
import { watch, watchFormat } from '../../live/watch.js';
import type { WatchSource } from '../../live/watch-source.js';
import { pastMoment } from '../../parse/time.js';
import { addressHelp, addressReader } from '../../places/addresses.js';
import { noPlaces, readPlaces } from '../../places/read-places.js';
import { listShape } from '../../shape/list-shape.js';
import { localTime } from '../../time/format-time.js';
import { fieldsOfPlace } from '../../views/place.js';
import { countsText, pastStatusView, type StatusRow, statusView } from '../../views/status.js';
import { pastTime, positionsAt } from './past-positions.js';

interface StatusFlags extends WatchFlags, MemberFlags {
  readonly active?: true;
  readonly stale?: number;
  readonly offline?: number;
  readonly at?: string;
}

export function defineStatus(noun: Command, open: OpenContext): void {
  const status = noun
    .command('status')
    .description(
      'show the live status of each vehicle (getVehicles, getActiveVehicles; drivers: getDriverAssignments, getPeople; places: getGeofences; with --at: getSnapshots)',
    )
    .argument(...vehiclesArgument)
    .option('--active', 'leave out deactivated vehicles')
    .option('--stale <duration>', 'stale after this long without data (default: 90m)', duration)
    .option('--offline <duration>', 'offline after this long without data (default: 6h)', duration)
    .option('--at <time>', 'what they were doing at this time, such as "yesterday 09:00" or -2h (default: now)');
  addWatchFlags(addMemberFlags(status))
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles status', 'a table and the counts'],
        ['fleet vehicles status "Truck 07" "Van 02"', 'where two vehicles are'],
        ['fleet vehicles status "Truck 07" --at "yesterday 09:00"', 'where one was'],
        ['fleet vehicles status --watch --every 10s', 'redrawn in place; Ctrl-C to stop'],
        ['fleet vehicles status --group "Long haul" --watch', 'the vehicles of a group and of those below it'],
        ['fleet vehicles status --filter status=moving', 'only moving vehicles'],
        ['fleet vehicles status --stale 30m --offline 2d', 'other thresholds'],
        ['fleet vehicles status --watch --fields id,status', 'in a pipe: a line of JSON per change'],
      )}

Status:
  moving   2 km/h or more          stale    no data for 90 minutes
  idling   standing, engine on     offline  no data for 6 hours
  stopped  standing, engine off    unknown  no usable data

- SEEN is the age of the last snapshot. "in 400d" means that the clock of the device is ahead. Such
  a vehicle counts as just seen.
- DRIVER is the assigned driver. IDENTIFIED is the driver in the last snapshot, if another one.
- PLACE is the geofence of the vehicle, or the distance and direction from the nearest one.
- ${addressHelp}
- --sort status is in the order above. --sort -status begins with the vehicles in trouble.
- With --at, a vehicle is at its last position before that time. Drivers are not shown.`,
    )
    .action((names: readonly string[], flags: StatusFlags) =>
      run(open({ isEndless: flags.watch !== undefined }), names, flags),
    );
}

async function run(context: Context, names: readonly string[], flags: StatusFlags): Promise<void> {
  const thresholds = thresholdsOf(flags);
  refuseWordOfWatch(flags);
  onlyVehicle(names, flags);
  const pause = watchPause(flags);
  if (flags.at !== undefined) {
    if (pause === null) return listPast(context, names, flags, flags.at);
    throw refusal('--watch shows the present, and --at names another time.', { hint: 'Leave out one of them.' });
  }
  if (pause !== null) watchFormat(context);
  const shape = listShape(context, statusView, 'view');
  const client = await connect(context);
  const board = new Board({ ...thresholds, minMoveMetres: 0 });
  const request = statusRequest(
    context,
    client,
    {
      ...{ active: flags.active === true, members: flags, vehicles: names },
      ...{ ...statusNeeds(context), addresses: addressReader(context, client) },
    },
    board,
  );
  const emptyText =
    names.length > 0
      ? 'The named vehicles are deactivated: leave out --active.'
      : hasMemberFlags(flags)
        ? 'There is no such vehicle.'
        : 'No vehicle is visible to this user.';
  if (pause !== null) {
    const source: WatchSource<StatusAnswer, StatusRow> = {
      title: 'fleet vehicles status',
      request,
      rows: statusRows,
      shape: (target) => listShape(target, statusView, 'view'),
      key: ({ id }) => id ?? '',
      name: ({ name, id }) => name ?? id ?? '',
      emptyText,
      summary: countsText,
    };
    return watch(context, pause, source);
  }
  const rows = statusRows(await request({}), serviceNow(context));
  await printRows(context, shape.rows(rows), shape.view, emptyText);
  if (rows.length > 0 && formatOf(context).forPeople && context.io.stdout.isTTY) note(context, `${countsText(rows)}.`);
}

/** Lists the status at a time in the past, from the last position before it. */
async function listPast(context: Context, names: readonly string[], flags: StatusFlags, at: string): Promise<void> {
  const time = pastTime(context, at);
  const shape = listShape(context, pastStatusView, 'view');
  const choose = vehicleChoice(context, names, flags);
  const client = await connect(context);
  const [all, places] = await Promise.all([
    choose(client, { lastData: positionSelection, deactivated: true }),
    statusNeeds(context).places ? readPlaces(context, client) : noPlaces,
  ]);
  const vehicles = flags.active ? all.filter(({ row }) => row?.deactivated !== true) : all;
  const moment = await pastMoment(context, client, time, '--at');
  const { positions, failed, failedIds } = await positionsAt(context, client, vehicles, moment);
  const rows = vehicles.flatMap(({ id, row }): StatusRow | [] => {
    if (failedIds.has(id)) return [];
    const found = positions.get(id);
    const { timestamp = null, gps, ignition } = found?.row ?? {};
    return {
      id,
      name: row?.name ?? null,
      licensePlate: row?.licensePlate ?? null,
      timestamp,
      status: liveStatus(found?.row, { ...thresholdsOf(flags), now: moment }),
      speed: readNumber(gps?.speed) ?? null,
      latitude: found?.fix.latitude ?? null,
      longitude: found?.fix.longitude ?? null,
      engineStatus: readFlag(ignition?.engineStatus) ?? null,
      ...fieldsOfPlace(places.at(found?.fix ?? null)),
      deactivated: row?.deactivated === true,
    };
  });
  const when = localTime(moment, 'minute', { zone: context.zone.name, offset: null });
  await printRows(context, shape.rows(rows), shape.view, 'There is no such vehicle.');
  failed.report(context.report);
  if (rows.length > 0 && formatOf(context).forPeople) note(context, `This was the status at ${when}.`);
}

function thresholdsOf({ stale, offline }: StatusFlags) {
  const thresholds = { staleAfterMs: stale ?? staleAfterMs, offlineAfterMs: offline ?? offlineAfterMs };
  if (thresholds.staleAfterMs <= thresholds.offlineAfterMs) return thresholds;
  throw new CliError('USAGE', '--offline is shorter than --stale.', {
    hint: 'Give --offline a longer time than --stale; the defaults are 6h and 90m.',
  });
}

/** Returns the data needed by --fields, --filter and --sort. */
function statusNeeds({ globals: { fields, filter = [], sort } }: Run): {
  readonly names: boolean;
  readonly assignments: boolean;
  readonly places: boolean;
} {
  if (fields === undefined) return { names: true, assignments: true, places: true };
  const named = (pattern: RegExp) => [fields, ...filter, sort ?? ''].some((text) => pattern.test(text));
  return {
    names: named(/\b(driver|identifiedDriver)\b/),
    assignments: named(/\bdriver(Id)?\b/),
    places: named(/\bplace|\bnearestPlace/),
  };
}
