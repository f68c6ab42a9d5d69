// Completes the inputs of a report: times, names and defaults. Reports missing inputs.
import type { FleetClient } from '../../index.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { Context, Run, ServiceRun } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { findIds } from '../find/record.js';
import { type VehicleFlags, vehicleChoice } from '../find/vehicles.js';
import { putAt, valueAt } from '../output/field-path.js';
import {
  endsTooEarly,
  expandPeriodFlags,
  knownServiceNow,
  type PeriodFlags,
  readPeriodExpression,
  readTime,
  timestamp,
} from '../parse/time.js';
import { vehicleKind } from '../records/vehicle.js';
import type { ShownPeriod } from '../time/period-text.js';
import { type TypedFlag, valuesOf } from './read-flags.js';
import type { ReportInput } from './report-inputs.js';

export interface ReportFlags {
  readonly base: Readonly<Record<string, unknown>>;
  readonly period: PeriodFlags;
  /** From --vehicle, which may be repeated. */
  readonly vehicles: VehicleFlags & { readonly vehicle?: readonly string[] };
  readonly others: readonly TypedFlag[];
  /** Flags of the command, suggested for unknown ones. */
  readonly commandFlags: readonly string[];
}

interface CompletedInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The period of the report, if its inputs have one. */
  readonly period: ShownPeriod | null;
}

/** @throws CliError USAGE for unknown or missing inputs, NOT_FOUND or AMBIGUOUS_NAME for names */
export async function completeInputs(
  context: Context,
  client: FleetClient,
  report: string,
  inputs: readonly ReportInput[],
  { base, period, vehicles, others, commandFlags }: ReportFlags,
): Promise<CompletedInputs> {
  const bounds = { from: inputs.find(({ bound }) => bound === 'from'), to: inputs.find(({ bound }) => bound === 'to') };
  const hasPeriod = bounds.from !== undefined && bounds.to !== undefined;
  // If the report has an input for groups or labels, the flag sets that input.
  const takesGroups = inputs.some(({ flags }) => flags[0] === 'group');
  const takesLabels = inputs.some(({ flags }) => flags[0] === 'label');
  const vehicleInput = inputs.find(({ kind, flags }) => kind === vehicleKind && flags.includes('vehicle'));
  const flags = [
    ...others,
    ...(hasPeriod ? [] : asTyped(period)),
    ...(vehicleInput ? [] : listed('vehicle', vehicles.vehicle)),
    ...(takesGroups || !vehicleInput ? listed('group', vehicles.group) : []),
    ...(takesLabels || !vehicleInput ? listed('label', vehicles.label) : []),
    ...(vehicleInput ? [] : listed('vehicle-filter', vehicles.vehicleFilter)),
  ];
  const values = valuesOf(report, inputs, flags, commandFlags);
  const completed: Record<string, unknown> = { ...base };
  const span = await putPeriod(context, client, report, bounds, period, completed);
  for (const [input, texts] of values) {
    const read = await resolveValues(context, client, input, texts);
    putAt(completed, input.path, input.list ? read : read[0]);
  }
  if (vehicleInput) {
    const { vehicle = [], vehicleFilter } = vehicles;
    const group = takesGroups ? undefined : vehicles.group;
    const label = takesLabels ? undefined : vehicles.label;
    const chosen = await chosenVehicles(context, client, vehicle, {
      ...(group ? { group } : {}),
      ...(label ? { label } : {}),
      ...(vehicleFilter ? { vehicleFilter } : {}),
    });
    if (chosen) putVehicles(report, vehicleInput, chosen, completed);
  }
  // Inputs in JSON are complete as they are.
  if (Object.keys(base).length === 0) addTimeZone(context, inputs, completed);
  addDefaults(inputs, completed);
  const absent = inputs.filter(
    ({ path, required, default: preset }) => required && preset === undefined && valueAt(completed, path) === null,
  );
  if (absent.length > 0) throw missing(report, absent);
  return { inputs: completed, period: span ?? periodIn(completed, bounds) };
}

interface Bounds {
  readonly from: ReportInput | undefined;
  readonly to: ReportInput | undefined;
}

/** Sets the bounds of the period from its flags, and returns the period; null without a start. */
async function putPeriod(
  context: Context,
  client: FleetClient,
  report: string,
  { from: fromInput, to: toInput }: Bounds,
  flags: PeriodFlags,
  completed: Record<string, unknown>,
): Promise<ShownPeriod | null> {
  if (!fromInput || !toInput) return null;
  const typed = expandPeriodFlags(context, flags);
  if (typed.from === undefined) {
    if (typed.to === undefined) return null;
    if (valueAt(completed, fromInput.path) === null) throw missing(report, [fromInput]);
    putAt(completed, toInput.path, timestamp(await momentOf(context, client, typed.to, '--to')));
    return null;
  }
  const expression = readPeriodExpression(context, typed.from, typed.to, () => endsTooEarly(typed.to));
  const { from, to, ...whole } = await expression.span(context, client);
  putAt(completed, fromInput.path, timestamp(from));
  putAt(completed, toInput.path, timestamp(to));
  return { from, ...whole };
}

function putVehicles(
  report: string,
  { list, path }: ReportInput,
  chosen: readonly string[],
  completed: Record<string, unknown>,
): void {
  if (!list && chosen.length > 1) {
    throw refusal(`The report ${report} takes one vehicle.`, { hint: 'Give --vehicle once.' });
  }
  putAt(completed, path, list ? chosen : chosen[0]);
}

/** Returns the period of inputs from JSON, or from flags with the names of the report. */
function periodIn(completed: Readonly<Record<string, unknown>>, bounds: Bounds): ShownPeriod | null {
  const momentOfBound = (input: ReportInput | undefined): number | null => {
    const value = input === undefined ? null : valueAt(completed, input.path);
    return typeof value === 'string' || typeof value === 'number' ? timestampMs(value) : null;
  };
  const [from, end] = [momentOfBound(bounds.from), momentOfBound(bounds.to)];
  return from === null || end === null ? null : { from, end, isOfDays: false };
}

/** Returns the vehicle ids; null without flags. */
async function chosenVehicles(
  context: Context,
  client: FleetClient,
  names: readonly string[],
  flags: VehicleFlags,
): Promise<readonly string[] | null> {
  const hasFlags = Object.keys(flags).length > 0;
  if (names.length === 0 && !hasFlags) return null;
  if (names.length > 0 && hasFlags) {
    throw refusal('Give either --vehicle, or --group, --label and --vehicle-filter.', {
      hint: '--group, --label and --vehicle-filter select from all vehicles.',
    });
  }
  const chosen = await vehicleChoice(context, names, flags)(client);
  if (chosen.length > 0) return chosen.map(({ id }) => id);
  throw new CliError('NOT_FOUND', 'There is no such vehicle.', {
    undone: 'run',
    hint: '`fleet vehicles list` takes the same --group and --label.',
  });
}

async function resolveValues(
  context: Context,
  client: FleetClient,
  { kind, type, flags }: ReportInput,
  values: readonly unknown[],
): Promise<readonly unknown[]> {
  if (type === 'time') {
    return Promise.all(
      values.map(async (text) => timestamp(await momentOf(context, client, String(text), `--${flags[0] ?? ''}`))),
    );
  }
  if (kind === null) return values;
  const names = values.map(String);
  // Vehicles are matched like those of --group and --label.
  if (kind === vehicleKind) return (await chosenVehicles(context, client, names, {})) ?? [];
  return findIds(context, client, kind, names);
}

async function momentOf(run: ServiceRun, client: FleetClient, text: string, flag: string): Promise<number> {
  const time = readTime(run, text, flag);
  return time.at(await knownServiceNow(run, client));
}

/** Adds the defaults of an optional object when one of its members is set. */
function addDefaults(inputs: readonly ReportInput[], completed: Record<string, unknown>): void {
  for (const { path, default: preset } of inputs) {
    const above = path.slice(0, path.lastIndexOf('.') + 1);
    if (above === '' || preset === undefined || valueAt(completed, path) !== null) continue;
    const isGiven = inputs.some((other) => other.path.startsWith(above) && valueAt(completed, other.path) !== null);
    if (isGiven) putAt(completed, path, preset);
  }
}

/** Sets the time zone of the report to that of the command line, for the same midnights. */
function addTimeZone(run: Run, inputs: readonly ReportInput[], completed: Record<string, unknown>): void {
  const input = inputs.find(({ path, type }) => /(^|\.)time_?zone$/i.test(path) && type === 'text');
  if (!input || valueAt(completed, input.path) !== null) return;
  putAt(completed, input.path, run.zone.name ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function missing(report: string, inputs: readonly ReportInput[]): CliError {
  const details = inputs.map(({ flags, path, type, list, description, bound, kind }) => {
    const [flag] = flags;
    const more =
      bound === 'from' ? ', or --on <day>' : bound === 'to' ? ' (default: now)' : list ? ', repeated for more' : '';
    const how = flag === undefined ? `"${path}" in --input` : `--${flag} <${kind?.noun ?? type}>${more}`;
    return description === null ? how : `${how}: ${description}`;
  });
  const hasPeriod = inputs.some(({ bound }) => bound !== null);
  return new CliError(
    'USAGE',
    `The report ${report} needs ${inputs.length === 1 ? 'an input' : `${inputs.length} inputs`} that ${inputs.length === 1 ? 'is' : 'are'} missing.`,
    {
      undone: 'run',
      details,
      hint: `${hasPeriod ? `For example \`fleet reports run ${report} --on yesterday\`. ` : ''}\`fleet reports inputs ${report}\` lists all of them.`,
    },
  );
}

function asTyped({ from, to, on }: PeriodFlags): readonly TypedFlag[] {
  return Object.entries({ from, to, on }).flatMap(([flag, value]) => (value === undefined ? [] : [{ flag, value }]));
}

function listed(flag: string, values: readonly string[] | undefined): readonly TypedFlag[] {
  return (values ?? []).map((value) => ({ flag, value }));
}
