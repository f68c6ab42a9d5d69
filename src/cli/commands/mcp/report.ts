// The reports of the service.
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { inputOf, outputOf, pageInput, readTool, type ToolAnswer, text } from '../../mcp/tool.js';
import { reportInputs } from '../../reports/report-inputs.js';
import { reportTable } from '../../views/report.js';
import { findReport, reportAnswer, rowsOfReport } from '../reports.js';
import {
  counted,
  type PeriodInput,
  periodFlags,
  periodInput,
  someOf,
  type VehiclesInput,
  vehicleFlags,
  vehiclesInput,
} from './inputs.js';

interface ReportInput extends PeriodInput, VehiclesInput {
  readonly report?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly offset?: number;
}

export const runReport = readTool<ReportInput>({
  name: 'run_report',
  title: 'Reports of the service',
  description:
    "Runs one of the service's own reports (idling, speeding, safety events, geofence interaction, maintenance …) and returns its rows; without report it lists the reports and their inputs. For trips, sums and visits the other tools are faster and have totals.",
  input: inputOf({
    report: {
      type: 'string',
      description: 'id or title; without it the reports are listed',
      examples: ['vehicle-idling', 'safety-events'],
    },
    ...periodInput,
    ...vehiclesInput,
    inputs: {
      ...{ type: 'object', additionalProperties: { type: 'string' } },
      description: 'other inputs of the report, by their names in the list',
      examples: [{ 'working-hours-begin': '07:00' }],
    },
    ...pageInput,
  }),
  output: outputOf({ facts: { report: text, totals: { type: 'object' } }, row: {} }),
  timeLimitMs: 120_000,
  run: (context, input) =>
    input.report === undefined ? listReports(context, input) : run(context, input.report, input),
});

/** No flag of the command stands beside an input here. */
const nothing: ReadonlySet<string> = new Set();

async function listReports(context: Context, { limit, offset }: ReportInput): Promise<ToolAnswer> {
  const client = await connect(context);
  const reports = await allowPartial(context, (options) => call(client, 'getWrappedReportInputs', {}, options));
  return {
    summary: `${counted(reports.length, 'report')}: ${someOf(
      reports.map(({ id }) => id ?? ''),
      30,
    )}.`,
    rows: reports.map(({ id, title, description, inputs }) => ({
      ...{ id, title, description },
      inputs: reportInputs(inputs, nothing).map(({ flags: [name], type, required, choices }) => {
        const values = choices === null ? type : choices.join('|');
        return `${name ?? ''}: ${values}${required ? ' (required)' : ''}`;
      }),
    })),
    page: { limit, offset },
  };
}

async function run(context: Context, name: string, input: ReportInput): Promise<ToolAnswer> {
  const { vehicles, inputs: others = {}, limit, offset } = input;
  const client = await connect(context);
  const { id, title, inputs: described } = await findReport(context, client, name);
  const inputs = reportInputs(described, nothing);
  const { answer, expected } = await reportAnswer(context, client, String(id), inputs, {
    base: {},
    period: periodFlags(input),
    vehicles: { ...vehicleFlags(input), ...(vehicles === undefined ? {} : { vehicle: vehicles }) },
    others: Object.entries(others).map(([flag, value]) => ({ flag, value })),
    known: [],
  });
  const table = reportTable(answer?.report);
  if (table === null)
    return {
      summary: `${title ?? id}: this report has no rows.`,
      facts: { report: id, answer: answer?.report },
      rows: [],
    };
  const rows = await rowsOfReport(context, client, answer, table, expected);
  if (table.others.length > 0)
    context.report.remark(`The report also has ${table.others.join(' and ')}, which are not here.`);
  const adding = table.view.total?.begin();
  for (const row of rows) adding?.take(row);
  const totals = adding?.row() ?? null;
  return {
    summary: `${title ?? id}: ${counted(rows.length, 'row')}.`,
    facts: { report: id, ...(totals === null ? {} : { totals }) },
    rows,
    page: { limit, offset },
  };
}
