// `fleet map --file`: writes the map of a period as one page that needs no server.
import { writeFileSync } from 'node:fs';
import type { FleetClient } from '../../index.js';
import { type DaySnapshot, daySelection, mapDay } from '../../map/day.js';
import type { FileSetup, MapDay, MapTiles } from '../../map/shapes.js';
import { offlineAfterMs, staleAfterMs } from '../../telemetry/live-status.js';
import { Board } from '../../telemetry/watch/board.js';
import { type Context, note, type ReportingRun, type Run, serviceNow } from '../context/context.js';
import { progressOn } from '../context/progress.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import { refusedFile } from '../errors/unusable.js';
import { write } from '../io/io.js';
import { type Span, timestamp } from '../parse/time.js';
import { wholeNumber } from '../views/humanize.js';
import { statusRequest, statusRows } from '../watch/fleet-status.js';
import { datesOf, zoneName } from './dates.js';
import { mapVehicle, type NameOf, readGeofences } from './fleet-reads.js';
import { notBuilt } from './not-built.js';

/** `fleet map --file`: how many vehicles' snapshots are in memory at a time. */
const MAP_FILE_BATCH = 20;

export interface MapFileFlags {
  /** `-` for stdout. */
  readonly file: string;
  readonly active: boolean;
  readonly tiles: MapTiles | null;
  /** The vehicles to show; null for all. */
  readonly vehicleIds: ReadonlySet<string> | null;
}

export async function mapToFile(context: Context, client: FleetClient, span: Span, flags: MapFileFlags): Promise<void> {
  const zone = zoneName(context.zone);
  const board = new Board({ staleAfterMs, offlineAfterMs, minMoveMetres: 0 });
  const needs = { active: flags.active, names: true, assignments: false, places: false };
  const [answer, geofences] = await Promise.all([
    statusRequest(context, client, needs, board)({ signal: context.io.signal }),
    readGeofences(context, client),
  ]);
  const vehicles = statusRows(answer, serviceNow(context))
    .filter(({ id }) => flags.vehicleIds === null || flags.vehicleIds.has(id ?? ''))
    .map(mapVehicle);
  const nameOf: NameOf = (id) => answer.names.get(id) ?? id;
  const ids = vehicles.map(({ id }) => id);
  // What is in the future is not there yet.
  const period = { from: span.from, to: Math.max(span.from, Math.min(span.to, serviceNow(context))) };
  const days = await readDays(context, client, ids, period, nameOf);
  const setup: FileSetup = {
    kind: 'file',
    title: 'Fleet map',
    zone,
    tiles: flags.tiles,
    ...period,
    writtenAt: serviceNow(context),
    dates: datesOf(period, zone),
    vehicles,
    geofences,
    days,
  };
  const { mapFile } = await import('../../map/map-file.js');
  const html = mapFile(setup);
  if (html === null) throw notBuilt();
  await save(context, flags.file, html);
  const nameOfVehicle = new Map(vehicles.map(({ id, name }) => [id, name]));
  tellUnread(context, days, (id) => nameOfVehicle.get(id) ?? id);
  const drove = days.filter(({ trips }) => trips.length > 0).length;
  const unknown = days.filter(({ trips, notes }) => trips.length === 0 && notes.length > 0).length;
  const unknownText = unknown === 0 ? '' : `; of ${wholeNumber(unknown)} it is not known`;
  const size = `${(Buffer.byteLength(html) / 1_000_000).toFixed(1)} MB`;
  note(
    context,
    `The map of ${wholeNumber(vehicles.length)} vehicles was saved${flags.file === '-' ? '' : ` to ${flags.file}`} (${size}): ${wholeNumber(drove)} of them drove between ${timestamp(period.from)} and ${timestamp(period.to)}${unknownText}.`,
  );
}

/** Tells what could not be read of the snapshots: one line for all vehicles that miss something. */
function tellUnread(run: ReportingRun, days: readonly MapDay[], nameOf: NameOf): void {
  const missing = days.filter(({ notes }) => notes.length > 0);
  const names = missing.slice(0, NAMED_VEHICLES).map(({ vehicleId }) => nameOf(vehicleId));
  const others = missing.length > names.length ? `, and ${wholeNumber(missing.length - names.length)} more` : '';
  const [first] = missing.flatMap(({ notes }) => notes);
  if (first !== undefined) {
    const messages = [`The map is incomplete for ${names.join(', ')}${others}. ${first}`];
    run.report.partial({ operation: 'getSnapshots', messages, isNotFound: false });
  }
  for (const { vehicleId, warnings } of days) {
    for (const message of warnings) run.report.warn(`${nameOf(vehicleId)}: ${message}`);
  }
}

/** Vehicles that a message names. */
const NAMED_VEHICLES = 5;

/** Some vehicles at a time, so that only their snapshots are in memory. */
async function readDays(
  run: ReportingRun,
  client: FleetClient,
  ids: readonly string[],
  span: Span,
  nameOf: NameOf,
): Promise<readonly MapDay[]> {
  const progress = progressOn(run);
  const days: MapDay[] = [];
  try {
    for (let begin = 0; begin < ids.length; begin += MAP_FILE_BATCH) {
      const batch = ids.slice(begin, begin + MAP_FILE_BATCH);
      progress.show(`vehicle ${begin + 1} of ${ids.length}`);
      const rows = await readRows(run, client, batch, span);
      for (const id of batch) days.push(await mapDay(id, span, rows.get(id) ?? [], nameOf));
    }
  } finally {
    progress.clear();
  }
  return days;
}

async function readRows(
  run: ReportingRun,
  client: FleetClient,
  vehicleIds: readonly string[],
  { from, to }: Span,
): Promise<ReadonlyMap<string, readonly DaySnapshot[]>> {
  const rows = new Map<string, DaySnapshot[]>(vehicleIds.map((id) => [id, []]));
  const stream = client.streamSnapshots(
    { vehicleIds, from: new Date(from), to: new Date(to) },
    {
      select: daySelection,
      signal: run.io.signal,
      // The map has the others.
      onError: ({ vehicleId, error }) => {
        const { message, details } = commandFailureOf(error, false);
        const messages = [`The track of vehicle ${vehicleId} is incomplete: ${message}`, ...details];
        run.report.partial({ operation: 'getSnapshots', messages, isNotFound: false });
      },
    },
  );
  for await (const row of stream) rows.get(row.vehicleId)?.push(row);
  return rows;
}

async function save(run: Run, file: string, html: string): Promise<void> {
  if (file === '-') return write(run.io.stdout, html);
  try {
    writeFileSync(file, html);
  } catch (error) {
    throw refusedFile(`file ${file}`, 'written', error);
  }
}
