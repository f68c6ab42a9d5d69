// `fleet vehicles status`: the live status of each vehicle, in one request, once or with --watch.
import type { Command } from 'commander';
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { CallOptions, FleetClient, LiveStatusOptions, Person, Snapshot, Vehicle } from '../../../index.js';
import { liveStatus, offlineAfterMs, staleAfterMs } from '../../../telemetry/live-status.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { type Context, note, serviceNow } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { listShape } from '../../shape/list-shape.js';
import { fullName } from '../../views/humanize.js';
import { countsText, type StatusRow, statusView } from '../../views/status.js';
import { addWatchFlags, duration, type WatchFlags, watchPause } from '../../watch/flags.js';
import { watch, watchFormat } from '../../watch/watch.js';
import type { WatchSource } from '../../watch/watch-source.js';

interface StatusFlags extends WatchFlags {
  readonly active?: true;
  readonly stale?: number;
  readonly offline?: number;
}

export function defineStatus(noun: Command, open: () => Context): void {
  const status = noun
    .command('status')
    .description('show the live status of each vehicle (getVehicles, getActiveVehicles; driver names: getPeople)')
    .option('--active', 'leave out deactivated vehicles')
    .option('--stale <duration>', 'stale after this long without data (default: 90m)', duration)
    .option('--offline <duration>', 'offline after this long without data (default: 6h)', duration);
  addWatchFlags(status)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles status', 'a table and the counts'],
        ['fleet vehicles status --watch --every 10s', 'redrawn in place; Ctrl-C to stop'],
        ['fleet vehicles status --filter status=moving', 'only moving vehicles'],
        ['fleet vehicles status --stale 30m --offline 2d', 'other thresholds'],
        ['fleet vehicles status --watch --fields id,status', 'in a pipe: a line of JSON per change'],
      )}

Status:
  moving   2 km/h or more          stale    no data for 90 minutes
  idling   standing, engine on     offline  no data for 6 hours
  stopped  standing, engine off    unknown  no usable data`,
    )
    .action((flags: StatusFlags) => run(open(), flags));
}

/** A vehicle with the requested part of its last snapshot. */
interface StatusVehicle extends Pick<Vehicle, 'id' | 'name' | 'licensePlate'> {
  readonly lastData?: Pick<Snapshot, 'timestamp' | 'gps' | 'ignition' | 'driver' | 'canBus'> | null;
}

/** The result of one request. */
interface Answer {
  readonly vehicles: readonly StatusVehicle[];
  readonly people: readonly Person[];
}

async function run(context: Context, flags: StatusFlags): Promise<void> {
  const thresholds = thresholdsOf(flags);
  const pause = watchPause(flags);
  if (pause !== null) watchFormat(context);
  const shape = listShape(context, statusView, 'view');
  const client = await connect(context);
  const request = (options: CallOptions) => requestStatus(context, client, flags, options);
  const emptyText = 'No vehicle is visible to this user.';
  if (pause !== null) {
    const source: WatchSource<Answer, StatusRow> = {
      title: 'fleet vehicles status',
      request,
      rows: (answer, now) => rowsOf(answer, { ...thresholds, now }),
      shape: (target) => listShape(target, statusView, 'view'),
      key: ({ id }) => id ?? '',
      name: ({ name, id }) => name ?? id ?? '',
      emptyText,
      summary: countsText,
    };
    return watch(context, pause, source);
  }
  const rows = rowsOf(await request({}), { ...thresholds, now: serviceNow(context) });
  await printRows(context, shape.rows(rows), shape.view, emptyText);
  if (rows.length > 0 && formatOf(context).forPeople && context.io.stdout.isTTY) note(context, `${countsText(rows)}.`);
}

function thresholdsOf({ stale, offline }: StatusFlags): LiveStatusOptions {
  const thresholds = { staleAfterMs: stale ?? staleAfterMs, offlineAfterMs: offline ?? offlineAfterMs };
  if (thresholds.staleAfterMs <= thresholds.offlineAfterMs) return thresholds;
  throw new CliError('USAGE', '--offline is shorter than --stale.', {
    hint: 'Give --offline a longer time than --stale; the defaults are 6h and 90m.',
  });
}

const vehicleSelection: SelectionTree = {
  id: true,
  name: true,
  licensePlate: true,
  lastData: {
    timestamp: true,
    gps: { latitude: true, longitude: true, direction: true, speed: true },
    ignition: { engineStatus: true },
    driver: { driverId: true },
    canBus: { canSpeed: true, canWheelSpeed: true },
  },
};
const personSelection: SelectionTree = { id: true, firstName: true, lastName: true };

/** The calls for vehicles and people are made at once, so they become one request. */
async function requestStatus(
  context: Context,
  client: FleetClient,
  { active }: StatusFlags,
  options: CallOptions,
): Promise<Answer> {
  const operation = active ? 'getActiveVehicles' : 'getVehicles';
  const vehicles = allowPartial(context, (partialOptions) =>
    call(client, operation, {}, { ...partialOptions, ...options, select: vehicleSelection }),
  );
  const people = needsDriverNames(context)
    ? allowPartial(context, (partialOptions) =>
        call(client, 'getPeople', {}, { ...partialOptions, ...options, select: personSelection }),
      )
    : Promise.resolve([]);
  // When the user may not see people, the rows have the ids of the drivers.
  const [found, knownPeople] = await Promise.all([vehicles, people.catch(() => [])]);
  // The static type is that of the default selection, without the driver that was selected here.
  return { vehicles: found as readonly StatusVehicle[], people: knownPeople };
}

/** Whether the driver's name is shown, filtered by or sorted by. */
function needsDriverNames({ globals: { fields, filter = [], sort } }: Context): boolean {
  if (fields === undefined) return true;
  return [fields, ...filter, sort ?? ''].some((text) => /\bdriver\b/.test(text));
}

function rowsOf({ vehicles, people }: Answer, options: LiveStatusOptions): readonly StatusRow[] {
  const names = new Map(people.map((person) => [person.id, fullName(person)]));
  return vehicles.map((vehicle) => rowOf(vehicle, names, options));
}

function rowOf(
  { id, name, licensePlate, lastData }: StatusVehicle,
  names: ReadonlyMap<string | null | undefined, string>,
  options: LiveStatusOptions,
): StatusRow {
  const driverId = lastData?.driver?.driverId ?? null;
  return {
    id: id ?? null,
    name: name ?? null,
    licensePlate: licensePlate ?? null,
    status: liveStatus(lastData, options),
    timestamp: lastData?.timestamp ?? null,
    speed: lastData?.gps?.speed ?? null,
    direction: lastData?.gps?.direction ?? null,
    latitude: lastData?.gps?.latitude ?? null,
    longitude: lastData?.gps?.longitude ?? null,
    engineStatus: lastData?.ignition?.engineStatus ?? null,
    driverId,
    driver: (driverId !== null && names.get(driverId)) || null,
  };
}
