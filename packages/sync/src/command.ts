// Defines `fleet sync`, which keeps a copy of the fleet in a database.

import { appendFileSync } from 'node:fs';
import type { FleetClient } from 'fleet-telematics';
import { durationText } from 'fleet-telematics/kit';
import {
  CliError,
  type Command,
  type Context,
  connect,
  type DefineCommand,
  duration,
  every,
  examples,
  findIds,
  groupKind,
  InvalidArgumentError,
  knownServiceNow,
  listShape,
  note,
  Option,
  outageText,
  pollUntilInterrupted,
  printRows,
  progressOn,
  type ReportingRun,
  readTime,
  recoveryText,
  refusedFile,
  repeatable,
  resolveUser,
  timeHelp,
  vehicleKind,
  write,
} from 'fleet-telematics/kit/command';
import { plannedParts, plannedPartView, type SyncJob, syncRows, tableReportView } from './command/run-sync.js';
import { type FileFormat, formats, isInUse, targetFormatOf, targetOf } from './command/target.js';
import type { SyncChange, SyncOptions, SyncPart } from './index.js';
import { MIN_KEEP_MS, MIN_LATE_MS } from './options.js';
import { defaultParts } from './parts.js';

interface SyncFlags {
  readonly trips?: true;
  readonly stops?: true;
  readonly snapshots?: true;
  readonly only?: readonly string[];
  readonly since?: string;
  readonly late?: number;
  readonly speedLimit?: number;
  readonly columns?: readonly string[];
  readonly keep?: number;
  readonly vehicles?: readonly string[];
  readonly group?: readonly string[];
  readonly users?: readonly string[];
  readonly adopt?: true;
  readonly allowDeletions?: true;
  readonly watch?: number;
  readonly changes?: string;
  readonly history?: true;
  readonly dryRun?: true;
  readonly schema?: true;
  readonly format?: FileFormat;
  readonly grants?: readonly string[];
}

export const define: DefineCommand = (noun, open) => {
  addFlags(noun)
    .argument(
      '<target>',
      'a path such as fleet.db (SQLite) or copy/ (with --format parquet), or an address such as postgres://user@host/database',
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet sync fleet.db', 'records, trips and the newest snapshots'],
        ['fleet sync fleet.db --snapshots --since -2h', 'all snapshots of two hours in place of the trips'],
        ['fleet sync fleet.db --snapshots --columns positions', 'less than half of the size of all columns'],
        ['fleet sync fleet.db --keep 90d', 'delete trips and snapshots that are older'],
        ['fleet sync fleet.db --only vehicles,people', ''],
        ['fleet sync fleet.db --watch 60s', 'keep it current until Ctrl-C'],
        ['fleet sync fleet.db --changes changes.ndjson', 'note who and what was added, changed or removed'],
        ['fleet sync fleet.db --history', 'keep what vehicles, people and groups were before'],
        ['fleet sync fleet.db --dry-run', 'what it would read'],
        ['fleet sync copy/ --format parquet', 'a folder of Parquet files, for DuckDB and pandas'],
        ['fleet sync postgres://localhost/fleet --grants analyst', 'a copy that the role analyst can read'],
        ['fleet sync --schema postgres://localhost/fleet', 'the tables, as SQL'],
      )}

- A sync can be interrupted at any time. The next one continues.
- Exit code 6: a part or a vehicle could not be read. The next sync reads it.
- Exit code 6 also means a record that could not be stored whole, or so many missing records that
  none was marked as deleted.
- docs/sync.md in the repository describes the tables.${timeHelp}`,
    )
    .action((target: string, flags: SyncFlags) => run(open({ isEndless: flags.watch !== undefined }), target, flags));
};

function addFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--format <format>',
        'what the path is: a SQLite file, or a folder of Parquet files (default: what is there, else sqlite)',
      ).choices(formats),
    )
    .option('--stops', 'copy the stops too: where vehicles stood for five minutes or more')
    .option('--trips', 'copy the trips: the default; with --snapshots, give it to copy both')
    .option('--snapshots', 'copy all snapshots of the period')
    .option(
      '--only <parts>',
      'copy only these parts, comma-separated: vehicles, people, groups, geofences, labels, roles, rules, schedules, vehicle-types, meta-sensors, devices, mapped-sensors, assignments, latest, trips, stops, snapshots',
      names,
    )
    .option('--since <time>', 'start of trips, stops and snapshots that the copy does not have yet (default: -7d)')
    .option(
      '--late <duration>',
      'find snapshots that arrive this late: look for them four times in this time; at least 10m (default: 2h)',
      late,
    )
    .option(
      '--columns <names>',
      'fill only these columns of snapshots, comma-separated: positions, all, or names; the copy remembers them (default: all)',
      names,
    )
    .option(
      '--keep <duration>',
      'delete trips, stops and snapshots that are older than this, such as 90d, by whole days; at least 1d (default: nothing)',
      keep,
    )
    .option('--speed-limit <km/h>', 'what counts as speeding on a trip (default: 90)', kilometresPerHour)
    .option(
      '--vehicles <names>',
      'assignments, trips, stops and snapshots of these vehicles only, comma-separated; repeat for more',
      list,
    )
    .option(
      '--group <group>',
      'the same for the vehicles of this group and of those below it; repeat for more',
      repeatable,
    )
    .option(
      '--users <users>',
      'more users of the login, comma-separated, who read trips, stops and snapshots side by side; repeat for more',
      list,
    )
    .option('--adopt', 'continue a copy of another user or service; what this fleet does not have is marked as deleted')
    .option('--allow-deletions', 'mark records as deleted even if more than 30 % of a table are missing at once')
    .option('--watch <pause>', 'keep running: sync again after this pause, such as 60s', every)
    .option(
      '--changes <file>',
      'append each change of a record to this file, as a line of JSON; the table changes has them too',
    )
    .option(
      '--history',
      'from now on keep versions of records, such as the groups of each vehicle; later syncs of the copy go on with it',
    )
    .option('--grants <role>', 'PostgreSQL: let this role read the copy; repeat for more', repeatable)
    .option('--dry-run', 'print what would be read; write nothing')
    .option('--schema', 'print the tables and views as SQL; connect to nothing');
}

async function run(context: Context, address: string, flags: SyncFlags): Promise<void> {
  const sdk = await import('./index.js');
  const progress = progressOn(context);
  const format = targetFormatOf(address, flags.format);
  const target = targetOf(sdk, address, format, {
    onNotice(text) {
      progress.clear();
      note(context, `! ${text}`);
    },
    signal: context.io.signal,
    grants: flags.grants,
  });
  if (flags.schema) {
    if (format !== 'parquet') return write(context.io.stdout, sdk.targetSchema(format));
    throw new CliError('USAGE', '--schema prints SQL, and Parquet files have their columns and types in them.', {
      undone: 'read',
      hint: "Ask a file for them, for example in DuckDB: DESCRIBE FROM 'copy/vehicles.parquet'.",
    });
  }
  const parts = partsOf(flags, sdk.syncParts);
  if (flags.since !== undefined) readTime(context, flags.since, '--since');
  const job = async (): Promise<SyncJob> => {
    const fleet = await connect(context);
    return { sdk, fleet, target, progress, options: await optionsOf(context, fleet, parts, flags) };
  };
  // The shape refuses unsuitable flags before anything is sent.
  if (flags.dryRun) {
    const { rows, view } = listShape(context, plannedPartView, 'view');
    return printRows(context, rows(plannedParts(context, await job())), view, '');
  }
  const { rows, view } = listShape(context, tableReportView, 'view');
  const onChange = flags.changes === undefined ? undefined : changeFile(flags.changes);
  const planned = await job();
  const jobWithChanges = { ...planned, options: { ...planned.options, onChange } };
  const { quiet, output, jq } = context.globals;
  // --quiet prints only a requested format, so that cron does not send an empty mail each night.
  const isSilent = quiet === true && output === undefined && jq === undefined;
  const syncOnce = () =>
    isSilent
      ? finish(syncRows(context, jobWithChanges))
      : printRows(context, rows(syncRows(context, jobWithChanges)), view, 'Nothing was read.');
  if (flags.watch === undefined) return syncOnce();
  const { watch: pauseMs } = flags;
  const complete = warnOncePerReason(context, syncOnce);
  const round = async () => {
    try {
      await complete();
    } catch (error) {
      if (!isInUse(error)) throw error;
      note(context, `! ${error.message} Trying again in ${durationText(pauseMs)}.`);
    }
  };
  for await (const event of pollUntilInterrupted(context, pauseMs, round)) {
    if (event.kind === 'outage') note(context, outageText(event, context.zone.name));
    else if (event.outageMs !== null) note(context, recoveryText(event.outageMs));
    if (event.kind === 'answer') for (const warning of event.warnings) note(context, `! ${warning}`);
  }
}

/**
 * Returns a function that appends changes to the file of `--changes`, one line of JSON each. Checks
 * before anything is sent that the file can be written. A new file is readable by its owner alone,
 * because changes contain personal data.
 */
function changeFile(path: string): (change: SyncChange) => void {
  const append = (text: string) => {
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch (error) {
      throw refusedFile('file of --changes', 'written', error);
    }
  };
  append('');
  return ({ changedAt, type, table, id, ...rest }) =>
    append(`${JSON.stringify({ changedAt, type, table, id, ...rest })}\n`);
}

async function finish(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

/** Warns when a round is incomplete for another reason than the round before; --watch goes on. */
function warnOncePerReason(run: ReportingRun, round: () => Promise<void>): () => Promise<void> {
  let lastWarning = '';
  return async () => {
    try {
      await round();
      lastWarning = '';
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'INCOMPLETE_STREAM') throw error;
      const text = [error.message, ...error.details].join(' ');
      if (text !== lastWarning) run.report.warn(text);
      lastWarning = text;
    }
  };
}

async function optionsOf(
  context: Context,
  fleet: FleetClient,
  parts: readonly SyncPart[],
  {
    since,
    late,
    speedLimit,
    columns,
    keep: keepMs,
    vehicles,
    group,
    users = [],
    adopt,
    allowDeletions,
    history,
  }: SyncFlags,
): Promise<SyncOptions> {
  const begin = since === undefined ? null : readTime(context, since, '--since');
  const vehicleIds = vehicles && (await findIds(context, fleet, vehicleKind, vehicles));
  const groupIds = group && (await findIds(context, fleet, groupKind, group));
  return {
    parts,
    lateMs: late,
    speedLimitKmh: speedLimit,
    columns,
    keepMs,
    adopt,
    allowDeletions,
    history,
    vehicleIds,
    groupIds,
    users: await Promise.all(users.map((user) => resolveUser(user, fleet))),
    since: begin === null ? undefined : new Date(begin.at(await knownServiceNow(context, fleet))),
  };
}

function partsOf({ trips, stops, snapshots, only }: SyncFlags, allParts: readonly SyncPart[]): readonly SyncPart[] {
  const requestedParts = new Set<string>(only ?? defaultParts.filter((part) => part !== 'trips'));
  if (trips || (!snapshots && only === undefined)) requestedParts.add('trips');
  if (stops) requestedParts.add('stops');
  if (snapshots) requestedParts.add('snapshots');
  const unknown = [...requestedParts].find((name) => !allParts.some((part) => part === name));
  if (unknown === undefined) return allParts.filter((part) => requestedParts.has(part));
  throw new CliError('USAGE', `--only "${unknown}" is not a part of a fleet.`, {
    undone: 'read',
    hint: `The parts are ${allParts.join(', ')}.`,
  });
}

function list(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), ...names(text)];
}

function names(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function kilometresPerHour(text: string): number {
  const limit = Number(text);
  if (text.trim() !== '' && limit >= 0) return limit;
  throw new InvalidArgumentError('It is a number of kilometres per hour, such as 90.');
}

function keep(text: string): number {
  const ms = duration(text);
  if (ms >= MIN_KEEP_MS) return ms;
  throw new InvalidArgumentError('The minimum is 1d; write 90d for 90 days.');
}

function late(text: string): number {
  const ms = duration(text);
  if (ms >= MIN_LATE_MS) return ms;
  throw new InvalidArgumentError('The minimum is 10m, so that trips that went on are found.');
}
