// `fleet reports`: lists the available reports and runs one.

import type { Command } from 'commander';
import { isObject } from '../../core/json.js';
import { didYouMean } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import type { FleetClient, WrappedReportInputs } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { type Context, note, type ReportingRun } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { NamedRows } from '../find/choose-record.js';
import { addVehicleFlags, type VehicleFlags, vehicleChoice } from '../find/vehicles.js';
import { loadObject } from '../input/load-input.js';
import { valueAt } from '../output/field-path.js';
import { isDocument } from '../output/formats.js';
import { repeatable } from '../parse/repeatable.js';
import { type PeriodFlags, periodHelp } from '../parse/time.js';
import { vehicleKind } from '../records/vehicle.js';
import { completeInputs, type ReportFlags } from '../reports/complete-inputs.js';
import { typedFlags } from '../reports/read-flags.js';
import { type ReportInput, reportInputs } from '../reports/report-inputs.js';
import { listShape } from '../shape/list-shape.js';
import { mapViewFor } from '../shape/map-view.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { periodText, type ShownPeriod } from '../time/period-text.js';
import {
  isByVehicle,
  type ReportInputRow,
  type ReportTable,
  reportInputView,
  reportTable,
  reportView,
  withAllVehicles,
} from '../views/report.js';

interface RunFlags extends PeriodFlags, VehicleFlags {
  readonly vehicle?: readonly string[];
  readonly input?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet reports list', 'the available reports and their inputs'],
      ['fleet reports run vehicle-trips --on yesterday -o csv > trips.csv', ''],
      ['fleet reports inputs vehicle-activity', 'the flags of a report'],
    ),
  );
  noun
    .command('list')
    .description('list the available reports (getWrappedReportInputs)')
    .addHelpText('after', examples(['fleet reports list', ''], ['fleet reports list -o json', 'with their inputs']))
    .action(() => list(open()));
  noun
    .command('inputs')
    .description('list the inputs of a report, and their flags (getWrappedReportInputs)')
    .argument('<report>', 'id or title')
    .addHelpText('after', examples(['fleet reports inputs vehicle-activity', '']))
    .action((report: string) => listInputs(open(), report, reservedBy(noun)));
  const command = noun
    .command('run')
    .description('run a report and show its rows (getWrappedReport); json and yaml print the complete answer')
    .argument('<report>', 'id or title')
    .argument(
      '[inputs...]',
      'other inputs as flags: --timezone Europe/Tallinn; `fleet reports inputs <report>` lists them',
    )
    .allowUnknownOption()
    .option('--from <time>', 'start of the period')
    .option('--to <time>', 'end of the period, exclusive: 2026-11 for all of October (default: now)')
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"')
    .option('--vehicle <vehicle>', 'only this vehicle: id, or name, plate or VIN; repeat for more', repeatable);
  addVehicleFlags(command).option(
    '--input <file>',
    'the inputs of the report as one JSON object (- for stdin); flags win',
  );
  command
    .addHelpText(
      'after',
      `${examples(
        ['fleet reports run vehicles', 'a report that needs no inputs'],
        ['fleet reports run vehicle-trips --on yesterday', ''],
        ['fleet reports run vehicle-distance --from -7d --vehicle "Truck 07" --vehicle "Van 01"', ''],
        ['fleet reports run vehicle-activity --on yesterday --working-hours-begin 07:00', ''],
        ['fleet reports run vehicle-trips --input trips.json --sort -distance --limit 10', ''],
      )}

- Each input that the service describes is a flag.
- Names of vehicles, groups, drivers, people and geofences are looked up.
- The default time zone of a report is that of your times.
- csv, tsv and tables show the first table of a report, and name its other parts.${periodHelp}`,
    )
    .action((report: string, words: readonly string[], flags: RunFlags) =>
      run(open(), report, words, flags, { reserved: reservedBy(noun), flagNames: flagsOf(command) }),
    );
};

interface CommandFlags {
  /** Names without dashes. */
  readonly reserved: ReadonlySet<string>;
  /** Names with dashes. */
  readonly flagNames: readonly string[];
}

/** Returns the flags of the command and the global flags, such as `--from` and `--no-color`. */
function flagsOf(command: Command): readonly string[] {
  const globals = command.parent?.parent?.options ?? [];
  return [...[...command.options, ...globals].flatMap(({ long }) => long ?? []), '--help'];
}

/** Returns the global flags, which no input of a report may use. */
function reservedBy(noun: Command): ReadonlySet<string> {
  const globals = (noun.parent?.options ?? []).flatMap(({ long }) => (long ? [long.replace(/^--(no-)?/, '')] : []));
  return new Set([...globals, 'input', 'help']);
}

async function list(context: Context): Promise<void> {
  const shape = listShape(context, reportView, operations.getWrappedReportInputs);
  const client = await connect(context);
  const reports = await allowPartial(context, (options) =>
    call(client, 'getWrappedReportInputs', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(reports), shape.view, 'No report is available to this user.');
}

async function listInputs(context: Context, name: string, reserved: ReadonlySet<string>): Promise<void> {
  const shape = listShape(context, reportInputView, 'view');
  const client = await connect(context);
  const { inputs } = await findReport(context, client, name);
  const rows = reportInputs(inputs, reserved).map(
    ({ flags: [flag], path, type, kind, list, required, default: preset, choices, description }): ReportInputRow => ({
      flag: flag === undefined ? null : `--${flag}`,
      path,
      type: `${kind ? `${kind.noun}, by id or name` : type}${list ? '; repeat for more' : ''}`,
      required,
      default: preset ?? null,
      choices,
      description,
    }),
  );
  await printRows(context, shape.rows(rows), shape.view, 'The report takes no inputs.');
}

async function run(
  context: Context,
  name: string,
  words: readonly string[],
  flags: RunFlags,
  { reserved, flagNames }: CommandFlags,
): Promise<void> {
  // Refuses map formats before anything is sent. Charts depend on the columns, checked later.
  if (!formatOf(context).chart) mapViewFor(context, { map: undefined });
  if (name.startsWith('-')) {
    throw refusal('The report comes first, and its inputs after it.', {
      hint: [
        didYouMean(name.replace(/=.*$/s, ''), flagNames),
        'For example `fleet reports run vehicle-trips --on yesterday`.',
      ]
        .filter(Boolean)
        .join(' '),
    });
  }
  const others = typedFlags(words);
  const base = flags.input === undefined ? {} : await loadObject(context, flags.input, 'A report takes one object.');
  const client = await connect(context);
  const { id, inputs: described } = await findReport(context, client, name);
  const inputs = reportInputs(described, reserved);
  const reportFlags = { base, period: flags, vehicles: flags, others, commandFlags: flagNames };
  await show(context, client, await reportAnswer(context, client, String(id), inputs, reportFlags));
}

interface RanReport {
  readonly answer: Answer;
  readonly expected: readonly unknown[] | null;
  /** Null for a report without a period. */
  readonly period: ShownPeriod | null;
}

async function reportAnswer(
  context: Context,
  client: FleetClient,
  id: string,
  inputs: readonly ReportInput[],
  reportFlags: ReportFlags,
): Promise<RanReport> {
  const completed = await completeInputs(context, client, id, inputs, reportFlags);
  const answer = await runReport(context, client, id, completed.inputs);
  return { answer, expected: expectedVehicles(inputs, completed.inputs), period: completed.period };
}

/** Returns the vehicle ids that a report covers: empty for all vehicles, null when unknown. */
function expectedVehicles(
  inputs: readonly ReportInput[],
  completed: Readonly<Record<string, unknown>>,
): readonly unknown[] | null {
  const vehicles = inputs.find(({ kind }) => kind === vehicleKind);
  const isOverTime = inputs.some(({ bound }) => bound !== null);
  // Another filter, such as a group, leaves the set of vehicles open.
  const isNarrowed = inputs.some(
    ({ kind, path }) => kind !== null && kind !== vehicleKind && isGiven(valueAt(completed, path)),
  );
  if (!vehicles || !isOverTime || isNarrowed) return null;
  const ids = valueAt(completed, vehicles.path);
  return Array.isArray(ids) ? ids : isGiven(ids) ? [ids] : [];
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Finds a report by id or title, case-insensitive; dashes match spaces. */
async function findReport(run: ReportingRun, client: FleetClient, name: string): Promise<WrappedReportInputs> {
  const reports = await allowPartial(run, (options) => call(client, 'getWrappedReportInputs', {}, options));
  const matches = new NamedRows(named, reports).matches(name.trim());
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('AMBIGUOUS_NAME', `"${name}" matches ${matches.length} reports.`, {
      choices: matches.map(({ id, title }) => ({ id, title })),
      hint: 'Give the id.',
    });
  }
  const names = reports.flatMap(({ id, title }) => [id, title]).filter((text) => typeof text === 'string');
  throw new CliError('NOT_FOUND', `There is no report "${name}".`, {
    hint: didYouMean(name, names) ?? '`fleet reports list` lists all of them.',
  });
}

const named = { texts: [{ noun: 'title', form: 'name', members: ['title'] }], ignoresSeparators: true } as const;

async function runReport(
  run: ReportingRun,
  client: FleetClient,
  reportId: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  try {
    return await allowPartial(run, (options) =>
      call(client, 'getWrappedReport', { input: { reportId, inputs } }, options),
    );
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'GRAPHQL')) throw error;
    throw new CliError(error.code, `The service could not run the report ${reportId}.`, {
      operation: 'getWrappedReport',
      details: error.details,
      hint: `\`fleet reports inputs ${reportId}\` shows its inputs.`,
      cause: error,
    });
  }
}

type Answer = Awaited<ReturnType<FleetClient['getWrappedReport']>>;

/** Prints the rows, or the whole answer as json or yaml unless a flag selects rows. */
async function show(context: Context, client: FleetClient, { answer, expected, period }: RanReport): Promise<void> {
  const { fields, filter = [], sort, limit } = context.globals;
  const isShaped = fields !== undefined || filter.length > 0 || sort !== undefined || limit !== undefined;
  const traits = formatOf(context);
  const table = reportTable(answer?.report);
  if (isTruncated(answer?.report)) {
    context.report.warn('The service left out rows because the report is too long. Request a shorter one.');
  }
  if (table && (isShaped || !isDocument(traits))) {
    const shape = listShape(context, table.view, 'view');
    if (table.others.length > 0) {
      context.report.remark(`The report also has ${table.others.join(' and ')}: -o json prints all of it.`);
    }
    const rows = await rowsOfReport(context, client, answer, table, expected);
    if (period === null) return printRows(context, shape.rows(rows), shape.view, 'The report has no rows.');
    const inPeriod = periodText(period, context.zone.name);
    if (traits.forPeople) context.report.remark(`Period: ${inPeriod.replace(/^on /, '')}.`);
    const view = { ...shape.view, period: inPeriod };
    return printRows(context, shape.rows(rows), view, 'The report has no rows.');
  }
  if (isShaped) {
    throw new CliError('USAGE', 'This report has no rows to select from.', {
      hint: 'Leave out --fields, --filter, --sort and --limit.',
    });
  }
  if (traits.forPeople) note(context, 'This report has no rows; use -o json to see all of it.');
  await printRecord(context, answer, viewOfFields({ columns: [], fields: [] }, ['reportId', 'report']));
}

/** Returns the rows, with zeros for the vehicles that a report by vehicle omits. */
async function rowsOfReport(
  context: Context,
  client: FleetClient,
  answer: Answer,
  table: ReportTable,
  expected: readonly unknown[] | null,
): Promise<ReportTable['rows']> {
  const isWhole = expected !== null && !isTruncated(answer?.report) && isByVehicle(table);
  const rows = isWhole ? withAllVehicles(table, await vehiclesOf(context, client, expected)) : table.rows;
  if (rows.length > table.rows.length) {
    const few = rows.length - table.rows.length;
    context.report.remark(`${few === 1 ? '1 vehicle is' : `${few} vehicles are`} not in the report and shown with 0.`);
  }
  return rows;
}

/** Returns the active vehicles with these ids, or all active vehicles when there are no ids. */
async function vehiclesOf(context: Context, client: FleetClient, ids: readonly unknown[]) {
  const vehicles = await vehicleChoice(context, [], {})(client);
  return ids.length === 0 ? vehicles : vehicles.filter(({ id }) => ids.includes(id));
}

function isTruncated(report: unknown): boolean {
  return isObject(report) && report.truncated === true;
}
