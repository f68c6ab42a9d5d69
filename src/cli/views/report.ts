// How the available reports are shown, and the rows of a finished report.
import { isObject } from '../../core/json.js';
import type { WrappedReportInputs } from '../../index.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { cellText, valueAt } from '../output/field-path.js';
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

/** The names of the inputs. The contract does not define how a service describes them. */
function inputsText({ inputs }: WrappedReportInputs): string {
  return isObject(inputs) ? Object.keys(inputs).join(', ') : '';
}

/** An input of a report. */
export interface ReportInputRow {
  /** Null when it is given only with --input. */
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

/** The rows of a finished report, and the view for them. */
export interface ReportTable {
  readonly rows: readonly Row[];
  readonly view: View<Row>;
  /** The names of other tables and of totals, which are not among the rows. */
  readonly others: readonly string[];
}

/** Null for a report without rows. The contract does not define the form of a report; its first list of objects is taken as the rows. */
export function reportTable(report: unknown): ReportTable | null {
  const found = rowsIn(report);
  if (found === null) return null;
  const { rows, others } = found;
  const titles = isObject(report) ? titlesIn(report.columns) : new Map<string, string>();
  const keys = titles.size > 0 ? [...titles.keys()] : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const timeKeys = new Set(keys.filter((key) => isTimeColumn(rows, key)));
  const columns = keys.map((key, index): ViewColumn<Row> => {
    const title = (titles.get(key) ?? key).toUpperCase();
    if (timeKeys.has(key)) return { title, ...timeColumn((row) => timeIn(row, key), '', 'second'), rank: index };
    const isId = /id$/i.test(key);
    return {
      title,
      text: (row) => cellText(valueAt(row, key)),
      ...(rows.some((row) => typeof row[key] === 'number') ? { align: 'right' as const } : {}),
      ...(isId ? {} : { min: 8 }),
      // Ids are long and never shortened, so they are left out first on a narrow terminal.
      rank: isId ? keys.length + 1 : index,
    };
  });
  const times = new Map([...timeKeys].map((key) => [key, (row: unknown) => timestampMs(timeIn(row, key))]));
  return { rows, view: { columns, fields: keys, times }, others };
}

/** RFC 3339 with an offset. Days, such as `2026-03-01`, are no times: the report has cut them in a zone already. */
const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** The contract gives a report's columns no types, so the values tell: all that are there are times. */
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

function isTableOrTotal(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return /total|sum/i.test(name) && (isObject(value) || typeof value === 'number');
}

/** Titles with units by key, from the `columns` of the reference service's reports. */
function titlesIn(columns: unknown): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const column of Array.isArray(columns) ? columns : []) {
    if (!isObject(column) || typeof column.key !== 'string') return new Map();
    const title = typeof column.title === 'string' ? column.title : column.key;
    titles.set(column.key, typeof column.unit === 'string' ? `${title} (${column.unit})` : title);
  }
  return titles;
}
