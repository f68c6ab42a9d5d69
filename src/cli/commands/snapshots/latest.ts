// `fleet snapshots latest`: shows the latest snapshots of vehicles, once or with --watch.
import type { Command } from 'commander';
import { joinTrees } from '../../../contract/selection/tree.js';
import type { CallOptions, FleetClient, Snapshot } from '../../../index.js';
import { liveStatus } from '../../../telemetry/live-status.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call, type Selecting } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { type Context, note, type ReportingRun } from '../../context/context.js';
import { examples, type OpenContext } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { findEachIn, requireIds } from '../../find/choose-record.js';
import {
  addVehicleFlags,
  hasVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
  vehiclesArgument,
} from '../../find/vehicles.js';
import { addWatchFlags, namesWith, type WatchFlags, watchPause } from '../../live/flags.js';
import { deviceClocks } from '../../live/fleet-status.js';
import { watch, watchFormat } from '../../live/watch.js';
import type { WatchSource } from '../../live/watch-source.js';
import { traitsOf } from '../../output/formats.js';
import { looksLikeId } from '../../parse/user-selector.js';
import { type Places, positionIn } from '../../places/places.js';
import { noPlaces, readPlaces } from '../../places/read-places.js';
import { showsPlaces } from '../../places/shows-places.js';
import { vehicleKind } from '../../records/vehicle.js';
import { namesText } from '../../views/humanize.js';
import { fieldsOfPlace } from '../../views/place.js';
import { latestView, type SnapshotRow } from '../../views/snapshot.js';
import { countsText } from '../../views/status.js';
import { snapshotShape } from './snapshot-shape.js';

interface LatestFlags extends WatchFlags, VehicleFlags {}

export function defineLatest(noun: Command, open: OpenContext): void {
  const latest = noun
    .command('latest')
    .description('show the latest snapshot of vehicles (getLatestSnapshots; names and all vehicles: getVehicles)')
    .argument(...vehiclesArgument);
  addWatchFlags(addVehicleFlags(latest))
    .addHelpText(
      'after',
      examples(
        ['fleet snapshots latest', 'of every vehicle'],
        ['fleet snapshots latest "Truck 07" "Van 02" -o json', 'all fields, as an array'],
        ['fleet snapshots latest --vehicle-filter "name=Van*"', 'of the vehicles that pass the filter'],
        ['fleet snapshots latest --watch', 'redrawn in place; in a pipe a line of JSON per change'],
        [
          'fleet snapshots latest --fields vehicleId,timestamp,gps.speed --watch',
          'in a pipe: a line only when one of these changes',
        ],
      ),
    )
    .action((vehicles: readonly string[], flags: LatestFlags) =>
      run(open({ isEndless: flags.watch !== undefined }), namesWith(flags, vehicles), flags),
    );
}

async function run(context: Context, vehicles: readonly string[], flags: LatestFlags): Promise<void> {
  onlyVehicle(vehicles, flags);
  const pause = watchPause(flags);
  const traits = pause === null ? formatOf(context) : traitsOf(watchFormat(context));
  const names = new Map<string, string>();
  const view = latestView((vehicleId) => names.get(vehicleId) ?? '');
  const shapeFor = (target: Context) => snapshotShape(target, view, 'getLatestSnapshots', traits);
  const shape = shapeFor(context);
  const choose = hasVehicleFlags(flags) ? vehicleChoice(context, [], flags) : null;
  const client = await connect(context);
  const findIds =
    choose === null
      ? vehicleFinder(context, client, vehicles, { names, needsNames: traits.forPeople })
      : async (options: CallOptions) => {
          const chosen = await choose(client, {}, options);
          for (const { id, name } of chosen) names.set(id, name);
          return chosen.map(({ id }) => id);
        };
  const clocks = deviceClocks(context);
  const needsPlaces = showsPlaces(context);
  let places: Places | null = needsPlaces ? null : noPlaces;
  const request = async (options: CallOptions): Promise<Answer> => {
    // Merged into one request with the list of vehicles.
    const [ids, loadedPlaces] = await Promise.all([findIds(options), places ?? readPlaces(context, client, options)]);
    places = loadedPlaces;
    const snapshots = await latestSnapshots(context, client, ids, { ...shape.options, ...options });
    for (const row of snapshots) {
      const id = row.vehicleId ?? '';
      clocks.take('getLatestSnapshots', id, row, names.get(id) ?? id);
    }
    return { ids, snapshots: needsPlaces ? snapshots.map((row) => withPlace(row, loadedPlaces)) : snapshots };
  };
  if (pause !== null) {
    const source: WatchSource<Answer, SnapshotRow> = {
      title: ['fleet snapshots latest', ...vehicles].join(' '),
      request,
      rows: ({ snapshots }) => snapshots,
      shape: shapeFor,
      key: ({ vehicleId }) => vehicleId ?? '',
      name: ({ vehicleId }) => names.get(vehicleId ?? '') ?? vehicleId ?? '',
      emptyText,
      summary: (rows, now) => countsText(rows.map((row) => ({ status: liveStatus(row, { now }) }))),
      missing: (answer) => missingText(answer, names),
    };
    return watch(context, pause, source);
  }
  const answer = await request({});
  await printRows(context, shape.rows(answer.snapshots), shape.view, emptyText);
  const missing = missingText(answer, names);
  // Missing vehicles of the whole fleet are reported to people only.
  if (missing !== null && (vehicles.length > 0 || choose !== null || context.io.stdout.isTTY)) note(context, missing);
}

const emptyText = 'There is no snapshot to show.';

interface Answer {
  readonly ids: readonly string[];
  readonly snapshots: readonly SnapshotRow[];
}

function withPlace(row: Snapshot, places: Places): SnapshotRow {
  return { ...row, ...fieldsOfPlace(places.at(positionIn(row.gps))) };
}

/** Returns a function that finds the vehicle ids and fills `names`. Named vehicles are cached. */
function vehicleFinder(
  run: ReportingRun,
  client: FleetClient,
  vehicles: readonly string[],
  { names, needsNames }: { readonly names: Map<string, string>; readonly needsNames: boolean },
): (options: CallOptions) => Promise<readonly string[]> {
  const queries = vehicles.map((vehicle) => vehicle.trim());
  let ids: readonly string[] | null =
    !needsNames && queries.length > 0 && queries.every(looksLikeId) ? unique(queries) : null;
  return async (options) => {
    if (ids !== null) return ids;
    const select = vehicleKind.identity;
    const listed = await allowPartial(run, (partialOptions) =>
      call(client, 'getVehicles', {}, { ...partialOptions, ...options, select }),
    );
    for (const { id, name } of listed) if (id && name) names.set(id, name);
    if (queries.length === 0) return unique(listed.flatMap(({ id }) => id ?? []));
    ids = unique(requireIds(findEachIn(run, vehicleKind, listed, queries, true)));
    return ids;
  };
}

async function latestSnapshots(
  run: ReportingRun,
  client: FleetClient,
  ids: readonly string[],
  { select, ...options }: Selecting,
): Promise<readonly Snapshot[]> {
  if (ids.length === 0) return [];
  const selection = select === undefined ? {} : { select: joinTrees(select, { vehicleId: true, timestamp: true }) };
  const snapshots = await allowPartial(run, (partialOptions) =>
    call(client, 'getLatestSnapshots', { vehicleIds: [...ids] }, { ...partialOptions, ...options, ...selection }),
  );
  const order = new Map(ids.map((id, index) => [id, index]));
  const indexOf = ({ vehicleId }: Snapshot) => order.get(vehicleId ?? '') ?? ids.length;
  return [...snapshots].sort((a, b) => indexOf(a) - indexOf(b));
}

function missingText({ ids, snapshots }: Answer, names: ReadonlyMap<string, string>): string | null {
  const seen = new Set(snapshots.map(({ vehicleId }) => vehicleId));
  const missing = ids.filter((id) => !seen.has(id)).map((id) => names.get(id) ?? id);
  if (missing.length === 0) return null;
  return `No data from ${namesText(missing)}.`;
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
