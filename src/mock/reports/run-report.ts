// Runs a report: checks its inputs and returns columns and rows. The contract defines no reports,
// so all of them are this service's own.
import { dayMs } from '../core/durations.js';
import { isJsonObject } from '../core/json-object.js';
import { fail, list, object, refined, rfc3339, uuid, type ValueReader } from '../core/readers.js';
import { badRequest } from '../core/refusals.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { FleetRecords } from '../store/store.js';
import type { AssignmentRecord, VehicleRecord } from '../store/tables.js';
import type { UserScope } from '../store/visibility.js';
import type { Telemetry, TelemetryRow } from '../telemetry/telemetry.js';
import { type ColumnKey, reportColumns } from './columns.js';

export interface ReportContext {
  readonly fleet: FleetRecords;
  readonly scope: UserScope;
  readonly telemetry: Telemetry;
  readonly now: number;
  readonly strict: boolean;
  latestSnapshot(vehicle: VehicleRecord): TelemetryRow | null;
  assignmentAt(vehicleId: string, time: number): AssignmentRecord | null;
}

interface Inputs {
  readonly period?: { readonly from: number; readonly to: number };
  readonly vehicleIds?: readonly string[];
  readonly timezone?: string;
  /** In minutes of the day. */
  readonly workingHours?: { readonly begin: number; readonly end: number };
}

export interface ReportRun extends Required<Omit<Inputs, 'vehicleIds'>> {
  readonly context: ReportContext;
  /** The requested vehicles, or all visible ones. */
  readonly vehicles: readonly VehicleRecord[];
}

export type Cells = { readonly [Key in ColumnKey]?: unknown };

export interface ReportSource {
  readonly inputs: readonly (keyof Inputs)[];
  /** Limit of vehicles × days; null without a period. */
  readonly maxVehicleDays: number | null;
  /** The key columns of a row. */
  readonly columns: readonly ColumnKey[];
  /** Rows may have more cells than the report has columns. */
  readonly rows: (run: ReportRun) => Iterable<Cells>;
}

export interface ReportResult {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly source: ReportSource;
  /** The columns after the source's. */
  readonly columns: readonly ColumnKey[];
}

const maxRows = 10_000;

const inputDescriptions: Readonly<Record<keyof Inputs, object>> = {
  period: {
    type: 'object',
    required: true,
    members: { from: { type: 'DateTime', required: true }, to: { type: 'DateTime', required: true } },
  },
  vehicleIds: { type: '[UUID]', required: false, description: 'All vehicles visible to the user when left out.' },
  timezone: { type: 'string', required: false, default: 'UTC', description: 'IANA name; days begin at its midnight.' },
  workingHours: {
    type: 'object',
    required: false,
    default: { begin: '08:00', end: '17:00' },
    members: { begin: { type: 'HH:MM', required: true }, end: { type: 'HH:MM', required: true } },
  },
};

/** Null counts as missing. */
const orNothing =
  <T>(read: ValueReader<T>): ValueReader<T | undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : read(value, path);

const timezone: ValueReader<string> = (value, path) => {
  try {
    if (typeof value === 'string') return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    // It is not a time zone and is refused below.
  }
  return fail(path, 'must be the IANA name of a time zone');
};

const timeOfDay: ValueReader<number> = (value, path) => {
  const [, hour, minute] = (typeof value === 'string' && /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value)) || [];
  return hour === undefined ? fail(path, 'must be a time of day such as "08:00"') : Number(hour) * 60 + Number(minute);
};

const inputReaders: { readonly [Key in keyof Inputs]-?: ValueReader<Inputs[Key] | undefined> } = {
  period: refined(object({ from: rfc3339, to: rfc3339 }), ({ from, to }) =>
    from <= to ? null : 'must not end before it begins',
  ),
  vehicleIds: orNothing(list(uuid)),
  timezone: orNothing(timezone),
  workingHours: orNothing(object({ begin: timeOfDay, end: timeOfDay })),
};

function readInputs({ inputs }: ReportSource, value: unknown, strict: boolean): Inputs {
  if (!isJsonObject(value)) throw badRequest('inputs must be an object.');
  const members = strict ? value : Object.fromEntries(inputs.map((name) => [name, value[name]]));
  try {
    return object(Object.fromEntries(inputs.map((name) => [name, inputReaders[name]])))(members, 'inputs');
  } catch (error) {
    throw error instanceof TypeError ? badRequest(`${error.message}.`) : error;
  }
}

function prepareRun({ source }: ReportResult, inputs: Inputs, context: ReportContext): ReportRun {
  const { now, scope } = context;
  const { period = { from: now, to: now }, vehicleIds } = inputs;
  const run = {
    context,
    vehicles:
      vehicleIds === undefined ? scope.vehicles() : [...new Set(vehicleIds)].map((id) => scope.requireVehicle(id)),
    period: { from: period.from, to: Math.min(period.to, now) },
    timezone: inputs.timezone ?? 'UTC',
    workingHours: inputs.workingHours ?? { begin: 8 * 60, end: 17 * 60 },
  };
  const vehicleDays = (run.vehicles.length * Math.max(0, run.period.to - run.period.from)) / dayMs;
  if (source.maxVehicleDays !== null && vehicleDays > source.maxVehicleDays)
    throw badRequest(`The report covers at most ${source.maxVehicleDays} vehicles times days: ask for fewer.`);
  return run;
}

export function runReport(report: ReportResult, inputs: unknown, context: ReportContext): object {
  const { title, source } = report;
  const run = prepareRun(report, readInputs(source, inputs ?? {}, context.strict), context);
  const columns = [...source.columns, ...report.columns];
  const rows: Cells[] = [];
  let truncated = false;
  for (const cells of source.rows(run)) {
    truncated = rows.length === maxRows;
    if (truncated) break;
    rows.push(Object.fromEntries(columns.map((key) => [key, cells[key]])));
  }
  const { from, to } = run.period;
  const period = source.inputs.includes('period')
    ? { from: toRfc3339(from), to: toRfc3339(to), timezone: run.timezone }
    : null;
  return { title, period, columns: reportColumns(columns), rows, truncated };
}

export function describeReport({ id, title, description, source }: ReportResult): object {
  const inputs = Object.fromEntries(source.inputs.map((name) => [name, inputDescriptions[name]]));
  return { id, title, description, onlyFleetTimezone: false, inputs };
}
