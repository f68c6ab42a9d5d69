// `fleet snapshots latest`: the newest snapshot of each vehicle, or of those named, once or for as long as somebody watches.
import type { Command } from 'commander';
import { joinTrees } from '../../../contract/selection/tree.js';
import type { CallOptions, FleetClient, Snapshot } from '../../../index.js';
import { liveStatus } from '../../../telemetry/live-status.js';
import { call, type Selecting } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { CliError } from '../../errors/cli-error.js';
import { tolerate } from '../../errors/partial-result.js';
import { vehicleKind } from '../../find/kinds.js';
import { eachIn } from '../../find/record.js';
import { looksLikeId } from '../../parse/user-selector.js';
import { examples } from '../../run/command.js';
import { type Context, formatOf, note, printRows } from '../../run/context.js';
import { latestView } from '../../views/snapshot.js';
import { countsText } from '../../views/status.js';
import { wholeNumber } from '../../views/words.js';
import { addWatchFlags, type WatchFlags, watchPause } from '../../watch/flags.js';
import { type Watched, watch, watchFormat } from '../../watch/watch.js';
import { snapshotShape } from './slim.js';

export function defineLatest(noun: Command, open: () => Context): void {
  const latest = noun
    .command('latest')
    .description('show the newest snapshot of vehicles (getLatestSnapshots; names and all vehicles: getVehicles)')
    .argument('[vehicle...]', 'ids, or names, plates or VINs, or parts of them; all vehicles when left out');
  addWatchFlags(latest)
    .addHelpText(
      'after',
      examples(
        ['fleet snapshots latest', 'of every vehicle'],
        ['fleet snapshots latest "Truck 07" "Van 02" -o json', 'every field, as an array'],
        ['fleet snapshots latest --watch', 'redrawn in place; in a pipe a line of JSON per change'],
        [
          'fleet snapshots latest --fields vehicleId,timestamp,gps.speed --watch',
          'in a pipe: only when one of these changes',
        ],
      ),
    )
    .action((vehicles: readonly string[], flags: WatchFlags) => run(open(), vehicles, flags));
}

async function run(context: Context, said: readonly string[], flags: WatchFlags): Promise<void> {
  const pause = watchPause(flags);
  const format = pause === null ? formatOf(context) : watchFormat(context);
  const names = new Map<string, string>();
  const view = latestView((vehicleId) => names.get(vehicleId) ?? '');
  const shapeOn = (place: Context) => snapshotShape(place, view, 'getLatestSnapshots', format);
  const shape = shapeOn(context);
  const client = await connect(context);
  const which = vehiclesMeant(context, client, said, { names, isNaming: format === 'table' });
  const ask = async (options: CallOptions): Promise<Answer> => {
    const ids = await which(options);
    return { ids, snapshots: await newest(context, client, ids, { ...shape.options, ...options }) };
  };
  if (pause !== null) {
    const watched: Watched<Answer, Snapshot> = {
      title: ['fleet snapshots latest', ...said].join(' '),
      ask,
      rows: ({ snapshots }) => snapshots,
      shape: shapeOn,
      key: ({ vehicleId }) => vehicleId ?? '',
      name: ({ vehicleId }) => names.get(vehicleId ?? '') ?? vehicleId ?? '',
      empty: nothing,
      summary: (rows, at) => countsText(rows.map((row) => ({ status: liveStatus(row, { now: at }) }))),
      missing: (answer) => missingText(answer, names),
    };
    return watch(context, pause, watched);
  }
  const answer = await ask({});
  await printRows(context, shape.rows(answer.snapshots), shape.view, nothing);
  const missing = missingText(answer, names);
  // Who names a vehicle wants to know why nothing is said of it; of a whole fleet only people do.
  if (missing !== null && (said.length > 0 || context.io.stdout.isTTY)) note(context, missing);
}

const nothing = 'There is no snapshot to show.';

interface Answer {
  readonly ids: readonly string[];
  readonly snapshots: readonly Snapshot[];
}

/**
 * Finds out which vehicles are meant. All there are is another answer each time; those named are looked up once. `names` is
 * filled on the way.
 */
function vehiclesMeant(
  context: Context,
  client: FleetClient,
  said: readonly string[],
  { names, isNaming }: { readonly names: Map<string, string>; readonly isNaming: boolean },
): (options: CallOptions) => Promise<readonly string[]> {
  const wanted = said.map((one) => one.trim());
  let known: readonly string[] | null =
    !isNaming && wanted.length > 0 && wanted.every(looksLikeId) ? unique(wanted) : null;
  return async (options) => {
    if (known !== null) return known;
    const select = vehicleKind.identity;
    const vehicles = await tolerate(context, (tolerant) =>
      call(client, 'getVehicles', {}, { ...tolerant, ...options, select }),
    );
    for (const { id, name } of vehicles) if (id && name) names.set(id, name);
    if (wanted.length === 0) return unique(vehicles.flatMap(({ id }) => id ?? []));
    known = unique(eachIn(vehicleKind, vehicles, wanted, true).map(idOrThrow));
    return known;
  };
}

function idOrThrow(found: string | CliError): string {
  if (found instanceof CliError) throw found;
  return found;
}

/** In the order of the ids, which is that of the vehicles. */
async function newest(
  context: Context,
  client: FleetClient,
  ids: readonly string[],
  { select, ...options }: Selecting,
): Promise<readonly Snapshot[]> {
  if (ids.length === 0) return [];
  const whole = select === undefined ? {} : { select: joinTrees(select, { vehicleId: true, timestamp: true }) };
  const snapshots = await tolerate(context, (tolerant) =>
    call(client, 'getLatestSnapshots', { vehicleIds: [...ids] }, { ...tolerant, ...options, ...whole }),
  );
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ vehicleId }: Snapshot) => places.get(vehicleId ?? '') ?? ids.length;
  return [...snapshots].sort((a, b) => placeOf(a) - placeOf(b));
}

/** More than this is a number, not a list. */
const namedAtMost = 5;

function missingText({ ids, snapshots }: Answer, names: ReadonlyMap<string, string>): string | null {
  const seen = new Set(snapshots.map(({ vehicleId }) => vehicleId));
  const missing = ids.filter((id) => !seen.has(id)).map((id) => names.get(id) ?? id);
  if (missing.length === 0) return null;
  const others = missing.length - namedAtMost;
  const rest = others > 0 ? ` and ${wholeNumber(others)} more` : '';
  return `No data from ${missing.slice(0, namedAtMost).join(', ')}${rest}.`;
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
