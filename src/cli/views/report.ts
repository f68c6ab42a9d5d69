// Views of the available reports, of their inputs and of the rows of a finished report.
import { isObject } from '../../core/json.js';
import type { WrappedReportInputs } from '../../index.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { cellText, valueAt } from '../output/field-path.js';
import { type TotalKind, totalOf } from '../output/total.js';
import type { View, ViewColumn } from '../output/view.js';
import { timeColumn } from './humanize.js';

export const reportView: View<WrappedReportInputs> = {
  columns: [
    { title: 'ID', text: (report) => report.id ?? '', rank: 0 },
    { title: 'TITLE', text: (report) => report.title ?? '', min: 20, rank: 1 },
    { title: 'INPUTS', text: inputsText, min: 20, rank: 3 },
    { title: 'DESCRIPTION', text: (report) => report.description ?? '', min: 30, rank: 2 },
  ],
  fields: ['id', 'title', 'description', 'onlyFleetTimezone', 'inputs'],
};

/** Returns the names of the inputs. The contract does not define the form of the descriptions. */
function inputsText({ inputs }: WrappedReportInputs): string {
  return isObject(inputs) ? Object.keys(inputs).join(', ') : '';
}

export interface ReportInputRow {
  /** Null for an input without a flag of its own; --input sets it. */
  readonly flag: string | null;
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: unknown;
  readonly choices: readonly string[] | null;
  readonly description: string | null;
}

export const reportInputView: View<ReportInputRow> = {
  columns: [
    { title: 'FLAG', text: ({ flag }) => flag ?? '(only --input)', rank: 0 },
    { title: 'TYPE', text: ({ type, choices }) => choices?.join(', ') ?? type, min: 12, rank: 1 },
    { title: 'REQUIRED', text: ({ required }) => (required ? 'yes' : 'no'), rank: 2 },
    { title: 'DEFAULT', text: (row) => cellText(row.default), min: 8, rank: 3 },
    { title: 'DESCRIPTION', text: ({ description }) => description ?? '', min: 30, rank: 4 },
    { title: 'INPUT', text: ({ path }) => path, rank: 5 },
  ],
  fields: ['flag', 'path', 'type', 'required', 'default', 'choices', 'description'],
};

type Row = Readonly<Record<string, unknown>>;

export interface ReportTable {
  readonly rows: readonly Row[];
  readonly view: View<Row>;
  /** The fields with a sum in the total. */
  readonly summed: readonly string[];
  /** The names of other tables and totals of the report, which are not in `rows`. */
  readonly others: readonly string[];
}

/**
 * Returns the rows of a report and their view; null without rows. The contract defines no form, so
 * the first list of objects is used.
 */
export function reportTable(report: unknown): ReportTable | null {
  const found = rowsIn(report);
  if (found === null) return null;
  const { rows, others } = found;
  const described = isObject(report) ? readColumnDescriptions(report.columns) : new Map<string, ColumnDescription>();
  const keys = described.size > 0 ? [...described.keys()] : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const timeKeys = new Set(keys.filter((key) => isTimeColumn(rows, key)));
  const summed = new Map(
    keys.flatMap((key) => {
      const kind = isNumeric(rows, key) ? totalKind(key, described.get(key)?.unit ?? null) : null;
      return kind === null ? [] : [[key, kind] as const];
    }),
  );
  // Ids are for programs: people read the name in the next column.
  const named = namesByIds(keys);
  const columns = [...keys]
    .sort((a, b) => Number(isIdKey(a)) - Number(isIdKey(b)))
    .map((key, index): ViewColumn<Row> => {
      const { title: words = key, unit = null } = described.get(key) ?? {};
      const title = (unit === null || isUnitOf(words, unit) ? words : `${words} (${unit})`).toUpperCase();
      if (timeKeys.has(key))
        return { title, shows: [key], ...timeColumn((row) => timeIn(row, key), '', 'second'), rank: index };
      const isId = isIdKey(key);
      const name = named.get(key);
      const decimals = isPlace(key) ? null : decimalsOf(rows, key);
      return {
        title,
        shows: [key],
        text: (row) => numberText(valueAt(row, key), decimals),
        ...(rows.some((row) => typeof row[key] === 'number') ? { align: 'right' as const } : {}),
        ...(summed.has(key) ? { inTotal: true as const } : {}),
        ...(name === undefined ? {} : { namedBy: (row: Row) => cellText(valueAt(row, name)) }),
        ...(isId ? {} : { min: 8 }),
        // Ids are long and never shortened, so a narrow terminal omits them first.
        rank: isId ? keys.length + 1 : index,
      };
    });
  const times = new Map([...timeKeys].map((key) => [key, (row: unknown) => timestampMs(timeIn(row, key))]));
  const units = new Map([...described].flatMap(([key, { unit }]) => (unit === null ? [] : [[key, unit] as const])));
  const titleOf = isObject(report) && typeof report.title === 'string' ? report.title : undefined;
  const view: View<Row> = {
    columns,
    fields: keys,
    times,
    units,
    ...(titleOf === undefined ? {} : { title: titleOf }),
    ...(summed.size === 0 ? {} : { total: totalOf<Row>(Object.fromEntries(summed)) }),
    ...chartOf(columns, keys, summed, described),
  };
  return { rows, view, others, summed: [...summed].flatMap(([key, kind]) => (kind === 'sum' ? [key] : [])) };
}

/** Returns a chart of the summed fields, labelled by the first column, and the day if any. */
function chartOf(
  columns: readonly ViewColumn<Row>[],
  keys: readonly string[],
  summed: ReadonlyMap<string, TotalKind>,
  described: ReadonlyMap<string, ColumnDescription>,
): Pick<View<Row>, 'chart'> {
  const [label, ...others] = keys.filter((key) => !isIdKey(key));
  const day = others.find((key) => /^(day|date|week|month)$/i.test(key));
  if (summed.size === 0 || label === undefined || columns.length === 0) return {};
  const measures = [...summed.keys()].map((key) => {
    const { title = key, unit = null } = described.get(key) ?? {};
    const value = (row: Row) => {
      const found = valueAt(row, key);
      return typeof found === 'number' ? found : null;
    };
    return [
      key,
      { title: title.toUpperCase(), value, text: (number: number) => `${number}${unit === null ? '' : ` ${unit}`}` },
    ] as const;
  });
  // A chart shows the first measure by default, and the distance is the most useful one.
  const first = measures.findIndex(([key]) => /distance/i.test(key));
  const [longest] = first < 0 ? [] : measures.splice(first, 1);
  return {
    chart: {
      label: (row) =>
        [label, day].flatMap((key) => (key === undefined ? [] : cellText(valueAt(row, key)) || [])).join(' '),
      measures: Object.fromEntries(longest ? [longest, ...measures] : measures),
    },
  };
}

function isIdKey(key: string): boolean {
  return /id$/i.test(key);
}

/** Maps `vehicleId` to the column `vehicle`, if the report has both. */
function namesByIds(keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap((key) => {
      const name = isIdKey(key) ? key.replace(/_?id$/i, '') : '';
      return name !== '' && keys.includes(name) ? [[key, name] as const] : [];
    }),
  );
}

/** Returns true when the title already has the unit, such as `MINUTES (MIN)`. */
function isUnitOf(title: string, unit: string): boolean {
  return title.toLowerCase().startsWith(unit.toLowerCase());
}

function isPlace(key: string): boolean {
  return /(latitude|longitude)$/i.test(key);
}

function isNumeric(rows: readonly Row[], key: string): boolean {
  const values = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined && value !== '');
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

/** Fields whose sum has no meaning: averages, shares, readings, limits, years. */
const notSummable =
  /(id|ids|latitude|longitude|year|odometer|hours?reading|engine.?hours|consumption|average|avg|mean|median|min|minimum|speed|temperature|coolant|rpm|percent|percentage|share|ratio|rate|score|level|value|per[A-Z_].*|version|number|to_?service)$/i;
const highest = /(^|_)(top|max|highest|hottest)/i;
/** Units that can be summed. A field without a unit is summed only if its name is a count. */
const summableUnits = /^(km|m|mi|l|gal|kg|g|t|h|min|s|kwh|wh|litres?|hours?|minutes?|seconds?)$/i;
const counts = /(^|[a-z_])(trips|stops|events|visits|count|readings|warnings|vehicles|alerts|violations)$/i;

function totalKind(key: string, unit: string | null): TotalKind | null {
  if (highest.test(key)) return 'max';
  if (notSummable.test(key)) return null;
  return (
    unit === null
      ? counts.test(key) || /^(distance|fuel|duration|mileage|minutes)/i.test(key)
      : summableUnits.test(unit)
  )
    ? 'sum'
    : null;
}

/** Returns the decimals of a column (at most 3), to align its points; null without numbers. */
function decimalsOf(rows: readonly Row[], key: string): number | null {
  let most: number | null = null;
  for (const row of rows) {
    const value = row[key];
    if (typeof value !== 'number') continue;
    const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
    most = Math.min(3, Math.max(most ?? 0, decimals));
  }
  return most;
}

function numberText(value: unknown, decimals: number | null): string {
  return typeof value === 'number' && decimals !== null ? value.toFixed(decimals) : cellText(value);
}

/** Returns true when each vehicle has one row at most, and 0 is correct for a parked vehicle. */
export function isByVehicle({ rows, view, summed }: ReportTable): boolean {
  const ids = rows.map(({ vehicleId }) => vehicleId);
  if (!view.fields.includes('vehicleId') || new Set(ids).size < ids.length) return false;
  return (
    !view.fields.some((key) => /^(day|date|start|end|timestamp|geofence|driver|country)/i.test(key)) &&
    summed.some((key) => /^(trips|distance)/i.test(key))
  );
}

/** Returns the rows, and a row of zeros for each vehicle that has none. */
export function withAllVehicles(
  { rows, view, summed }: ReportTable,
  vehicles: readonly { readonly id: string; readonly name: string }[],
): readonly Row[] {
  const vehicleIdsWithRows = new Set(rows.map(({ vehicleId }) => vehicleId));
  const names: Readonly<Record<string, 'id' | 'name'>> = { vehicleId: 'id', vehicle: 'name' };
  const emptyValue = (vehicle: { readonly id: string; readonly name: string }, key: string) => {
    const own = names[key];
    return own === undefined ? (summed.includes(key) ? 0 : null) : vehicle[own];
  };
  const missing = vehicles.filter(({ id }) => !vehicleIdsWithRows.has(id));
  return [
    ...rows,
    ...missing.map((vehicle): Row => Object.fromEntries(view.fields.map((key) => [key, emptyValue(vehicle, key)]))),
  ];
}
/** RFC 3339 with an offset. Days do not match: the report has applied a time zone to them. */
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Returns true when all values of a column are times. The contract gives the columns no types. */
function isTimeColumn(rows: readonly Row[], key: string): boolean {
  const values = rows.map((row) => valueAt(row, key)).filter((value) => value !== null && value !== '');
  return values.length > 0 && values.every((value) => typeof value === 'string' && timeForm.test(value));
}

function timeIn(row: unknown, key: string): string | null {
  const value = valueAt(row, key);
  return typeof value === 'string' && value !== '' ? value : null;
}

function rowsIn(report: unknown): Pick<ReportTable, 'rows' | 'others'> | null {
  if (Array.isArray(report)) return report.every(isObject) ? { rows: report, others: [] } : null;
  if (!isObject(report)) return null;
  const names = ['rows', ...Object.keys(report).filter((key) => key !== 'columns' && key !== 'rows')];
  for (const name of names) {
    const rows = report[name];
    if (!Array.isArray(rows) || !rows.every(isObject)) continue;
    return { rows, others: names.filter((other) => other !== name && isTableOrTotal(other, report[other])) };
  }
  return null;
}

/** Returns true for a part of a report beside its rows: another table, or a total. */
function isTableOrTotal(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return /total|sum/i.test(name) && (isObject(value) || typeof value === 'number');
}

interface ColumnDescription {
  readonly title: string;
  readonly unit: string | null;
}

/** Returns titles and units by key, from the `columns` of the reference service's reports. */
function readColumnDescriptions(columns: unknown): ReadonlyMap<string, ColumnDescription> {
  const all = new Map<string, ColumnDescription>();
  for (const column of Array.isArray(columns) ? columns : []) {
    if (!isObject(column) || typeof column.key !== 'string') return new Map();
    const title = typeof column.title === 'string' ? column.title : column.key;
    all.set(column.key, { title, unit: typeof column.unit === 'string' ? column.unit : null });
  }
  return all;
}
