// `fleet vehicles status`: what each vehicle is doing now, in one request, once or for as long as somebody watches.
import type { Command } from 'commander';
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { CallOptions, FleetClient, LiveStatusOptions, Person, Snapshot, Vehicle } from '../../../index.js';
import { liveStatus, offlineAfterMs, staleAfterMs } from '../../../telemetry/live-status.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { CliError } from '../../errors/cli-error.js';
import { tolerate } from '../../errors/partial-result.js';
import { fullName } from '../../find/kinds.js';
import { examples } from '../../run/command.js';
import { type Context, formatOf, note, printRows, serviceNow } from '../../run/context.js';
import { listShape } from '../../shape/list-shape.js';
import { countsText, type StatusRow, statusView } from '../../views/status.js';
import { addWatchFlags, duration, type WatchFlags, watchPause } from '../../watch/flags.js';
import { type Watched, watch, watchFormat } from '../../watch/watch.js';

interface StatusFlags extends WatchFlags {
  readonly active?: true;
  readonly stale?: number;
  readonly offline?: number;
}

export function defineStatus(noun: Command, open: () => Context): void {
  const status = noun
    .command('status')
    .description('show what each vehicle is doing now (getVehicles, getActiveVehicles; driver names: getPeople)')
    .option('--active', 'leave out deactivated vehicles')
    .option('--stale <duration>', 'no data for so long is stale (default: 90m)', duration)
    .option('--offline <duration>', 'no data for so long is offline (default: 6h)', duration);
  addWatchFlags(status)
    .addHelpText(
      'after',
      `${examples(
        ['fleet vehicles status', 'a table, and the counts'],
        ['fleet vehicles status --watch --every 10s', 'redrawn in place; Ctrl-C ends it'],
        ['fleet vehicles status --filter status=moving', 'those under way'],
        ['fleet vehicles status --stale 30m --offline 2d', 'other thresholds'],
        ['fleet vehicles status --watch --fields id,status', 'in a pipe: a line of JSON per change'],
      )}

Status:
  moving   2 km/h or more          stale    no data for 90 minutes
  idling   standing, engine on     offline  no data for 6 hours
  stopped  standing, engine off    unknown  no data, or none that tells`,
    )
    .action((flags: StatusFlags) => run(open(), flags));
}

/** A vehicle with as much of its last snapshot as is asked for. */
interface StatusVehicle extends Pick<Vehicle, 'id' | 'name' | 'licensePlate'> {
  readonly lastData?: Pick<Snapshot, 'timestamp' | 'gps' | 'ignition' | 'driver' | 'canBus'> | null;
}

/** What one request brings. */
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
  const ask = (options: CallOptions) => look(context, client, flags, options);
  const empty = 'No vehicle is visible to this user.';
  if (pause !== null) {
    const watched: Watched<Answer, StatusRow> = {
      title: 'fleet vehicles status',
      ask,
      rows: (answer, at) => rowsOf(answer, { ...thresholds, now: at }),
      shape: (on) => listShape(on, statusView, 'view'),
      key: ({ id }) => id ?? '',
      name: ({ name, id }) => name ?? id ?? '',
      empty,
      summary: countsText,
    };
    return watch(context, pause, watched);
  }
  const rows = rowsOf(await ask({}), { ...thresholds, now: serviceNow(context) });
  await printRows(context, shape.rows(rows), shape.view, empty);
  if (rows.length > 0 && formatOf(context) === 'table' && context.io.stdout.isTTY)
    note(context, `${countsText(rows)}.`);
}

function thresholdsOf({ stale, offline }: StatusFlags): LiveStatusOptions {
  const thresholds = { staleAfterMs: stale ?? staleAfterMs, offlineAfterMs: offline ?? offlineAfterMs };
  if (thresholds.staleAfterMs <= thresholds.offlineAfterMs) return thresholds;
  throw new CliError('USAGE', 'A vehicle would be offline before it is stale.', {
    hint: 'Give --offline a longer time than --stale; they are 6h and 90m when not said.',
  });
}

const ofVehicle: SelectionTree = {
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
const ofPerson: SelectionTree = { id: true, firstName: true, lastName: true };

/** Both lists are asked for at once, and so leave as one request. */
async function look(
  context: Context,
  client: FleetClient,
  { active }: StatusFlags,
  options: CallOptions,
): Promise<Answer> {
  const operation = active ? 'getActiveVehicles' : 'getVehicles';
  const vehicles = tolerate(context, (tolerant) =>
    call(client, operation, {}, { ...tolerant, ...options, select: ofVehicle }),
  );
  const people = wantsNames(context)
    ? tolerate(context, (tolerant) => call(client, 'getPeople', {}, { ...tolerant, ...options, select: ofPerson }))
    : Promise.resolve([]);
  // A user who may not see people sees the ids of the drivers.
  const [found, named] = await Promise.all([vehicles, people.catch(() => [])]);
  // The rows are what was selected, which has the driver that the default selection leaves out.
  return { vehicles: found as readonly StatusVehicle[], people: named };
}

/** Whether anything that is shown, filtered by or sorted by is the driver's name. */
function wantsNames({ globals: { fields, filter = [], sort } }: Context): boolean {
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
