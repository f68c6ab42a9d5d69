// `fleet map --file`: writes the map of a period as one page that needs no server.
import { writeFileSync } from 'node:fs';
import type { FleetClient } from 'fleet-telematics';
import { Board, durationText, offlineAfterMs, staleAfterMs } from 'fleet-telematics/kit';
import type { PeriodSpan } from 'fleet-telematics/kit/command';
import {
  CliError,
  type Context,
  commandFailureOf,
  localTime,
  note,
  progressOn,
  type ReportingRun,
  type Run,
  refusedFile,
  serviceNow,
  statusRequest,
  statusRows,
  wholeNumber,
  write,
  zoneName,
} from 'fleet-telematics/kit/command';
import { mapDay, type PlaceNaming } from '../day.js';
import type { FileSetup, MapDay, MapTiles } from '../shapes.js';
import { type BaseMap, unusableArchive } from './base-map.js';
import { datesOf } from './dates.js';
import { mapVehicle, namingBy, type ReadChosenIds, readGeofences } from './fleet-reads.js';
import { notBuiltError } from './not-built.js';
import { type DayPeriod, type ReadDay, readDays } from './read-days.js';

/** Limits the snapshots that are in memory at once. */
const MAP_FILE_BATCH = 20;

/** Size in the file of a vehicle that reports every few seconds while driving. */
const BYTES_PER_VEHICLE_AND_DAY = 18_000;

/** Most mail servers refuse larger files. */
const LARGE_FILE_BYTES = 20_000_000;

export interface MapFileFlags {
  readonly file: string;
  readonly active: boolean;
  readonly tiles: MapTiles | null;
  readonly baseMap: BaseMap | null;
  readonly chosenIds: ReadChosenIds;
}

export async function mapToFile(
  context: Context,
  client: FleetClient,
  span: PeriodSpan,
  flags: MapFileFlags,
): Promise<void> {
  const zone = zoneName(context.zone);
  const board = new Board({ staleAfterMs, offlineAfterMs, minMoveMetres: 0 });
  const needs = { active: flags.active, names: true, assignments: false, places: true };
  const { signal } = context.io;
  const [answer, geofences, ids] = await Promise.all([
    statusRequest(context, client, needs, board)({ signal }),
    readGeofences(context, client),
    flags.chosenIds({ signal }),
  ]);
  if (ids?.size === 0) {
    throw new CliError('NOT_FOUND', 'No vehicle matches --group, --label and --vehicle-filter.', {
      undone: 'written',
      hint: '`fleet vehicles list` with --group, --label and --filter shows which vehicles there are.',
    });
  }
  const vehicles = statusRows(answer, serviceNow(context))
    .filter(({ id }) => ids === null || ids.has(id ?? ''))
    .map(mapVehicle);
  const vehicleIds = vehicles.map(({ id }) => id);
  const now = serviceNow(context);
  const period = { from: span.from, to: Math.min(span.to, now) };
  warnOfLargeFile(context, vehicleIds.length, period.to - period.from);
  const naming = namingBy(answer);
  const days = await daysOf(
    context,
    client,
    vehicleIds,
    { ...period, end: Math.max(period.from + 1, span.end) },
    naming,
  );
  const setup: FileSetup = {
    kind: 'file',
    title: 'Fleet map',
    zone,
    tiles: flags.tiles,
    streets: flags.baseMap?.streets ?? null,
    ...period,
    writtenAt: serviceNow(context),
    dates: datesOf(period, zone),
    vehicles,
    geofences,
    days,
  };
  const { mapFile } = await import('../map-file.js');
  const { UnusableArchiveError } = await import('../archive/read-archive.js');
  const html = await mapFile(setup, flags.baseMap?.file ?? null).catch((error) => {
    if (!(error instanceof UnusableArchiveError)) throw error;
    throw unusableArchive(flags.baseMap?.name ?? '', error.message, 'written');
  });
  if (html === null) throw notBuiltError();
  await save(context, flags.file, html);
  reportSavedMap(context, flags.file, setup, Buffer.byteLength(html));
}

function reportSavedMap(context: Context, file: string, { vehicles, days, from, to }: FileSetup, bytes: number): void {
  const nameOfVehicle = new Map(vehicles.map(({ id, name }) => [id, name]));
  reportUnreadSnapshots(context, days, (id) => nameOfVehicle.get(id) ?? id);
  const drove = days.filter(({ trips }) => trips.length > 0).length;
  const unknown = days.filter(({ trips, notes }) => trips.length === 0 && notes.length > 0).length;
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  const local = (moment: number) => localTime(moment, 'minute', { zone: context.zone.name, offset: null });
  const count = vehicles.length === 1 ? '1 vehicle' : `${wholeNumber(vehicles.length)} vehicles`;
  const target = file === '-' ? '' : ` to ${file}`;
  const driven = drivenText(vehicles.length, drove, unknown, `between ${local(from)} and ${local(to)}`);
  note(context, `The map of ${count} was saved${target} (${size}): ${driven}.`);
}

function drivenText(vehicles: number, drove: number, unknown: number, when: string): string {
  if (vehicles === 1) {
    return unknown === 1
      ? `it is unknown whether it drove ${when}`
      : `it ${drove === 1 ? 'drove' : 'did not drive'} ${when}`;
  }
  const unknownText = unknown === 0 ? '' : `; unknown for ${wholeNumber(unknown)}`;
  return `${wholeNumber(drove)} of them drove ${when}${unknownText}`;
}

/** Warns before the read, which takes minutes. */
function warnOfLargeFile(run: Run, vehicles: number, ms: number): void {
  const bytes = (vehicles * BYTES_PER_VEHICLE_AND_DAY * ms) / 86_400_000;
  if (bytes < LARGE_FILE_BYTES) return;
  const size = `${Math.round(bytes / 1_000_000)} MB`;
  note(
    run,
    `! The file will be large, up to about ${size}: ${wholeNumber(vehicles)} vehicles, ${durationText(ms)}. Most mail servers take 20 MB at most. For a smaller file name vehicles, or choose a shorter period.`,
  );
}

function reportUnreadSnapshots(
  run: ReportingRun,
  days: readonly MapDay[],
  nameOf: (vehicleId: string) => string,
): void {
  const missing = days.filter(({ notes }) => notes.length > 0);
  const names = missing.slice(0, NAMED_VEHICLES).map(({ vehicleId }) => nameOf(vehicleId));
  const others = missing.length > names.length ? `, and ${wholeNumber(missing.length - names.length)} more` : '';
  const [first] = missing.flatMap(({ notes }) => notes);
  if (first !== undefined) {
    const messages = [`The map is incomplete for ${names.join(', ')}${others}. ${first.message}`];
    run.report.partial({ operation: 'getSnapshots', messages });
  }
}

const NAMED_VEHICLES = 5;

async function daysOf(
  run: ReportingRun,
  client: FleetClient,
  ids: readonly string[],
  period: DayPeriod & { readonly to: number },
  naming: PlaceNaming,
): Promise<readonly MapDay[]> {
  const progress = progressOn(run);
  const days: MapDay[] = [];
  try {
    for (let begin = 0; begin < ids.length; begin += MAP_FILE_BATCH) {
      const batch = ids.slice(begin, begin + MAP_FILE_BATCH);
      progress.show(`vehicle ${begin + 1} of ${ids.length}, ${Math.floor((100 * begin) / ids.length)} %`);
      const read = await readDays(client, batch, period, { signal: run.io.signal });
      for (const [id, day] of read) {
        reportFailedDay(run, id, day);
        days.push(mapDay(id, period, { ...day, warnings: [], assigned: null }, naming));
      }
    }
  } finally {
    progress.clear();
  }
  return days;
}

function reportFailedDay(run: ReportingRun, vehicleId: string, { error }: ReadDay): void {
  if (error === null) return;
  const { message, details } = commandFailureOf(error, false);
  const messages = [`The day of vehicle ${vehicleId} is incomplete: ${message}`, ...details];
  run.report.partial({ operation: 'getSnapshots', messages });
}

async function save(run: Run, file: string, html: string): Promise<void> {
  if (file === '-') return write(run.io.stdout, html);
  try {
    writeFileSync(file, html);
  } catch (error) {
    throw refusedFile(`file ${file}`, 'written', error);
  }
}
