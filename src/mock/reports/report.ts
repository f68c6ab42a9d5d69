// What a report is: parameters in, columns and rows out. The contract shows neither; both are this service's own.
import { type Context, telemetryOf } from '../graphql/context.js';
import { badRequest, notFound } from '../graphql/errors.js';
import { isUuid, rfc3339 } from '../graphql/scalars.js';
import type { VehicleRecord } from '../store/records.js';
import type { SnapshotRow, TripTruth } from '../telemetry/telemetry.js';

export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The parameters of one run, checked. */
export interface ReportRun {
  readonly context: Context;
  /** The vehicles asked for, or all that the user sees. */
  readonly vehicles: readonly VehicleRecord[];
  readonly period: Period;
  readonly timezone: string;
  /** Minutes of the day, in the run's time zone. */
  readonly workingHours: { readonly begin: number; readonly end: number };
}

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly unit: string | null;
}

export type ReportRow = Readonly<Record<string, unknown>>;

export type Parameter = 'period' | 'vehicleIds' | 'timezone' | 'workingHours';

export interface Report {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Most days times vehicles that one run may cover; null when the report does not look at the period. */
  readonly mostVehicleDays: number | null;
  readonly columns: readonly Column[];
  readonly rows: (run: ReportRun) => Iterable<ReportRow>;
}

const day = 86_400_000;
const mostRows = 10_000;

/** How `WrappedReportInputs.inputs` describes each parameter. */
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

type Inputs = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Inputs {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function period(value: unknown): Period {
  if (!isObject(value)) throw badRequest('inputs.period is required: { from, to }.');
  const from = rfc3339(value.from);
  const to = rfc3339(value.to);
  if (from === null || to === null) throw badRequest('inputs.period.from and inputs.period.to must be RFC 3339 times.');
  if (from > to) throw badRequest('inputs.period.from must not be after inputs.period.to.');
  return { from, to };
}

function vehicles(value: unknown, context: Context): readonly VehicleRecord[] {
  if (value === undefined || value === null) return context.scope.vehicles();
  if (!Array.isArray(value) || !value.every(isUuid)) throw badRequest('inputs.vehicleIds must be a list of UUIDs.');
  return [...new Set(value)].map((id) => context.scope.theVehicle(id.toLowerCase()));
}

function timezone(value: unknown): string {
  if (value === undefined || value === null) return 'UTC';
  try {
    if (typeof value === 'string') return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    // Not a time zone: said below.
  }
  throw badRequest('inputs.timezone must be the IANA name of a time zone.');
}

function minutes(value: unknown): number {
  const parts = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) : null;
  if (parts === null) throw badRequest('inputs.workingHours.begin and end must be times of day such as "08:00".');
  return Number(parts[1]) * 60 + Number(parts[2]);
}

function workingHours(value: unknown): ReportRun['workingHours'] {
  if (value === undefined || value === null) return { begin: 480, end: 1020 };
  if (!isObject(value)) throw badRequest('inputs.workingHours must be { begin, end }.');
  return { begin: minutes(value.begin), end: minutes(value.end) };
}

function check(report: Report, inputs: Inputs, context: Context): ReportRun {
  for (const key of Object.keys(inputs)) {
    if (context.strict && !report.parameters.some((parameter) => parameter === key)) {
      throw badRequest(`The report takes no input ${JSON.stringify(key.slice(0, 80))}.`);
    }
  }
  const dated = report.parameters.includes('period');
  const asked = dated ? period(inputs.period) : { from: context.now, to: context.now };
  const run = {
    context,
    vehicles: vehicles(inputs.vehicleIds, context),
    // Nothing has been recorded of the future.
    period: { from: asked.from, to: Math.min(asked.to, context.now) },
    timezone: timezone(inputs.timezone),
    workingHours: workingHours(inputs.workingHours),
  };
  const vehicleDays = (run.vehicles.length * Math.max(0, run.period.to - run.period.from)) / day;
  if (report.mostVehicleDays !== null && vehicleDays > report.mostVehicleDays) {
    throw badRequest(`The report covers at most ${report.mostVehicleDays} vehicles times days: ask for fewer.`);
  }
  return run;
}

/** Runs a report: its columns, its rows and the period they are of. */
export function runReport(report: Report, inputs: unknown, context: Context): object {
  if (inputs !== undefined && inputs !== null && !isObject(inputs)) throw badRequest('inputs must be an object.');
  const run = check(report, isObject(inputs) ? inputs : {}, context);
  const rows: ReportRow[] = [];
  let truncated = false;
  for (const row of report.rows(run)) {
    truncated = rows.length === mostRows;
    if (truncated) break;
    rows.push(row);
  }
  const { from, to } = run.period;
  const dated = report.parameters.includes('period');
  return {
    title: report.title,
    period: dated ? { from: iso(from), to: iso(to), timezone: run.timezone } : null,
    columns: report.columns,
    rows,
    truncated,
  };
}

export function theReport(reports: ReadonlyMap<string, Report>, id: string): Report {
  const report = reports.get(id);
  if (report === undefined) throw notFound('report', `"${id.slice(0, 80)}"`);
  return report;
}

export const iso = (time: number): string => new Date(time).toISOString();

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** The drives that began in the period. */
export function* trips(vehicle: VehicleRecord, run: ReportRun): Generator<TripTruth> {
  for (const trip of run.context.telemetry.trips(telemetryOf(vehicle), run.period.from, run.period.to)) {
    if (trip.start >= run.period.from && trip.end <= run.period.to) yield trip;
  }
}

/** The snapshots of the period by time. */
export function snapshots(vehicle: VehicleRecord, run: ReportRun): SnapshotRow[] {
  const { from, to } = run.period;
  if (from > to) return [];
  const rows = [...run.context.telemetry.snapshots(telemetryOf(vehicle), from, to)];
  return rows.sort((a, b) => a.timestamp - b.timestamp);
}

/** Day and minute of the day at a time, in a time zone. */
export function localClock(timeZone: string): (time: number) => { day: string; minute: number } {
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
