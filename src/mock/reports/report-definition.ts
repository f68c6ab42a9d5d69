// What a report is (parameters, columns and rows) and how one is run. The contract shows no report, so all of them are this
// service's own.
import { dayMs } from '../core/durations.js';
import { isJsonObject, type JsonObject, quotedKey } from '../core/json-object.js';
import { badRequest, notFound } from '../core/refusals.js';
import { parseRfc3339, toRfc3339 } from '../core/rfc3339.js';
import { isUuid } from '../core/uuid.js';
import type { Fleet } from '../store/store.js';
import type { AssignmentRecord, VehicleRecord } from '../store/tables.js';
import { telemetryVehicleOf } from '../store/telemetry-vehicle.js';
import type { UserScope } from '../store/visibility.js';
import type { SnapshotRow, Telemetry, TripTruth } from '../telemetry/telemetry.js';

/** What a report reads. */
export interface ReportContext {
  readonly fleet: Fleet;
  readonly scope: UserScope;
  readonly telemetry: Telemetry;
  /** The service's time. */
  readonly now: number;
  readonly strict: boolean;
  latestSnapshot(vehicle: VehicleRecord): SnapshotRow | null;
  assignmentAt(vehicleId: string, time: number): AssignmentRecord | null;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The checked parameters of one run. */
export interface ReportRun {
  readonly context: ReportContext;
  /** The requested vehicles, or all that the user can see. */
  readonly vehicles: readonly VehicleRecord[];
  readonly period: Period;
  readonly timezone: string;
  /** Minutes of the day in the run's time zone. */
  readonly workingHours: { readonly begin: number; readonly end: number };
}

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly unit: string | null;
}

export type ReportRow = Readonly<Record<string, unknown>>;

export type Parameter = 'period' | 'vehicleIds' | 'timezone' | 'workingHours';

export interface ReportDefinition {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Limit for the number of vehicles times the number of days; null when the report has no period. */
  readonly maxVehicleDays: number | null;
  readonly columns: readonly Column[];
  readonly rows: (run: ReportRun) => Iterable<ReportRow>;
}

const maxRows = 10_000;

/** The description of each parameter in `WrappedReportInputs.inputs`. */
export const parameterDescriptions: Readonly<Record<Parameter, object>> = {
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

function readPeriod(value: unknown): Period {
  if (!isJsonObject(value)) throw badRequest('inputs.period is required: { from, to }.');
  const from = parseRfc3339(value.from);
  const to = parseRfc3339(value.to);
  if (from === null || to === null) throw badRequest('inputs.period.from and inputs.period.to must be RFC 3339 times.');
  if (from > to) throw badRequest('inputs.period.from must not be after inputs.period.to.');
  return { from, to };
}

function readVehicles(value: unknown, context: ReportContext): readonly VehicleRecord[] {
  if (value === undefined || value === null) return context.scope.vehicles();
  if (!Array.isArray(value) || !value.every(isUuid)) throw badRequest('inputs.vehicleIds must be a list of UUIDs.');
  return [...new Set(value)].map((id) => context.scope.requireVehicle(id.toLowerCase()));
}

function readTimezone(value: unknown): string {
  if (value === undefined || value === null) return 'UTC';
  try {
    if (typeof value === 'string') return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    // Not a time zone: refused below.
  }
  throw badRequest('inputs.timezone must be the IANA name of a time zone.');
}

function readTimeOfDay(value: unknown): number {
  const parts = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) : null;
  if (parts === null) throw badRequest('inputs.workingHours.begin and end must be times of day such as "08:00".');
  return Number(parts[1]) * 60 + Number(parts[2]);
}

function readWorkingHours(value: unknown): ReportRun['workingHours'] {
  if (value === undefined || value === null) return { begin: 480, end: 1020 };
  if (!isJsonObject(value)) throw badRequest('inputs.workingHours must be { begin, end }.');
  return { begin: readTimeOfDay(value.begin), end: readTimeOfDay(value.end) };
}

function readRun(report: ReportDefinition, inputs: JsonObject, context: ReportContext): ReportRun {
  for (const key of Object.keys(inputs)) {
    if (context.strict && !report.parameters.some((parameter) => parameter === key)) {
      throw badRequest(`The report takes no input ${quotedKey(key)}.`);
    }
  }
  const hasPeriod = report.parameters.includes('period');
  const requested = hasPeriod ? readPeriod(inputs.period) : { from: context.now, to: context.now };
  const run = {
    context,
    vehicles: readVehicles(inputs.vehicleIds, context),
    // There is no data of the future.
    period: { from: requested.from, to: Math.min(requested.to, context.now) },
    timezone: readTimezone(inputs.timezone),
    workingHours: readWorkingHours(inputs.workingHours),
  };
  const vehicleDays = (run.vehicles.length * Math.max(0, run.period.to - run.period.from)) / dayMs;
  if (report.maxVehicleDays !== null && vehicleDays > report.maxVehicleDays) {
    throw badRequest(`The report covers at most ${report.maxVehicleDays} vehicles times days: ask for fewer.`);
  }
  return run;
}

/** Runs a report and returns its columns, its rows and their period. */
export function runReport(report: ReportDefinition, inputs: unknown, context: ReportContext): object {
  if (inputs !== undefined && inputs !== null && !isJsonObject(inputs)) throw badRequest('inputs must be an object.');
  const run = readRun(report, isJsonObject(inputs) ? inputs : {}, context);
  const rows: ReportRow[] = [];
  let truncated = false;
  for (const row of report.rows(run)) {
    truncated = rows.length === maxRows;
    if (truncated) break;
    rows.push(row);
  }
  const { from, to } = run.period;
  const hasPeriod = report.parameters.includes('period');
  return {
    title: report.title,
    period: hasPeriod ? { from: toRfc3339(from), to: toRfc3339(to), timezone: run.timezone } : null,
    columns: report.columns,
    rows,
    truncated,
  };
}

export function requireReport(reports: ReadonlyMap<string, ReportDefinition>, id: string): ReportDefinition {
  const report = reports.get(id);
  if (report === undefined) throw notFound('report', quotedKey(id));
  return report;
}

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** The trips that lie within the period. */
export function* tripsInPeriod(vehicle: VehicleRecord, run: ReportRun): Generator<TripTruth> {
  for (const trip of run.context.telemetry.trips(telemetryVehicleOf(vehicle), run.period.from, run.period.to)) {
    if (trip.start >= run.period.from && trip.end <= run.period.to) yield trip;
  }
}

/** The snapshots of the period, ordered by time. */
export function snapshotsInPeriod(vehicle: VehicleRecord, run: ReportRun): SnapshotRow[] {
  const { from, to } = run.period;
  if (from > to) return [];
  const rows = [...run.context.telemetry.snapshots(telemetryVehicleOf(vehicle), from, to)];
  return rows.sort((a, b) => a.timestamp - b.timestamp);
}

/** Returns a function that gives the day and the minute of the day in a time zone. */
export function localTimeIn(timeZone: string): (time: number) => { day: string; minute: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const part: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(time)) part[type] = value;
    return { day: `${part.year}-${part.month}-${part.day}`, minute: Number(part.hour) * 60 + Number(part.minute) };
  };
}

export const column = (key: string, title: string, unit: string | null = null): Column => ({ key, title, unit });
export const vehicleColumns: readonly Column[] = [column('vehicleId', 'Vehicle id'), column('vehicle', 'Vehicle')];
export const vehicleCells = ({ id, name }: VehicleRecord): ReportRow => ({ vehicleId: id, vehicle: name });
